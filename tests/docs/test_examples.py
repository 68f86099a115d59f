"""The examples of the pages run: Python and TOML blocks load as connectors, `$` lines of console blocks end with 0."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from agent_connector.cli.main import main
from agent_connector.connector.load import load

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([*(ROOT / "docs").rglob("*.md"), ROOT / "README.md"])
CONTRIBUTING = ROOT / "CONTRIBUTING.md"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")
FILE = re.compile(r"`([\w/.-]+/[\w.-]*)`")
ACME = "from agent_connector import Connector, stdio\nconnector = Connector(id='acme-db', server=stdio('acme-mcp'))\n"


def blocks(language: str) -> list[object]:
    """(page, text) of every block of a language, with a readable id."""
    return [
        pytest.param(
            match[2],
            id=f"{page.relative_to(ROOT).as_posix()}:{page.read_text('utf-8')[: match.start()].count(chr(10)) + 1}",
        )
        for page in PAGES
        for match in BLOCK.finditer(page.read_text("utf-8"))
        if match[1] == language
    ]


@pytest.mark.parametrize("text", blocks("python"))
def test_python_example_runs_and_is_a_valid_connector(text, tmp_path):
    file = tmp_path / "connector.py"
    file.write_text(text, "utf-8")
    if "\ndef test_" in text:
        run_as_a_test(text, tmp_path)
    elif "Connector(" in text:
        assert load(str(file)).model.id
    else:
        subprocess.run([sys.executable, str(file)], check=True, timeout=60)


def run_as_a_test(text, folder):
    """A page's tests pass beside the page's own connector."""
    page = next(page.read_text("utf-8") for page in PAGES if text in page.read_text("utf-8"))
    connector = next(match[2] for match in BLOCK.finditer(page) if "Connector(" in match[2])
    (folder / "connector.py").write_text(connector, "utf-8")
    (folder / "conftest.py").write_text('pytest_plugins = ["agent_connector.testing.pytest_plugin"]\n', "utf-8")
    (folder / "test_page.py").write_text(text, "utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--rootdir={folder}", str(folder)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("text", blocks("toml"))
def test_toml_example_is_a_valid_connector(text, tmp_path):
    file = tmp_path / "connector.toml"
    file.write_text(text, "utf-8")
    assert load(str(file)).model.id


@pytest.mark.parametrize("text", blocks("console"))
def test_console_example_ends_well(text, tmp_path, capsys):
    (tmp_path / "connector.py").write_text(ACME, "utf-8")
    (tmp_path / "mender.md").write_text("Mend what the task names, and nothing else.", "utf-8")
    (tmp_path / ".codex").mkdir()
    (tmp_path / ".codex" / "config.toml").write_text('model = "gpt-5"\n', "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        for name in os.environ.keys() - {"PATH", "SYSTEMROOT"}:
            patch.delenv(name)
        patch.setenv("HOME", str(tmp_path))
        patch.setenv("USERPROFILE", str(tmp_path))
        patch.chdir(tmp_path)
        for line in text.splitlines():
            if line.startswith("$ agent-connector "):
                code = main(shlex.split(line)[2:])
                out, err = capsys.readouterr()
                assert code == 0, f"{line}\n{out}{err}"


@pytest.mark.parametrize("page", [*PAGES, CONTRIBUTING], ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(page):
    targets = [target for target in LINK.findall(page.read_text("utf-8")) if not target.startswith("http")]
    assert [target for target in targets if not (page.parent / target).exists()] == []


@pytest.mark.parametrize("page", [ROOT / "docs" / "map.md", CONTRIBUTING], ids=lambda page: page.name)
def test_files_that_newcomers_are_sent_to_are_there(page):
    places = (ROOT, ROOT / "src" / "agent_connector")
    named = FILE.findall(page.read_text("utf-8"))
    assert len(named) > 5
    assert [name for name in named if not any((place / name).exists() for place in places)] == []
