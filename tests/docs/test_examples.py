"""The examples of the pages run: Python and TOML blocks load as connectors, `$` lines of console blocks end with 0."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

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
    if "Connector(" in text:
        assert load(str(file)).model.id
    else:
        subprocess.run([sys.executable, str(file)], check=True, timeout=60)


@pytest.mark.parametrize("text", blocks("toml"))
def test_toml_example_is_a_valid_connector(text, tmp_path):
    file = tmp_path / "connector.toml"
    file.write_text(text, "utf-8")
    assert load(str(file)).model.id


@pytest.mark.parametrize("text", blocks("console"))
def test_console_example_ends_well(text, tmp_path):
    (tmp_path / "connector.py").write_text(ACME, "utf-8")
    (tmp_path / ".codex").mkdir()
    (tmp_path / ".codex" / "config.toml").write_text('model = "gpt-5"\n', "utf-8")
    kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}
    for line in text.splitlines():
        if line.startswith("$ agent-connector "):
            done = subprocess.run(
                [sys.executable, "-m", "agent_connector", *shlex.split(line)[2:]],
                cwd=tmp_path,
                env={**kept, "HOME": str(tmp_path), "USERPROFILE": str(tmp_path)},
                capture_output=True,
                text=True,
                timeout=120,
                check=False,
            )
            assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"


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
