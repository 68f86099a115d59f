"""A message that trips the counting costs its own row; the fault is told without a word of the message."""

import json
import threading
from pathlib import Path

import pytest
from tests.telemetry.proxy import ECHO, call, proxied, script

from agent_connector.telemetry import content
from agent_connector.telemetry.fault import Faults


def test_a_fault_is_told_once_by_kind_and_place(tmp_path: Path) -> None:
    faults = Faults(str(tmp_path), "acme-db")
    for _ in range(3):
        try:
            raise KeyError("s3same")
        except KeyError as error:
            faults.note(error)
    (line,) = (tmp_path / "hooks.log").read_text().splitlines()
    row = json.loads(line)
    assert (row["connector"], row["error"], row["verb"]) == ("acme-db", "KeyError", "serve")
    assert row["trace"].startswith("test_fault.py:")
    assert "s3same" not in line


def test_a_home_that_cannot_be_written_is_no_further_fault(tmp_path: Path) -> None:
    Faults(str(tmp_path / "nowhere"), "acme-db").note(ValueError())


def test_what_follows_a_fault_is_counted(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.telemetry.proxy import read_rows

    from agent_connector.telemetry.frames import IN, OUT
    from agent_connector.telemetry.origin import Origin
    from agent_connector.telemetry.worker import Worker

    (home / "data").mkdir()
    real = content.result
    broken = iter([True, False])
    monkeypatch.setattr(content, "result", lambda *given: 1 / 0 if next(broken) else real(*given))
    worker = Worker(str(home / "data"), Origin("acme-db"), "serve")
    for number in (1, 2):
        worker.seen(IN, lambda number=number: [call(number, "x")])
        worker.seen(OUT, lambda number=number: [{"id": number, "result": {"content": []}}])
    worker.close()
    assert len(read_rows(home / "data")) == 1
    assert "ZeroDivisionError" in (home / "data" / "hooks.log").read_text()


def test_what_is_not_counted_at_the_end_or_finds_no_room_is_told(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from agent_connector.telemetry import worker
    from agent_connector.telemetry.frames import IN
    from agent_connector.telemetry.origin import Origin

    (home / "data").mkdir()
    monkeypatch.setattr(worker, "_LAST", 0.05)
    go_on = threading.Event()
    slow = worker.Worker(str(home / "data"), Origin("acme-db"), "serve")
    slow.seen(IN, lambda: iter(go_on.wait, True))
    slow.close()
    assert "TimeoutError" in (home / "data" / "hooks.log").read_text()
    go_on.set()
    slow.thread.join(60)

    monkeypatch.setattr(worker, "_WAITING", 1)
    go_on.clear()
    full = worker.Worker(str(home / "data"), Origin("full-db"), "serve")
    for _ in range(3):
        full.seen(IN, lambda: iter(go_on.wait, True))
    assert '"full-db", "error": "Full"' in (home / "data" / "hooks.log").read_text()
    go_on.set()
    monkeypatch.setattr(worker, "_LAST", 60.0)
    full.close()


@pytest.mark.parametrize(
    "odd", ['{"id":1,"method":"tools/call","params":{"name":{"a":1},"arguments":7}}', '{"id":{},"method":[]}']
)
def test_odd_messages_are_no_fault(tmp_path: Path, odd: str) -> None:
    with proxied(tmp_path, script(ECHO)) as made:
        made.write(odd.encode().replace(b'"tools/call"', b'"tools/call"') + b"\n")
        made.write(json.dumps(call(5, "x")).encode() + b"\n")
        made.end()
        made.rows()
    assert not (tmp_path / "data" / "hooks.log").exists()
