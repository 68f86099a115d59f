"""Where Pi reads, how a server is told to it, and how it runs without a person."""

import pytest

from agent_connector.connector.model import Command
from agent_connector.drive.events import Called, Finished, Job, Returned, Said, Spent, Started, Usage
from agent_connector.hosts.machine import Machine
from agent_connector.hosts.nodes import Refusal
from agent_connector.hosts.pi import content, headless, places, register
from agent_connector.testing.hosts import LAUNCHER, server_use

HOME = "/home/user/.pi/agent"


def machine(*present: str, **variables: str) -> Machine:
    return Machine("/home/user", "linux", variables, "/app", set(present).__contains__, lambda program: None)


def test_places():
    files = places.files("user", machine())
    assert (files["server"], files["hooks"], files["commands"]) == (
        f"{HOME}/mcp.json",
        f"{HOME}/extensions",
        f"{HOME}/prompts",
    )
    assert places.files("user", machine(PI_CODING_AGENT_DIR="/x"))["server"] == "/x/mcp.json"
    assert places.files("project", machine())["server"] == "/app/.pi/mcp.json"
    assert places.installed(machine(f"{HOME}/mcp.json"))["confidence"] == 0.8
    assert places.running({"AI_AGENT": "pi"}) and not places.running({"PI_CODING_AGENT_DIR": "/x"})


def test_a_server_s_tools_are_shown_to_the_model():
    use = server_use(
        args=("serve", "${env:ACME_URL}"),
        env={"TOKEN": "${env:TOKEN}", "URL": "x/${env:DB:-main}"},
        cwd="/srv",
        timeout=30,
    )
    assert register.entry(use) == {
        "command": LAUNCHER,
        "args": ["serve", "${env:ACME_URL}"],  # our launcher resolves what it inherits
        "env": {"URL": "x/${env:DB:-main}"},
        "cwd": "/srv",
        "timeout": 30,
        "exposure": "direct",
    }


def test_tools_are_picked_by_exposure():
    shown = register.entry(server_use(include_tools=("a", "b"), exclude_tools=("b",)))
    assert (shown["exposure"], shown["toolExposure"]) == ("hidden", {"a": "direct"})
    hidden = register.entry(server_use(exclude_tools=("b",)))
    assert (hidden["exposure"], hidden["toolExposure"]) == ("direct", {"b": "hidden"})


def test_a_remote_server():
    use = server_use(transport="http", bearer="ACME_TOKEN", enabled=False)
    assert register.entry(use) == {
        "url": "https://mcp.acme.example/mcp",
        "headers": {"Authorization": "Bearer ${ACME_TOKEN}"},
        "enabled": False,
        "exposure": "direct",
    }


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"transport": "sse"}, "no sse transport"),
        ({"transport": "http", "url": "https://${env:HOST}/mcp"}, "address"),
        ({"transport": "http", "headers": {"A": "${env:B:-c}"}}, "no default"),
        ({"env": {"A": "!rm -r /"}}, "in the place of"),
        ({"env": {"A": "${HOME}"}}, "in the place of"),
    ],
)
def test_what_cannot_be_said_is_refused(fields, why):
    refused = register.entry(server_use(**fields))
    assert isinstance(refused, Refusal) and why in refused.reason


def test_a_command_and_the_memory_file():
    [file] = content.command(Command("migrate", "Plan: $ARGUMENTS", "Plan a migration"), "/c")
    assert (file.file, file.text) == ("/c/migrate.md", "---\ndescription: Plan a migration\n---\n\nPlan: $ARGUMENTS\n")
    assert content.memory("user", machine()) == f"{HOME}/AGENTS.md"
    assert content.memory("user", machine(f"{HOME}/CLAUDE.md")) == f"{HOME}/CLAUDE.md"
    assert content.memory("project", machine("/app/AGENTS.md", "/app/AGENTS.override.md")) == "/app/AGENTS.override.md"


def test_a_run():
    job = Job("say hi", "/p", endpoint="http://127.0.0.1:9", trust=True, resume="s1")
    assert headless.argv(job) == [
        *("pi", "--mode", "json", "-p", "--approve", "--model", "stand-in/stand-in", "--session", "s1", "say hi"),
    ]
    assert headless.argv(Job("x", "/p", model="anthropic/claude"))[4:] == ["--model", "anthropic/claude", "x"]
    assert '"baseUrl": "@MODEL@/v1"' in headless.HOME_FILES[".pi/agent/models.json"]


def test_a_recorded_run(stream):
    events = [event for line in stream for event in headless.read(line)]
    assert events[0] == Started("01a22d38-6a08-7774-8b81-2c9ab9260b91", cwd="/home/user/project")
    assert events[1:4] == [
        Spent(Usage(input=301, cache_read=700, output=51, reasoning=7), 0.000473),
        Called("call_lab1", "bash", {"command": "echo orig"}),
        Returned("call_lab1", "bash-changed\n"),
    ]
    assert events[-3:] == [
        Said("FAKE-FINAL"),
        Spent(Usage(input=303, cache_read=700, output=53, reasoning=7), 0.000479),
        Finished(True),
    ]
    assert sum(isinstance(event, Spent) for event in events) == 3  # not the copies while the model still speaks


def test_a_run_that_fails():
    line = '{"type":"agent_end","messages":[{"role":"assistant","stopReason":"error","errorMessage":"no such model"}]}'
    assert headless.read(line) == (Finished(False, reason="no such model"),)
