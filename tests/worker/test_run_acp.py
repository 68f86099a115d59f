"""A run over ACP from the assignment to the result: the agent is scripted, all else is as it is."""

import asyncio
import json
import os
import shlex
import sys
import tempfile
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import pytest

from agent_connector.board.values import Task
from agent_connector.home.folders import remove_tree
from agent_connector.worker import providers
from agent_connector.worker.config import Config, Ergonomics, Guard, Hitl
from agent_connector.worker.egress.proxy import Egress
from agent_connector.worker.guarding import Guarding
from agent_connector.worker.run import Shop, carry_out
from agent_connector.worker.sandbox.choose import kind
from agent_connector.worker.values import Assignment, Result, Session, Stop

AGENT = Path(__file__).parents[1] / "drive" / "acp_agent.py"
KEY = "the-key-of-the-model-0123456789"
TASK = Task("t1", "b", "Make it", "Then push it.", "todo", None, None, 0, "", "", None)


class Scene:
    """A worker's shop whose one host is the scripted agent."""

    def __init__(self, folder: Path, runs: str) -> None:
        self.folder, self.runs = folder, runs
        self.work = folder / "work"
        self.work.mkdir()
        self.said: list[tuple[str, str, Any]] = []
        self.began: list[Session] = []
        self.host = "acp:cline"
        self.warned: list[str] = []

    def warn(self, text: str) -> None:
        self.warned += [text.partition(",")[0]] if "WITHOUT" in text else []

    def program(self, how: str) -> str:
        path = self.folder / "agent"
        words = shlex.join([sys.executable, str(AGENT), how, str(self.folder / "notes")])
        path.write_text(f'#!/bin/sh\n[ "$1" = --version ] && echo 1.0 && exit\nexec {words}\n')
        path.chmod(0o755)
        return str(path)

    def run(self, how: str, *, session: Session | None = None, budget: float = 5.0, **more: Any) -> Result:
        """One assignment. `at` is called with the stop at each event."""
        at: Callable[[Stop, str], None] = more.pop("at", lambda stop, what: None)
        told = {"run_timeout_ms": 60_000, "kill_grace_ms": 500, **more}
        config = Config(
            str(self.work), str(self.folder / "s"), Ergonomics(str(self.folder / "k")), adapter=self.host, **told
        )
        variables = {
            "PATH": f"{self.folder}/bin{os.pathsep}{os.environ['PATH']}",
            "CLINE_API_KEY": KEY,
            "OPENAI_API_KEY": KEY,
        }

        async def go() -> Result:
            async with Egress() as egress:
                stop = Stop()

                def emit(what: str, channel: str, payload: Any) -> None:
                    self.said.append((what, channel, payload))
                    at(stop, what)

                guarding = Guarding(config, variables, str(self.folder), self.runs, egress, self.warn)
                prove = guarding.prove if "guard" in more else unproven
                guard = (guarding.arm, prove, guarding.check)
                programs = {self.host: self.program(how)}
                shop = Shop(
                    config,
                    variables,
                    str(self.folder),
                    self.runs,
                    egress,
                    kind("none"),
                    providers.facets(),
                    programs,
                    *guard,
                )
                given = Assignment(TASK, "r1", None, (), None, session, budget, began=self.began.append)
                return await carry_out(shop, given, emit, stop)

        return asyncio.run(asyncio.wait_for(go(), 120))

    def notes(self, method: str) -> list[Any]:
        lines = (self.folder / "notes").read_text().splitlines()
        return [note.get("params") for note in map(json.loads, lines) if note.get("method") == method]


async def unproven(*_: object) -> None:
    """As if the host had been proven."""


@pytest.fixture
def scene(tmp_path: Path) -> Generator[Scene]:
    runs = tempfile.mkdtemp(prefix="ac-")  # a short path: systems allow a socket some 100 characters
    yield Scene(tmp_path, runs)
    remove_tree(runs)


def test_what_is_allowed_is_done_and_a_push_is_a_persons_matter(scene: Scene) -> None:
    result = scene.run("pushes")
    assert (result.status, result.host, result.session) == ("awaiting_human", "acp:cline", Session("acp:cline", "s-1"))
    assert scene.began == [result.session]
    assert result.escalation is not None and result.escalation.kind == "push"
    assert "the guard denied `git push origin main`" in (result.reason or "")
    assert (scene.work / "made.txt").read_text() == "made\n"
    [denied] = [payload for what, _, payload in scene.said if what == "noticed" and payload["kind"] == "denied"]
    assert (denied["rule"], denied["command"]) == ("git-push", "git push origin main")
    kinds = [what for what, channel, _ in scene.said if channel == "host"]
    assert kinds == ["started", "said", "called", "returned", "called", "returned", "finished"]
    [prompt] = scene.notes("session/prompt")
    assert "|   Then push it." in prompt["prompt"][0]["text"]
    assert KEY not in (scene.folder / "notes").read_text() + json.dumps(scene.said)


def test_a_session_is_loaded_and_where_that_cannot_be_a_new_one_begins(scene: Scene) -> None:
    result = scene.run("plain", session=Session("acp:cline", "s-1"))
    assert (result.status, len(scene.notes("session/load")), scene.notes("session/new")) == ("succeeded", 1, [])
    result = scene.run("plain", session=Session("cline", "s-1"))  # of a run that was not over ACP
    assert (result.status, len(scene.notes("session/load")), len(scene.notes("session/new"))) == ("succeeded", 1, 1)
    result = scene.run("old", session=Session("acp:cline", "s-1"))
    assert (result.status, result.session) == ("succeeded", Session("acp:cline", "s-1"))
    assert any("cannot be gone on with" in str(payload) for what, _, payload in scene.said if what == "status")


@pytest.mark.parametrize(("words", "kept"), [((), 0), (("on it",), 1)])
def test_the_home_of_a_session_stays_while_a_person_may_be_asked(
    scene: Scene, words: tuple[str, ...], kept: int
) -> None:
    result = scene.run("plain", hitl=Hitl(risk_markers=words))
    assert (result.status, len(result.risky), len(os.listdir(scene.runs))) == ("succeeded", kept, kept)


def test_a_stop_cancels_the_turn(scene: Scene) -> None:
    result = scene.run("patient", at=lambda stop, what: stop.set("kill-switch") if what == "started" else None)
    assert (result.status, result.reason) == ("cancelled", "stopped: kill-switch")
    assert len(scene.notes("session/cancel")) == 1


def test_the_clock_the_silence_and_the_money_end_a_run(scene: Scene) -> None:
    result = scene.run("deaf", stall_timeout_ms=700)
    assert (result.status, result.reason) == ("timed_out", "it said nothing more")
    result = scene.run("deaf", run_timeout_ms=3_000)
    assert (result.status, result.reason) == ("timed_out", "it took too long")
    result = scene.run("costly", budget=0.9)
    assert (result.status, result.escalation and result.escalation.kind) == ("awaiting_human", "spend")
    assert (result.cost_usd, result.cost_source) == (1.0, "host-reported")


def test_a_host_that_does_not_ask_is_run_where_that_is_allowed_and_said(scene: Scene) -> None:
    scene.host = "acp:codex"
    result = scene.run("pushes", guard=Guard())
    assert (result.status, result.started) == ("cancelled", False)
    assert "Codex CLI cannot be guarded over ACP" in (result.reason or "")
    assert not (scene.folder / "notes").exists()
    git = scene.folder / "bin" / "git"  # the push of an agent without a guard reaches this one
    git.parent.mkdir()
    git.write_text("#!/bin/sh\ntouch pushed\n")
    git.chmod(0o755)
    result = scene.run("pushes", guard=Guard(allow_unguarded=True))
    assert result.status == "succeeded"
    assert {"made.txt", "pushed"} <= set(os.listdir(scene.work))
    assert scene.warned == ["acp:codex runs WITHOUT a guard"]
