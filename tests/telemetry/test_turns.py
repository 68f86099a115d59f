"""Turns that hosts report: through the registered hook, from a payload as the real program sent it."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from agent_connector.cli.main import main
from agent_connector.home import paths
from agent_connector.telemetry import store

GOLDEN = Path(__file__).parents[1] / "golden" / "gemini-cli" / "turn.json"


def fire(home: Path, host: str, event: str, payload: object) -> None:
    launcher = paths.launcher_path(str(home))
    done = subprocess.run(
        [launcher, "hook", host, event, "--connector", "host-turns"],
        input=json.dumps(payload),
        env={**os.environ, "HOME": str(home)},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stdout.strip() in ("", "{}")


def turns(home: Path) -> list[tuple[object, ...]]:
    with store.book(str(home / "data")) as book:
        return book.execute(
            "SELECT host, session, tool, tokens_in, tokens_out, source FROM rows WHERE scope = 'model_turn'"
        ).fetchall()


@pytest.fixture
def on(home: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    settings = home / ".gemini" / "settings.json"
    settings.parent.mkdir()
    settings.write_text('{"theme": "dark"}\n')
    assert main(["telemetry", "turns", "on", "-t", "gemini-cli,cursor"]) == 0
    capsys.readouterr()
    return home


def test_the_last_chunk_of_an_answer_is_counted_once(on: Path) -> None:
    payload = json.loads(GOLDEN.read_text())["payload"]
    chunk = json.loads(json.dumps(payload))
    del chunk["llm_response"]["candidates"][0]["finishReason"]
    for one in (chunk, chunk, payload):
        fire(on, "gemini-cli", "AfterModel", one)
    assert turns(on) == [("gemini-cli", payload["session_id"], "gemini-2.5-flash", 1000, 20, "host-native")]


def test_a_response_in_cursor_is_counted(on: Path) -> None:
    payload = {"conversation_id": "c1", "workspace_roots": [str(on)], "model": "gpt-5", "text": "SECRET",
               "input_tokens": 300, "output_tokens": 21, "cache_read_tokens": 700, "cache_write_tokens": 0}  # fmt: skip
    fire(on, "cursor", "afterAgentResponse", payload)
    assert turns(on) == [("cursor", "c1", "gpt-5", 1000, 21, "host-native")]
    assert b"SECRET" not in b"".join(
        file.read_bytes() for file in (on / "data" / "telemetry").rglob("*") if file.is_file()
    )


@pytest.mark.parametrize(
    "payload", [{}, {"llm_response": 3}, {"llm_response": {"candidates": [], "usageMetadata": []}}]
)
def test_what_reports_nothing_counts_nothing(on: Path, payload: object) -> None:
    fire(on, "gemini-cli", "AfterModel", payload)
    assert turns(on) == []


def test_nothing_is_counted_while_counting_is_off(on: Path) -> None:
    assert main(["telemetry", "off"]) == 0
    fire(on, "gemini-cli", "AfterModel", json.loads(GOLDEN.read_text())["payload"])
    assert turns(on) == []


def test_off_brings_the_file_back(on: Path) -> None:
    assert "AfterModel" in (on / ".gemini" / "settings.json").read_text()
    assert main(["telemetry", "turns", "off"]) == 0
    assert (on / ".gemini" / "settings.json").read_text() == '{"theme": "dark"}\n'


def test_a_host_that_reports_none_is_refused(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["telemetry", "turns", "on", "-t", "codex"]) == 2
    assert "codex reports no turns in its hooks" in capsys.readouterr().err
