"""Names that anybody may have chosen (tools, models, sessions, folders) cannot steer the terminal that shows them."""

import json
import sys
import time
import unicodedata

import pytest

from agent_connector.cli import output
from agent_connector.cli.main import main
from agent_connector.telemetry import append

EVIL = "\x1b[31;5mred\x1b]0;title\x07\x9b2J\u202egpj\u200bzero\r\nforged: 1 token"
VERBS = (
    "telemetry report",
    "telemetry report --by session",
    "telemetry report --by project",
    "telemetry leaderboard --by host",
    "telemetry export",
    "usage scan",
    "usage report --by model --zone UTC",
    "usage report --by project",
    "usage sessions",
    "usage leaderboard --by session",
    "usage live --count 1",
    "usage export",
    "usage export --format ndjson",
    "leaderboard",
)


@pytest.fixture
def books(tmp_path, monkeypatch, capsysbinary):
    """A home whose logs and rows have such names in every place, and a terminal of 40 columns."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("AGENT_CONNECTOR_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setattr(type(sys.stdout), "isatty", lambda stream: True)
    row = dict.fromkeys(("connector", "host", "tool", "session", "project_name"), EVIL)
    for scope in ("call", "tool_defs", "model_turn"):
        counts = {"scope": scope, "surface": "server", "project": "p", "in": 5, "out": 700, "source": EVIL}
        assert append.append(str(tmp_path / "data"), {**row, **counts})
    usage = {"input_tokens": 1_000_000, "output_tokens": 5}
    stamp = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(time.time() - 60))
    told = {"id": "m", "model": EVIL, "role": "assistant", "usage": usage}
    line = {"type": "assistant", "sessionId": EVIL, "cwd": "/work/" + EVIL, "requestId": "r", "timestamp": stamp}
    logs = tmp_path / ".claude" / "projects" / "-work"
    logs.mkdir(parents=True)
    (logs / "a.jsonl").write_text(json.dumps({**line, "uuid": "u", "message": told}) + "\n")


def steering(text: str) -> set[str]:
    """The letters of `text` that are not there to be read; our own colours and the screen of `live` are left out."""
    for ours in (*output.STYLES.values(), "0"):
        text = text.replace(f"\033[{ours}m", "")
    for ours in ("\r\033[K", "\033[?1049h\033[?25l", "\033[?25h\033[?1049l", "\033[H", "\033[K", "\033[J"):
        text = text.replace(ours, "")
    return {one for one in text if unicodedata.category(one) in ("Cc", "Cf", "Zl", "Zp")} - {"\n"}


@pytest.mark.parametrize("verb", VERBS)
def test_no_name_steers_the_terminal(books, capsysbinary, verb):
    assert main(verb.split()) == 0
    shown = b"".join(capsysbinary.readouterr()).decode().replace("\r\n", "\n")
    assert not steering(shown), verb
    if "export" not in verb:
        lines = shown.replace("\033[K", "").splitlines()
        assert not any(line.startswith("forged") for line in lines)
        assert all(len(line) <= 45 for line in lines if "\033" not in line), max(lines, key=len)


def test_an_error_of_a_server_does_not_either(books, capsysbinary):
    server = f"import sys; sys.stderr.write({EVIL.splitlines()[0]!r}); sys.exit(3)"
    assert main(["telemetry", "budget", "--", sys.executable, "-c", server]) == 1
    assert "\\u001b[31;5mred" in capsysbinary.readouterr().err.decode()
