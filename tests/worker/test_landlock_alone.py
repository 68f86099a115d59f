"""A machine whose only sandbox is Landlock: hosts that do not run in it over ACP are told in words, before anything is tried."""

import asyncio
import json
from dataclasses import replace
from pathlib import Path

import pytest
from tests.worker.test_guarding import made, program  # noqa: F401 - fixtures

from agent_connector.worker import crew
from agent_connector.worker.canary import NotProven
from agent_connector.worker.config import Guard
from agent_connector.worker.sandbox.choose import kind
from agent_connector.worker.values import Stop

CANNOT = ("acp:opencode", "acp:kilo-cli", "acp:omp")


@pytest.mark.parametrize("host", CANNOT)
def test_why_and_what_helps_is_said_before_the_host_is_started(made, program: str, tmp_path: Path, host: str):  # noqa: F811
    guarding, _, _ = made
    noted = tmp_path / "started"
    Path(program).write_text(f"#!/bin/sh\ntouch {noted}\n")

    async def scene() -> None:
        async with guarding.egress:
            await guarding.prove(host, program, kind("landlock"), Stop())

    with pytest.raises(NotProven, match="cannot be run under Landlock") as caught:
        asyncio.run(scene())
    assert "bubblewrap" in str(caught.value)
    assert f"`{host.removeprefix('acp:')}` without `acp:`" in str(caught.value)
    assert caught.value.tried, "it is not to be tried again and again"
    assert not noted.exists()


def test_without_a_guard_it_is_said_too(made, program: str):  # noqa: F811
    guarding, _, _ = made
    said: list[str] = []
    guarding = replace(guarding, config=replace(guarding.config, guard=Guard(allow_unguarded=True)), say=said.append)

    async def scene() -> None:
        async with guarding.egress:
            await guarding.prove("acp:omp", program, kind("landlock"), Stop())

    asyncio.run(scene())
    assert [line for line in said if "WITHOUT a guard" in line and "under Landlock" in line]


def test_the_first_lines_tell_who_can_work_and_who_cannot_and_why(tmp_path: Path):
    (tmp_path / ".codex").mkdir()
    (tmp_path / ".codex" / "auth.json").write_text(json.dumps({"tokens": {}}))
    here = dict.fromkeys(("claude-code", "codex", "opencode", "acp:opencode"), "/bin/x")
    keys = {"ANTHROPIC_API_KEY": "k" * 20, "OPENAI_API_KEY": "k" * 20}
    under = crew.described(here, kind("landlock"), {}, str(tmp_path))
    assert under[0] == "hosts: codex"
    assert under[1] == "here, but without a key or a login: claude-code, opencode"
    assert under[2].startswith("acp:opencode cannot be run under Landlock")
    assert crew.described(here, kind("bubblewrap"), keys, str(tmp_path)) == [
        "hosts: claude-code, codex, opencode, acp:opencode"
    ]
    assert crew.described({}, kind("none"), {}, str(tmp_path)) == ["hosts: none"]
