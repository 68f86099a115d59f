"""The real OpenClaw as a Gateway: what only one can show, and a config that comes back as it was.

One start: a client connects as the Control UI does, says three things, and decides about the calls that are asked for.
"""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.ports import free_port
from tests.real.conftest import DRIVEN, LIMIT
from tests.real.runs import PROGRAMS, SECRETS, call
from websockets.sync.client import ClientConnection, connect

from agent_connector.deploy.sources import Wanted, obtain
from agent_connector.drive import process
from agent_connector.hosts import query
from agent_connector.rehearse.evidence import hooks_seen, server_seen
from agent_connector.rehearse.install import install
from agent_connector.rehearse.model.server import StandIn
from agent_connector.rehearse.run import furnish, tool_names
from agent_connector.rehearse.scratch import Scratch, scratch
from agent_connector.rehearse.script import parse
from agent_connector.rehearse.stage import stage_of

pytestmark = pytest.mark.real

HOST, TOKEN, SESSION = "openclaw", "a-token", "agent:main:main"
MINE = "// What I keep, and how.\n"
USAGE = {"input": 800, "cache_read": 200, "output": 40, "reasoning": 10}
SCRIPT = parse(
    {
        "prompt": "unused",
        "usage": USAGE,
        "steps": [
            {"say": "That was quick."},
            {"say": "Now it is over."},
            *(call("probe", case) for case in ("refused", "allowed")),
            {"say": "Both were asked for."},
            {"say": "Planned."},
            {"say": "Planned again."},
        ],
    }
)


class Operator:
    """A client of the Gateway that may approve; `decisions` are given to what is asked, in order."""

    def __init__(self, line: ClientConnection, decisions: list[str]) -> None:
        self.line, self.decisions, self.asked = line, decisions, []
        self._ids = iter(range(1, 1000))
        client = {"id": "gateway-client", "version": "1.0.0", "platform": "linux", "mode": "backend"}
        scopes = ["operator.admin"]
        asked = {"minProtocol": 4, "maxProtocol": 4, "client": client, "role": "operator", "scopes": scopes}
        self._send(
            "connect", {**asked, "caps": ["approvals"], "commands": [], "permissions": {}, "auth": {"token": TOKEN}}
        )

    def say(self, text: str) -> str:
        """What is answered to `text`, when that turn is over."""
        run = f"run-{next(self._ids)}"
        self._send("chat.send", {"sessionKey": SESSION, "message": text, "idempotencyKey": run})
        while True:
            told = json.loads(self.line.recv(timeout=LIMIT))
            assert told.get("ok", True), told
            payload = told.get("payload") or {}
            if told.get("event") == "plugin.approval.requested":
                self.asked.append(payload["request"]["description"])
                self._send("plugin.approval.resolve", {"id": payload["id"], "decision": self.decisions.pop(0)})
            elif told.get("event") == "chat" and payload.get("runId") == run and payload["state"] in ("final", "error"):
                parts = (payload.get("message") or {}).get("content", [])
                return "".join(part.get("text", "") for part in parts)

    def _send(self, method: str, parameters: dict) -> None:
        told = {"type": "req", "id": str(next(self._ids)), "method": method, "params": parameters}
        self.line.send(json.dumps(told))


@contextmanager
def gateway(place: Scratch) -> Generator[int]:
    """A Gateway at a port of its own; at the end it is asked to stop, which ends its sessions."""
    port = free_port()
    words = ["gateway", "run", "--allow-unconfigured", "--auth", "token", "--bind", "loopback", "--port", str(port)]
    started = subprocess.Popen(
        [str(PROGRAMS / "openclaw"), *words],
        cwd=place.home,
        env={**place.environment, "OPENCLAW_GATEWAY_TOKEN": TOKEN},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    ready, lines = threading.Event(), []

    def read() -> None:
        for line in started.stdout:
            lines.append(line)
            if "[gateway] ready" in line:
                ready.set()

    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    try:
        assert ready.wait(LIMIT), "".join(lines)
        yield port
        started.terminate()
        assert started.wait(LIMIT) == 0, "".join(lines)
    finally:
        process.end(started, marks=place.marks)
        reader.join(LIMIT)
        started.stdout.close()


def openclaw(place: Scratch, *words: str) -> str:
    """One of the program's own commands in the scratch home."""
    return command(place, str(PROGRAMS / "openclaw"), *words)


def ours(place: Scratch, *words: str) -> str:
    """Our command there."""
    return command(place, sys.executable, "-m", "agent_connector", *words)


def command(place: Scratch, *argv: str) -> str:
    """What it printed."""
    done = subprocess.run(
        argv,
        cwd=place.project,
        env=dict(place.environment),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=LIMIT,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_gateway_asks_begins_ends_and_acts_and_everything_comes_back() -> None:
    variables = {**os.environ, "PATH": f"{PROGRAMS}{os.pathsep}{os.environ['PATH']}", **SECRETS}
    stage = stage_of(query.headless(HOST))
    names = tool_names(HOST, stage)
    with scratch(variables, {}) as place, StandIn(SCRIPT, "acme-db", names, stage.searched, stage.routed) as model:
        furnish(place, stage, model.url)
        config = Path(place.home, ".openclaw", "openclaw.json")
        config.write_text(MINE + config.read_text(encoding="utf-8"), encoding="utf-8")
        before = config.read_bytes()
        loaded = obtain(Wanted(str(Path(__file__).with_name("connector.py"))), root="", dry=True)
        installed = install(loaded, HOST, "user", place)
        assert {"server", "hooks", "skills", "memory", "actions"} <= set(installed.surfaces), installed
        assert "acme-db: 3 tools" in openclaw(place, "mcp", "probe")
        with gateway(place) as port, connect(f"ws://127.0.0.1:{port}", max_size=None, proxy=None) as line:
            person = Operator(line, ["deny", "allow-once"])
            person.say("Hello.")
            asks = person.say("/acme-db-sync all --now")
            assert 'Really? Send "/acme-db-sync all --now yes" to go on.' in asks
            assert "MARK synced in openclaw: ('all', '--now')" in person.say("/acme-db-sync all --now yes")
            person.say("Ask me.")
            person.say("/acme_plan now")
        assert person.asked == ["MARK may it?"] * 2
        assert [run.arguments["case"] for run in server_seen(place.records).runs] == ["allowed"]
        events = [hook.event for hook in hooks_seen(place.records, query.hooks(HOST), ["acme-db"])]
        assert [event.name for event in events if event.name.startswith("Session")] == ["SessionStart", "SessionEnd"]
        assert [event.stop_hook_active for event in events if event.name == "Stop"] == [False, True, False, False, True]
        assert [event.name for event in events].count("message_received") == 5
        [first, again, *_] = [one for one in model.requests if not one.side]
        assert first.has("MARK session", "system")
        assert again.has("MARK go on", "user") and not again.has("That was quick.")
        assert [one for one in model.requests if one.has("acme-plan (SKILL.md: ", "user")]
        assert not any(one.has("MARK command") for one in model.requests)
        assert openclaw(place, "config", "get", "ui.seamColor").strip() == "#336699"
        [row] = json.loads(ours(place, "usage", "report", "--json", "--by", "session"))["rows"]
        asked = len(model.requests)
        assert (row["host"], row["requests"]) == (HOST, asked)
        assert {kind: row["tokens"][kind] for kind in USAGE} == {kind: asked * count for kind, count in USAGE.items()}
        ours(place, "uninstall", "-c", "acme-db")
        assert config.read_bytes() == before
        left = [path for path in config.parent.rglob("*") if "acme" in path.name or path.name == "AGENTS.md"]
        assert left == []
    DRIVEN[HOST] |= {
        "mcp probe": "the server's tools are counted",
        "Gateway PreToolUse ask": "a person was asked: the call ran where they allowed it, and else did not",
        "Gateway SessionStart and SessionEnd": "once each",
        "Gateway Stop deny": "the agent went on once with the reason, and was told so; after a call it was not",
        "Gateway actions": "typed as a command with arguments, and after a yes, it runs the author's function",
        "Gateway commands": "/acme_plan told the model which skill to read, of which it is told nothing else",
        "native hooks": "message_received, at every message",
        "config patch": "the program reads the setting",
        "usage": "the log holds what the model had reported, request by request",
        "uninstall": "openclaw.json came back byte for byte, after a Gateway had run with it",
    }
