"""A package's own command: installed into a fresh environment and used, as its author's users would."""

import json
import os
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

from agent_connector import Connector, ConnectorError, create_cli

PACKAGE = Path(__file__).parents[2] / "examples" / "acme-db"


@pytest.fixture(scope="module")
def command(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """`acme-db` of the example package in an environment of its own; what it needs is lent by the one of the tests."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=True)
    python = folder / "bin" / "python"
    site = subprocess.run(
        [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    Path(site, "lent.pth").write_text(f"import site; site.addsitedir({sysconfig.get_path('purelib')!r})\n")
    copy = folder / "source"
    subprocess.run(
        [sys.executable, "-c", f"import shutil; shutil.copytree({str(PACKAGE)!r}, {str(copy)!r})"], check=True
    )
    install = [python, "-m", "pip", "install", "-q", "--no-deps", "--no-build-isolation", "--no-index", str(copy)]
    done = subprocess.run(install, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    return folder / "bin" / "acme-db"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / ".codex").mkdir()
    (tmp_path / ".codex" / "config.toml").write_text('model = "gpt-5"\n')
    return tmp_path


def run(command: Path, home: Path, *words: str) -> tuple[int, str]:
    variables = {"HOME": str(home), "PATH": f"{command.parent}:{os.environ['PATH']}"}
    done = subprocess.run(
        [command, *words], env=variables, cwd=home, capture_output=True, text=True, timeout=120, check=False
    )
    return done.returncode, done.stdout + done.stderr


def test_install_use_and_uninstall(command: Path, home: Path) -> None:
    config = home / ".codex" / "config.toml"
    before = config.read_bytes()
    code, out = run(command, home, "install", "-t", "codex")
    assert code == 0, out
    assert str(command.parent / "acme-db-mcp") in config.read_text(), "no host's PATH leads into this environment"
    assert run(command, home, "doctor", "--json")[0] == 0
    code, out = run(command, home, "status", "--json")
    assert [one["connector"] for one in json.loads(out)["connectors"]] == ["acme-db"]
    code, out = run(command, home, "simulate", "PreToolUse", "--tool", "columns", "--json")
    assert code == 0, out
    assert run(command, home, "uninstall")[0] == 0
    assert config.read_bytes() == before


def test_it_speaks_of_itself_alone(command: Path, home: Path) -> None:
    code, out = run(command, home, "--help")
    assert code == 0 and out.startswith("Usage: acme-db [OPTIONS]") and "agent-connector" not in out
    assert run(command, home, "--version")[1].strip() == "acme-db 1.4.0"
    for verb in ("install", "uninstall", "doctor", "status", "upgrade", "explain"):
        code, out = run(command, home, verb, "--help")
        assert code == 0 and f"acme-db {verb}" in out
        assert not any(option in out for option in ("--connector", "--name ", "--url", "--purge", "COMMAND"))
    assert run(command, home, "uninstall", "-c", "other")[0] == 2
    assert run(command, home, "usage", "report")[0] == 2


def test_another_connector_is_not_touched(command: Path, home: Path) -> None:
    other = [sys.executable, "-m", "agent_connector", "install", "--name", "other", "-t", "codex", "--", "other-mcp"]
    subprocess.run(other, env={"HOME": str(home), "PATH": os.environ["PATH"]}, capture_output=True, check=True)
    assert run(command, home, "install", "-t", "codex")[0] == 0
    assert run(command, home, "uninstall")[0] == 0
    assert b"other-mcp" in (home / ".codex" / "config.toml").read_bytes()


def test_a_connector_that_stands_nowhere_is_refused() -> None:
    with pytest.raises(ConnectorError, match="no module that can be imported"):
        create_cli(Connector(id="acme-db"), name="acme-db")
