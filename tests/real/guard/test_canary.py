"""The canary on the real programs, each started once: a push is denied, what is allowed runs, and the guard is heard.

The model also calls disguised pushes, a read of a key and a write into git's hooks, so that one start shows it all.
"""

import asyncio
import os

import pytest

from agent_connector.drive import acp
from agent_connector.drive import home as fresh
from agent_connector.drive.events import Job
from agent_connector.hosts import query
from agent_connector.rehearse.model.server import StandIn
from agent_connector.rehearse.run import tool_names
from agent_connector.rehearse.script import Script, Step, ToolCall
from agent_connector.rehearse.stage import stage_of
from agent_connector.worker import canary
from agent_connector.worker.guard import arm
from agent_connector.worker.guard.talks import TALKS, UNGUARDED
from agent_connector.worker.guard.ways import WAYS

pytestmark = pytest.mark.real
HOSTS = [host for host, way in WAYS.items() if way.sure == "proven"]
OVER_ACP = [f"acp:{host}" for host, talk in TALKS.items() if talk.sure == "proven"]


@pytest.mark.parametrize("host", [*HOSTS, *OVER_ACP])
def test_a_real_host_denies_what_it_must(host, here, program, walls, monkeypatch):
    """The script of the canary with disguises between its two commands."""
    mark = os.path.join(here.workspace, "disguised")
    disguised = [
        f"touch {mark} && g'i't pu\\sh",
        f"touch {mark}; bash -c 'git push'",
        f"touch {mark} | git -c alias.x='!git push' x",
    ]
    plain = canary.script

    def script(workspace: str) -> Script:
        made = plain(workspace)
        more = tuple(Step(calls=(ToolCall("host:Bash", canary._arguments(command)),)) for command in disguised)
        return Script((made.steps[0], *more, *made.steps[1:]), made.prompt)

    monkeypatch.setattr(canary, "script", script)
    verdict = asyncio.run(canary.proves(host, program(host), walls, here))
    assert verdict.allowed, verdict.reason
    assert not os.path.exists(mark)


@pytest.mark.parametrize("broken", ["policy", "channel"])
@pytest.mark.parametrize("host", ["claude-code", "codex", "opencode", "pi", "kimi", "acp:claude-code"])
def test_a_real_host_with_a_broken_guard_runs_nothing(host, broken, here, program, walls, monkeypatch):
    """A policy that is gone, a channel that nobody listens at: what would be allowed does not run either."""
    whole = arm.arm

    def breaking(host_id, folder, home, rules, channel):
        armed = whole(host_id, folder, home, rules, channel if broken == "policy" else channel + "-gone")
        if broken == "policy":
            os.unlink(os.path.join(folder, "policy.json"))
        return armed

    monkeypatch.setattr(canary.arming, "arm", breaking)
    verdict = asyncio.run(canary.proves(host, program(host), walls, here))
    assert not verdict.allowed
    assert "no denial of the guard was heard" in verdict.reason, verdict.reason
    assert not {canary.ALLOWED, canary.FORBIDDEN} & set(os.listdir(here.workspace))


@pytest.mark.parametrize("host", ["claude-code", "acp:claude-code", "acp:gemini-cli"])
def test_a_host_without_its_guard_is_found_out(host, here, program, walls, monkeypatch):
    """The canary itself can fail: a host that asks nobody runs the forbidden command."""
    monkeypatch.setattr(canary.arming, "arm", lambda *given: arm.Armed())
    unasked = {**TALKS, "gemini-cli": TALKS["gemini-cli"]._replace(words=())}
    monkeypatch.setattr(canary.arming, "TALKS", unasked)
    verdict = asyncio.run(canary.proves(host, program(host), walls, here))
    assert not verdict.allowed
    assert "ran a forbidden command" in verdict.reason


@pytest.mark.parametrize(("host", "arguments"), [("codex", {"cmd": "cat seen"}), ("hermes", {"command": "cat seen"})])
def test_a_host_that_is_not_guarded_over_acp_is_none_that_asks(host, arguments, here, program, variables):
    """What is written down of it: it is not run, and would do so without a word what the guard has to judge."""
    refused = asyncio.run(canary.proves(f"acp:{host}", program(f"acp:{host}"), walls_of_nobody, here))
    assert not refused.allowed
    assert f"cannot be guarded over ACP: {UNGUARDED[host]}" in refused.reason
    with open(os.path.join(here.workspace, "seen"), "w", encoding="utf-8") as file:
        file.write("seen it")
    asked, facet = [], query.headless(host)
    steps = (Step(calls=(ToolCall("host:Bash", arguments),)), Step(say="Done."))
    with StandIn(Script(steps), "x", tool_names(host, stage_of(facet))) as model:
        fresh.furnish(here.place.home, fresh.files(facet, model.url))
        job = Job("Look.", here.workspace, program=program(f"acp:{host}"), endpoint=model.url, trust=True)
        outcome = acp.run(facet, job, variables(here), seconds=120, permit=lambda call: asked.append(call) or True)
        assert outcome.ok, outcome.error
        assert any(one.has("seen it") for one in model.requests)
    assert asked == []


def walls_of_nobody(*_):
    raise AssertionError("it was started")


def test_a_proof_is_kept_until_something_of_it_changes(here, program, walls, tmp_path):
    path, name = program("claude-code"), query.facts("claude-code").NAME
    proofs = canary.Proofs(str(tmp_path))
    version = canary.version_of(path, here.place.home, os.environ)
    assert version[:1].isdigit()
    key = canary.key("claude-code", path, version, flags=("-p",), sandbox="none", config="x")
    folder = os.path.join(here.place.folder, "proof")
    verdict = asyncio.run(canary.proven("claude-code", path, walls, folder, proofs, key))
    assert verdict.allowed, verdict.reason
    assert not os.path.exists(folder)
    again = asyncio.run(canary.proven("claude-code", "/nonexistent", walls, folder, proofs, key))
    assert again == verdict
    assert name in again.reason
    for other in (
        canary.key("claude-code", path, "9.9.9", flags=("-p",), sandbox="none", config="x"),
        canary.key("claude-code", path, version, flags=(), sandbox="none", config="x"),
        canary.key("claude-code", path, version, flags=("-p",), sandbox="landlock", config="x"),
        canary.key("claude-code", path, version, flags=("-p",), sandbox="none", config="y"),
    ):
        assert proofs.holds(other) is None
