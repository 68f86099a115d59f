"""The app and the CLI read one file: one entry, one firing, and each handler is asked by the host that it names."""

import json
import subprocess
from pathlib import Path

import pytest

from agent_connector.connector.load import load
from agent_connector.deploy.install import install
from agent_connector.deploy.uninstall import uninstall
from agent_connector.hosts.machine import Machine

CONNECTOR = """
from agent_connector import Connector, context, deny, stdio
connector = Connector("acme-db", server=stdio("acme-db"))

@connector.hook("PreToolUse", matcher="host:Bash")
def watch(event):
    return deny("no " + event.host)

@connector.hook("PreToolUse", matcher="host:Bash", host="antigravity-cli")
def cli(event):
    return deny("only " + event.host)

@connector.hook("Stop")
def end(event):
    return None

@connector.hook("SessionStart")
def begin(event):
    return context("mind the limits")
"""
BOTH = ["antigravity", "antigravity-cli"]


class Home:
    def __init__(self, folder: Path) -> None:
        self.folder, self.root = folder, str(folder / ".agent-connector")
        file = folder / "acme" / "connector.py"
        file.parent.mkdir()
        file.write_text(CONNECTOR)
        self.loaded = load(str(file))
        self.hooks = folder / ".gemini" / "config" / "hooks.json"

    def machine(self) -> Machine:
        return Machine(str(self.folder), "linux", {"HOME": str(self.folder)}, None)

    def install(self, *hosts: str) -> None:
        put = install(self.loaded, machine=self.machine(), root=self.root, hosts=list(hosts), scope="user")
        assert not put.report.failed

    def uninstall(self, **only: object) -> None:
        uninstall(machine=self.machine(), root=self.root, connector="acme-db", **only)

    def entry(self, event: str) -> dict:
        return json.loads(self.hooks.read_text())["agent-connector-acme-db"][event]

    def fire(self, event: str, payload: dict) -> dict:
        [entry] = self.entry(event)
        command = entry.get("command") or entry["hooks"][0]["command"]
        done = subprocess.run(
            ["/bin/sh", "-c", command],
            input=json.dumps(payload),
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
            env={"HOME": str(self.folder), "PATH": "/usr/bin:/bin"},
        )
        assert done.returncode == 0
        return json.loads(done.stdout)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("AGENT_CONNECTOR_DATA_DIR", raising=False)
    return Home(tmp_path)


def shell(folder: str) -> dict:
    path = f"/home/user/.gemini/{folder}/brain/c/t.jsonl"
    return {"conversationId": "c", "transcriptPath": path, "toolCall": {"name": "run_command", "args": {}}}


def test_one_entry_whichever_is_installed_first(home):
    home.install("antigravity-cli")
    first = home.hooks.read_text()
    home.install("antigravity")
    assert home.hooks.read_text() == first
    home.uninstall(hosts=["antigravity-cli"])
    assert home.hooks.read_text() == first, "the app still wants it"
    home.uninstall()
    assert not home.hooks.exists()


def test_a_handler_is_asked_by_the_host_whose_event_it_is(home):
    home.install(*BOTH)
    assert home.fire("PreToolUse", shell("antigravity")) == {"decision": "deny", "reason": "no antigravity"}
    assert home.fire("PreToolUse", shell("antigravity-cli")) == {"decision": "deny", "reason": "only antigravity-cli"}


def test_a_text_before_the_first_call_of_a_model_and_an_empty_answer_before_the_next(home):
    home.install(*BOTH)
    first = {"conversationId": "c", "initialNumSteps": 1}
    assert home.fire("PreInvocation", first) == {"injectSteps": [{"ephemeralMessage": "mind the limits"}]}
    assert home.fire("PreInvocation", {**first, "invocationNum": 4}) == {}


def test_whatever_breaks_a_call_is_answered(whole_copies, home):
    """The engine denies every call that a hook does not answer."""
    home.install(*BOTH)
    allow = {"decision": "allow"}
    other = {**shell("antigravity"), "toolCall": {"name": "view_file", "args": {}}}
    assert home.fire("PreToolUse", other) == allow
    assert home.fire("Stop", {"conversationId": "c"}) == {}
    versions = home.folder / ".agent-connector" / "versions"
    for bundle in versions.rglob("bundle.*"):
        bundle.unlink()
    for module in versions.glob("*/agent_connector/hosts/antigravity"):
        module.rename(module.with_name("gone"))
    assert home.fire("PreToolUse", shell("antigravity")) == allow
    versions.rename(versions.with_name("gone"))
    assert home.fire("PreToolUse", shell("antigravity")) == allow
    assert home.fire("Stop", {"conversationId": "c"}) == {}
    launcher = home.folder / ".agent-connector" / "bin" / "agent-connector"
    launcher.unlink()
    assert home.fire("PreToolUse", shell("antigravity")) == allow
    assert home.fire("Stop", {"conversationId": "c"}) == {}
