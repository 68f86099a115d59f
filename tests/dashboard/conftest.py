"""A scratch home with something in every book, and the page over it without a socket."""

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from agent_connector.cli.main import main
from agent_connector.dashboard import app
from agent_connector.telemetry import append

PORT = 8765
TOKEN = "t" * 43


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    for name in ("AGENT_CONNECTOR_DATA_DIR", "AGENT_CONNECTOR_TELEMETRY", "CLAUDE_CONFIG_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def root(home: Path) -> Path:
    return home / ".agent-connector"


@pytest.fixture
def call(root: Path) -> Callable[..., None]:
    """Append a row of a server's call."""

    def append_call(**fields: Any) -> None:
        row = {"t": time.time_ns() // 1_000_000, "scope": "call", "connector": "acme-db", "host": "codex",
               "surface": "server", "tool": "query", "session": "s1", "project": "aa11", "project_name": "shop",
               "source": "tokenizer-exact", "in": 10, "out": 100, "ms": 4.0}  # fmt: skip
        assert append.append(str(root), row | fields)

    return append_call


@pytest.fixture
def used(home: Path) -> Callable[..., None]:
    """Write an answer into a log of Claude Code and read the logs."""

    def write(model: str = "claude-sonnet-4-5", output: int = 1_000_000, number: int = 1) -> None:
        usage = {"input_tokens": 0, "output_tokens": output}
        moment = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime())
        message = {"id": f"msg_{number}", "model": model, "role": "assistant", "type": "message", "usage": usage}
        line = {"type": "assistant", "requestId": f"r{number}", "sessionId": "5e55", "cwd": "/w/shop", "uuid": str(number),
                "timestamp": moment, "version": "2.1.332", "message": {**message, "content": []}}  # fmt: skip
        file = home / ".claude" / "projects" / "-w-shop" / "5e55.jsonl"
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("a") as log:
            log.write(json.dumps(line, separators=(",", ":")) + "\n")
        assert main(["usage", "scan", "--json"]) == 0

    return write


@pytest.fixture
def page(root: Path, capsys: pytest.CaptureFixture[str]) -> TestClient:
    """The page, as a browser has it that opened the first address."""
    client = TestClient(app.make(str(root), TOKEN, PORT), base_url=f"http://127.0.0.1:{PORT}")
    assert client.get(f"/?token={TOKEN}").status_code == 200
    return client
