"""What a person sees: a mark where they may type, lines that stay apart, and nothing that moves the cursor behind it."""

import io

import pytest

from agent_connector.byoa.sessions.acp_screen import TerminalScreen
from agent_connector.byoa.sessions.acp_updates import Choice, Question, Step


class Terminal(io.StringIO):
    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    return Terminal()


def drawn(text: str) -> list[str]:
    """The lines as they stand at the end."""
    return [line.rpartition("\r\x1b[K")[2] for line in text.split("\n")]


def test_the_mark_stands_where_the_person_may_type(terminal: Terminal) -> None:
    screen = TerminalScreen(terminal)
    screen.note("ready")
    screen.over()
    assert drawn(terminal.getvalue()) == ["- ready", "> "]
    screen.note("an app has come")
    assert drawn(terminal.getvalue()) == ["- ready", "- an app has come", "> "]
    terminal.write("hello\n")  # the terminal shows what is typed
    screen.typed()
    screen.said("Hi ")
    screen.said("there.")
    screen.step(Step("1", "execute", "ls"))
    screen.thought("hm")
    screen.said("Done.")
    screen.over()
    assert drawn(terminal.getvalue())[2:] == ["> hello", "Hi there.", "* execute: ls", "hm", "Done.", "> "]


def test_a_log_has_no_mark_and_no_colour() -> None:
    log = io.StringIO()
    screen = TerminalScreen(log)
    screen.over()
    screen.typed()
    screen.prompt("[From Notes] #1\n\nWhat is new?\nAnd then?")
    screen.said("Nothing.")
    screen.over()
    assert log.getvalue() == "[From Notes] #1\n> What is new?\n> And then?\nNothing.\n"


def test_a_question_has_numbers(terminal: Terminal) -> None:
    choices = (Choice("a", "Yes", "allow_once"), Choice("b", "No", "reject_once"))
    TerminalScreen(terminal).ask(Question("write", "\n".join(map(str, range(20))), choices))
    lines = drawn(terminal.getvalue())
    assert lines[0] == "? write" and "    ... 8 more lines" in lines
    assert lines[-4:] == ["  1  Yes", "  2  No", "  answer with a number, 1 to 2", ""]


def test_words_of_others_do_not_move_the_cursor(terminal: Terminal) -> None:
    screen = TerminalScreen(terminal)
    screen.said("a\x1b[2J\x07b\r\u202ec")
    screen.note("\x1b]0;title\x07x")
    screen.step(Step("1", "execute", "\x1b[1A"))
    assert not set(terminal.getvalue()) & set("\x1b\x07\r\u202e")
