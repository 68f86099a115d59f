"""The hook inside the sandboxes of this machine: it starts, sees its policy and its channel, and cannot be changed."""

import asyncio
import json
import os
import tempfile

import pytest

from agent_connector.home.folders import remove_tree
from agent_connector.worker import canary, private_home
from agent_connector.worker.guard import arm, policy
from agent_connector.worker.guard.denials import Denials
from agent_connector.worker.sandbox import bubblewrap, landlock, launch
from agent_connector.worker.sandbox.policy import Policy

KINDS = [kind for kind in (bubblewrap, landlock) if kind.probe().ok]


def registered(settings):
    with open(settings, encoding="utf-8") as stream:
        return json.load(stream)["hooks"]["PreToolUse"][0]["hooks"][0]["command"]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.NAME)
def test_the_hook_judges_inside_and_cannot_be_changed_there(kind):
    top = tempfile.mkdtemp(prefix="ac-", dir=os.path.expanduser("~"))
    folder = os.path.join(top, "a-home-with-a-name-that-is-longer-than-that-of-a-socket-may-be", "x" * 100)
    os.makedirs(folder)
    ground = canary.ground(folder)
    place = ground.place
    heard = []

    async def scene() -> tuple[bytes, bytes]:
        async with Denials(lambda verdict, tool, command: heard.append((verdict.rule, command))) as channel:
            socket = os.path.dirname(channel.path)
            rules = policy.rules(ground.workspace, place.home)
            armed = arm.arm("claude-code", place.guard, place.home, rules, channel.path)
            command = registered(armed.argv[1])
            walls = Policy(
                ground.workspace, place.home, readable=armed.readable, writable=(place.scratch,), network="none"
            )
            payload = {"cwd": ground.workspace, "tool_name": "Bash", "tool_input": {"command": "git push"}}
            script = f"( {command} ) <<'E'\n{json.dumps(payload)}\nE\nrm -f {place.guard}/policy.json"
            script += f" {channel.path}; mv {socket} {socket}-moved; echo > {place.guard}/x; echo > {socket}/x; true"
            start = launch.starter(kind, walls)
            process = start(["/bin/sh", "-c", script], ground.workspace, private_home.variables(place, os.environ, {}))
            out = await asyncio.to_thread(process.communicate, timeout=60)
            assert os.listdir(socket) == ["denials"]
            return out

    try:
        out, _ = asyncio.run(scene())
        assert json.loads(out)["hookSpecificOutput"]["permissionDecision"] == "deny"
        assert heard == [("git-push", "git push")]
        assert sorted(os.listdir(place.guard)) == ["policy.json", "settings.json"]
    finally:
        remove_tree(top)
