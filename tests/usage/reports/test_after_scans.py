"""From logs that grow to a report: what is kept of earlier scans never makes it differ from the truth."""

import shutil
from pathlib import Path

import pytest

from agent_connector.hosts.machine import Machine
from agent_connector.testing import usage_logs
from agent_connector.usage import report, rollups, scan


def totals(root: Path, by: str) -> tuple[int, dict[str, int]]:
    """(tokens of the lines of a report, counts of the view that everybody reads)"""
    with rollups.rolled(str(root)) as connection:
        made = report.make(connection, by)
        row = connection.execute(
            "SELECT sum(input), sum(cache_read), sum(cache_write_5m), sum(cache_write_1h), sum(output) FROM units"
        ).fetchone()
        names = ("input", "cache_read", "cache_write_5m", "cache_write_1h", "output")
        found = {name: sum(line.counts[name] for line in made.lines) for name in names}
        assert found == {name: value or 0 for name, value in zip(names, row, strict=True)}
    return sum(line.tokens for line in made.lines), found


@pytest.mark.parametrize("by", ["day", "session"])
def test_reports_follow_logs_that_grow_and_go(root: Path, tmp_path: Path, by: str) -> None:
    written, home = tmp_path / "written", tmp_path / "home"
    written.mkdir()
    truth = usage_logs.write(written, size=1 << 20, seed=7)
    machine = Machine(str(home), "linux", {})
    files = sorted(path for path in written.rglob("*") if path.is_file())
    seen: list[int] = []
    for part in (0.3, 0.8, 1.0):
        for path in files:
            data = path.read_bytes()
            target = home / path.relative_to(written)
            target.parent.mkdir(parents=True, exist_ok=True)
            whole = part == 1.0 or path.suffix == ".zst"
            target.write_bytes(data if whole else data[: int(len(data) * part)])
        scan.scan(str(root), machine)
        seen.append(totals(root, by)[0])
    assert seen[0] < seen[2]
    assert seen[2] == sum(
        counts.input + counts.cache_read + counts.cache_write_5m + counts.cache_write_1h + counts.output
        for counts in truth.hosts.values()
    )
    shutil.rmtree(home)
    scan.scan(str(root), machine)
    assert totals(root, by)[0] == seen[2], "what was read stays when a log goes"
