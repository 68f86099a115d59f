"""Lines in a terminal end between words; where nobody looks they are left as they are."""

import sys
from pathlib import Path

import pytest

from agent_connector.cli import output
from agent_connector.cli.main import main

ACME = str(Path(__file__).parents[2] / "examples" / "acme" / "connector.py")
PROSE = "note: somebody changed what stands there since it was written, and so it is left as it is"


@pytest.fixture
def terminal(monkeypatch, capsys):
    """stdout and stderr are a terminal of 40 columns; gives what it shows."""
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setattr(type(sys.stdout), "isatty", lambda stream: True)
    return lambda: "".join(capsys.readouterr())


def test_a_note_goes_on_below_itself(terminal):
    output.say(PROSE)
    lines = terminal().splitlines()
    assert " ".join(line.strip() for line in lines) == PROSE
    assert len(lines) == 3 and all(len(line) <= 40 for line in lines)
    assert all(line.startswith("  ") for line in lines[1:])


def test_the_last_column_goes_on_below_itself(terminal):
    output.columns([("codex", "hooks", "start codex once and trust the hooks there"), ("a", "b", "c")])
    assert terminal().splitlines() == [
        "  codex  hooks  start codex once and",
        "                trust the hooks there",
        "  a      b      c",
    ]


def test_colours_take_no_room(terminal):
    output.say(f"{output.paint('ok', 'ok')}  " + "x" * 36)
    assert len(terminal().splitlines()) == 1


def test_a_word_stays_whole(terminal):
    path = "/a/" + "very" * 20 + "/long/path"
    output.say(f"it stands in {path} and will stay")
    assert terminal().splitlines() == ["it stands in", f"  {path}", "  and will stay"]


def test_what_is_to_be_copied_stays_whole(terminal):
    output.verbatim(PROSE)
    output.complain("it failed\n  Run it by hand to see more:\n    " + PROSE)
    assert terminal().count(PROSE) == 2


def test_an_error_is_broken_between_words_too(terminal):
    output.complain(PROSE)
    assert all(len(line) <= 40 for line in terminal().splitlines())


def test_nothing_is_broken_where_nobody_looks(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    output.say(PROSE)
    output.complain(PROSE)
    assert capsys.readouterr() == (PROSE + "\n", f"agent-connector: {PROSE}\n")


def test_an_install_fits_into_a_terminal(home, terminal, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    assert main(["install", "-c", ACME, "-t", "codex", "--dry-run"]) == 0
    lines = terminal().splitlines()
    assert len(lines) > 10 and all(len(line) <= 80 for line in lines)
