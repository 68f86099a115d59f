"""Adding a host touches its folder and one line of the table: the host of CONTRIBUTING is made so, and works."""

import json
import os
import re
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import agent_connector

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"<!-- file: (\w+\.py) -->\n +```python\n(.*?)\n +```", re.DOTALL)


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package with the host of the page in it."""
    folder = tmp_path_factory.mktemp("package")
    copy = folder / "agent_connector"
    shutil.copytree(Path(agent_connector.__file__).parent, copy, ignore=shutil.ignore_patterns("__pycache__"))
    host = copy / "hosts" / "acme_agent"
    host.mkdir()
    (host / "__init__.py").touch()
    for name, text in BLOCK.findall((ROOT / "CONTRIBUTING.md").read_text("utf-8")):
        (host / name).write_text(textwrap.dedent(text) + "\n")
    table = copy / "hosts" / "table.py"
    table.write_text(table.read_text("utf-8").replace("HOSTS = (\n", 'HOSTS = (\n    "acme-agent",\n', 1))
    return folder


def run(package: Path, home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    code = (
        f"import sys; sys.path.insert(0, {str(package)!r}); from agent_connector.cli.main import main; sys.exit(main())"
    )
    return subprocess.run(
        [sys.executable, "-c", code, *words],
        env={"HOME": str(home), "PATH": os.environ["PATH"]},
        cwd=home,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_it_passes_the_contract(package: Path) -> None:
    code = (
        f"import sys; sys.path.insert(0, {str(package)!r});"
        "from agent_connector.testing import hosts; print(*hosts.walk('acme-agent'), sep='\\n')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=True)
    assert done.stdout.strip() == ""


def test_it_is_found_installed_into_and_left_as_it_was(package: Path, tmp_path: Path) -> None:
    (tmp_path / ".acme").mkdir()
    (tmp_path / ".acme" / "mcp.json").write_text('{"mcpServers": {}}\n')
    found = json.loads(run(package, tmp_path, "detect", "--json").stdout)["hosts"]
    assert [one["host"] for one in found] == ["acme-agent"]
    assert run(package, tmp_path, "install", "--name", "db", "--", "db-mcp").returncode == 0
    entry = json.loads((tmp_path / ".acme" / "mcp.json").read_text())["mcpServers"]["db"]
    assert entry["args"] == ["serve", "--connector", "db", "--host", "acme-agent", "--", "db-mcp"]
    assert run(package, tmp_path, "doctor").returncode == 0
    assert run(package, tmp_path, "uninstall", "-c", "db").returncode == 0
    assert (tmp_path / ".acme" / "mcp.json").read_text() == '{"mcpServers": {}}\n'


def test_no_host_module_is_long() -> None:
    """A host differs in values; what is long is a dialect, or two modules."""
    folder = ROOT / "src" / "agent_connector" / "hosts"
    long = [str(file) for file in folder.rglob("*.py") if len(file.read_text("utf-8").splitlines()) > 400]
    assert long == []
