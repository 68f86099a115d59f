"""What a worker finds on its machine: hosts, the keys of their models, logins whose tokens nobody is to see."""

import json
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.worker.cli.conftest import Live

from agent_connector.board import tasks
from agent_connector.drive.hosts import FACETS
from agent_connector.worker import credentials, crew, daemon
from agent_connector.worker.credentials import Credentials
from agent_connector.worker.values import Result

Run = Callable[..., tuple[int, str, str]]
TOKEN = "Qx7-" + "opaque." * 6


@pytest.fixture
def own(home: Path, live: Live, run: Run, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with a worker that is set up, and with no host, key or login."""
    for facet in FACETS().values():
        for name in facet.KEYS:
            monkeypatch.delenv(name, raising=False)
    (home / "bin").mkdir()
    monkeypatch.setenv("PATH", f"{home}/bin:/usr/bin:/bin")
    assert run("setup", str(home / "work"), "--adapter", "codex")[0] == 0
    folder = home / ".agent-connector/worker"
    credentials.save(str(folder / "credentials"), Credentials(live.url, live.key()))
    path = folder / "connector.yml"
    path.write_text(path.read_text().replace("# doneStatus: review ", "doneStatus: done "))
    return home


def host(home: Path, program: str) -> None:
    path = home / "bin" / program
    path.write_text("#!/bin/sh\nexit 1\n")
    path.chmod(0o755)


def login(home: Path, name: str, value: Any) -> None:
    path = home / name
    path.parent.mkdir(parents=True)
    path.write_text(value if isinstance(value, str) else json.dumps(value))


@pytest.mark.parametrize(
    ("program", "name", "value"),
    [
        ("codex", ".codex/auth.json", {"tokens": [{"access": TOKEN}], "model": "a-model-with-a-long-name"}),
        ("goose", ".config/goose/secrets.yaml", f"ANY_API_KEY: {TOKEN}\n"),
    ],
)
def test_the_tokens_of_a_login_are_not_told(
    own: Path, live: Live, run: Run, monkeypatch: pytest.MonkeyPatch, program: str, name: str, value: object
):
    host(own, program)
    login(own, name, value)

    async def runner(given: Any, emit: Any, stop: object) -> Result:
        emit("said", "host", {"text": f"I found {TOKEN}"})
        return Result("succeeded", f"it is {TOKEN} of a-model-with-a-long-name")

    @asynccontextmanager
    async def hire(*given: object) -> AsyncGenerator[daemon.Crew]:
        yield daemon.Crew(runner, (program,), str(own / "runs"))

    monkeypatch.setattr(crew, "hire", hire)
    task = live.store.write(tasks.add, title=TOKEN, by="ada@example.com")
    code, out, err = run("run", "--once")
    assert code == 0 and TOKEN not in out + err
    said = live.store.read(tasks.said, task.id)[-1].body
    assert "it is [redacted" in said and "of a-model-with-a-long-name" in said


def test_without_a_key_or_login_it_does_not_start(own: Path, run: Run):
    path = own / ".agent-connector/worker/connector.yml"
    path.write_text(path.read_text().replace("kind: auto", "kind: none"))
    host(own, "codex")
    code, out, err = run("run")
    assert code == 1 and "no key for codex" in out + err and "OPENAI_API_KEY" in err
    host(own, "claude")
    assert run("run")[0] == 1
    login(own, ".claude/.credentials.json", {"accessToken": TOKEN})  # of another host: roles may name that one
    code, out, err = run("run", "--once")
    assert code == 0 and err.count("no key for codex") == 1 and "name them: claude-code" in err
    assert "NO sandbox" in err and "reach every host" in err and "network: model" not in err
