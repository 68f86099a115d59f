"""The guard of a worker's runs: armed on clean ground alone, and looked at again."""

import asyncio
import os
from dataclasses import replace
from pathlib import Path

import pytest

from agent_connector.errors import GuardError
from agent_connector.worker import canary, private_home
from agent_connector.worker.canary import NotProven
from agent_connector.worker.config import Config, Ergonomics, Guard
from agent_connector.worker.egress.proxy import Egress
from agent_connector.worker.guard.values import Verdict
from agent_connector.worker.guarding import Guarding
from agent_connector.worker.private_home import Place
from agent_connector.worker.sandbox.choose import kind
from agent_connector.worker.values import Stop
from agent_connector.worker.workspace import Workspace


@pytest.fixture
def made(tmp_path: Path) -> tuple[Guarding, Place, Workspace]:
    work = tmp_path / "work"
    work.mkdir()
    config = Config(str(work), str(tmp_path / "state"), Ergonomics(str(tmp_path / "kill")))
    runs = str(tmp_path / ("a home of a long name, " * 8))
    os.mkdir(runs, 0o700)
    guarding = Guarding(config, dict(os.environ), str(tmp_path / "person"), runs, Egress(), lambda text: None)
    return guarding, private_home.place(runs, "t"), Workspace(str(work), False)


@pytest.fixture
def program(tmp_path: Path) -> str:
    """It says its version, and then never ends."""
    path = tmp_path / "host"
    path.write_text('#!/bin/sh\n[ "$1" = --version ] && echo 1.0 && exit\ntouch "$HOME/began"\nsleep 100 & wait\n')
    path.chmod(0o755)
    return str(path)


async def began(guarding: Guarding) -> None:
    while not list(Path(guarding.runs).glob("canary-*/home/began")):
        await asyncio.sleep(0.02)


def left(guarding: Guarding) -> list[str]:
    return [name for name in os.listdir(guarding.runs) if name.startswith("canary-")]


def test_a_stop_ends_a_proof_and_those_that_wait_for_it_without_a_word(made, program):
    guarding, _, _ = made

    async def scene() -> None:
        async with guarding.egress:
            first, second = Stop(), Stop()
            running = asyncio.create_task(guarding.prove("codex", program, kind("none"), first))
            await began(guarding)
            waiting = asyncio.create_task(guarding.prove("codex", program, kind("none"), second))
            await asyncio.sleep(0)
            second.set("moved")
            await waiting
            assert not running.done()
            first.set("kill-switch")
            await running
            assert left(guarding) == []
            again = Stop()
            running = asyncio.create_task(guarding.prove("codex", program, kind("none"), again))  # nothing was proven
            await began(guarding)
            running.cancel()
            with pytest.raises(asyncio.CancelledError):
                await running
            assert again.reason == "shutdown"
            assert left(guarding) == []

    asyncio.run(asyncio.wait_for(scene(), 60))


def test_a_host_that_could_not_be_tried_is_told_from_one_that_does_not_deny(made, tmp_path):
    guarding, _, _ = made
    program = tmp_path / "host"
    program.write_text("#!/bin/sh\necho 1.0\n")
    program.chmod(0o755)

    async def scene() -> None:
        async with guarding.egress:
            await guarding.prove("codex", str(program), kind("none"), Stop())

    with pytest.raises(NotProven, match="never got to the canary's call") as caught:
        asyncio.run(scene())
    assert not caught.value.tried


def test_a_host_that_could_not_be_tried_runs_unguarded_only_until_it_can(made, tmp_path, monkeypatch):
    """It is tried again before a run, not before each; one that was found wanting is not tried again."""
    guarding, place, work = made
    time, said, tried = [1000.0], [], []
    allowed = replace(guarding.config, guard=Guard(allow_unguarded=True))
    guarding = replace(guarding, config=allowed, say=said.append, now=lambda: time[0])
    answers = [Verdict(False, canary.UNTRIED, "too slow")] * 2 + [Verdict(True, "canary", "it denied")]

    async def proven(host, program, enter, folder, proofs, proof, **more):
        tried.append(time[0])
        return answers.pop(0)

    monkeypatch.setattr(canary, "proven", proven)
    program = tmp_path / "host"
    program.write_text("#!/bin/sh\necho 1.0\n")
    program.chmod(0o755)

    async def armed() -> bool:
        await guarding.prove("codex", str(program), kind("none"), Stop())
        async with guarding.arm("codex", place, work, lambda denied: None) as guard:
            return bool(guard.host)

    async def scene() -> list[bool]:
        seen = []
        for passes in (0, 59, 2, 118, 3, 7200):
            time[0] += passes
            seen.append(await armed())
        answers.append(Verdict(False, "canary", "it ran a forbidden command"))
        program.write_text("#!/bin/sh\necho 2.0.0\n")
        for passes in (0, 7200):
            time[0] += passes
            seen.append(await armed())
        return seen

    assert asyncio.run(scene()) == [False, False, False, False, True, True, False, False]
    assert tried == [1000, 1061, 1182, 8382]
    assert [line.split(" ", 1)[1] for line in said if "seeing" not in line] == [
        "runs WITHOUT a guard, as `guard.allowUnguarded` says: too slow",
        "could not be tried; before a run in 1 min or later it is tried again",
        "could not be tried; before a run in 2 min or later it is tried again",
        "runs with its guard from now on",
        "runs WITHOUT a guard, as `guard.allowUnguarded` says: it ran a forbidden command",
    ]


def test_a_host_without_a_guard_is_not_tried_again(made, tmp_path):
    guarding, _, _ = made
    said = []
    allowed = replace(guarding.config, guard=Guard(allow_unguarded=True))
    guarding = replace(guarding, config=allowed, say=said.append)
    program = tmp_path / "host"
    program.write_text("#!/bin/sh\necho 1.0\n")
    program.chmod(0o755)

    async def scene() -> None:
        await guarding.prove("cline", str(program), kind("none"), Stop())

    asyncio.run(scene())
    assert "cannot be guarded" in said[-1]


def test_another_configuration_needs_another_proof(made):
    guarding, _, _ = made
    told = {guarding._told(host) for host in ("codex", "gemini-cli", "acp:codex", "acp:gemini-cli")}
    for change in ({"inherit_home": True}, {"guard": Guard(allow_unguarded=True)}):
        told.add(replace(guarding, config=replace(guarding.config, **change))._told("codex"))
    assert len(told) == 6


def test_a_run_in_a_project_that_turns_the_guard_off_does_not_begin(made):
    guarding, place, work = made

    async def scene() -> None:
        async with guarding.arm("gemini-cli", place, work, lambda denied: None):
            pass

    asyncio.run(scene())
    os.mkdir(os.path.join(work.path, ".gemini"))
    Path(work.path, ".gemini", "settings.json").write_text('{"hooksConfig": {"enabled": false}}')
    with pytest.raises(GuardError, match=r"hooksConfig\.enabled"):
        asyncio.run(scene())


def test_a_guard_that_the_run_changed_is_found_out(made):
    guarding, place, work = made

    async def scene() -> None:
        async with guarding.arm("kimi", place, work, lambda denied: None) as armed:
            guarding.check(armed, place)
            os.unlink(armed.locked[0])
            Path(armed.locked[0]).write_text("")
            with pytest.raises(GuardError, match="changed"):
                guarding.check(armed, place)

    asyncio.run(scene())
