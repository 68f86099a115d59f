"""How lines of a log and other things are written."""

import pytest

from agent_connector.board import page_log, page_words
from agent_connector.board.readers import Event


@pytest.mark.parametrize(
    ("type", "payload", "head", "text"),
    [
        ("said", {"text": "hello\nthere"}, "", "hello\nthere"),
        ("called", {"tool": "Bash", "arguments": {"command": "ls -la", "timeout": 5}}, "Bash", "ls -la"),
        ("called", {"tool": "shell", "arguments": {"command": ["git", "status"]}}, "shell", "git status"),
        (
            "called",
            {"tool": "mcp__n__read", "name": "read", "arguments": {"path": "a", "n": 2}},
            "read",
            "path: a\nn: 2",
        ),
        ("called", {"kind": "edit", "title": "Edit a.py"}, "Edit a.py", ""),
        ("returned", {"output": "fine"}, "", "fine"),
        ("returned", {"output": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}, "", "a\nb"),
        ("returned", {"output": {"content": [{"text": "deep"}]}, "failed": True}, "failed", "deep"),
        ("returned", {"output": {"x": 1}}, "", '{\n  "x": 1\n}'),
        ("returned", {}, "", ""),
        ("noticed", {"kind": "retry", "text": "busy"}, "retry", "busy"),
        ("spent", {"usage": {"input": 1}, "cost_usd": 0.004}, "$0.0040", ""),
        ("finished", {"ok": False, "reason": "stall", "cost_usd": 1}, "$1.00", "stall"),
        ("line", {"text": "x\x1b[31m"}, "", "x\ufffd[31m"),
        ("something new", {"a": [1]}, "", '{\n  "a": [\n    1\n  ]\n}'),
        ("status", {"state": "parked"}, "", '{\n  "state": "parked"\n}'),
    ],
)
def test_an_event_as_a_line(type: str, payload: dict[str, object], head: str, text: str) -> None:
    line = page_log.line(Event(4, "2026-12-01T02:48:07.123Z", type, "host", payload))
    assert (line.seq, line.time, line.type, line.head, line.text) == (4, "02:48:07", type, head, text)


def test_a_line_of_a_megabyte_is_cut_and_says_so() -> None:
    line = page_log.line(Event(1, "", "line", "stdout", {"text": "x" * 1_000_000}))
    assert len(line.text) < 21_000 and line.text.endswith("[980000 more characters]")


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0, "0 seconds"),
        (1, "1 second"),
        (59, "59 seconds"),
        (90, "1 minute"),
        (7200, "2 hours"),
        (86_400 * 3, "3 days"),
    ],
)
def test_spans(seconds: float, words: str) -> None:
    assert page_words.span(seconds) == words


def test_times_that_are_none_and_money() -> None:
    assert page_words.ago(lambda: 100.0)("not a time") == "1 minute"
    assert [page_words.money(amount) for amount in (None, 0, 0.005, 1234.5)] == [
        "\N{EN DASH}",
        "$0.00",
        "$0.0050",
        "$1,234.50",
    ]


def test_a_worker_s_mark_is_not_shown_and_all_else_is() -> None:
    mark = "<!-- agent-connector run=r outcome=succeeded letter=x-1 -->"
    assert page_words.comment(f"Done.\n\n{mark}") == "Done."
    assert page_words.comment(f"> {mark}\nWhat is that?") == f"> {mark}\nWhat is that?"
