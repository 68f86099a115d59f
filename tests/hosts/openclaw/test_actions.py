"""OpenClaw's actions: plugins whose commands answer into a chat, under Node."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from agent_connector.connector.model import Action, Handler
from agent_connector.hosts.nodes import Key, Refusal
from agent_connector.hosts.openclaw import actions

SYNC = Action("sync", "Sync the schema", None, None, None, None, Handler(0, "sync", False, 1))


def marks(action, connector="acme-db"):
    return ("x", f"--connector {connector}", f" {action.id} ")


@pytest.fixture
def chat(bridge):
    """Install actions, say things, and get what was answered."""

    def said(declared, *words):
        config = str(bridge.folder / "openclaw.json")
        for action in declared:
            program = bridge.folder / f"{action.id}.sh"
            code = 3 if action.id == "break" else 0
            program.write_text(f'printf "synced %s|" "$AGENT_CONNECTOR_ARGUMENTS"\nexit {code}\n')
            for node in actions.wire(action, config, f"sh {program}", marks(action))[:3]:
                Path(node.file).parent.mkdir(parents=True, exist_ok=True)
                Path(node.file).write_text(node.text)
                bridge.files += [node.file] if node.file.endswith(".js") else []
        driven = bridge.drive(*((f"/acme-db-{word.split()[0]}", [{"args": word.partition(" ")[2]}]) for word in words))
        return [one["answer"]["text"].rstrip("|") for one in driven["results"] if one["hook"] != "dispose"], driven[
            "commands"
        ]

    return said


def test_a_command_says_what_the_program_printed(chat):
    texts, commands = chat([SYNC, replace(SYNC, id="break")], "sync", "break now; $(x)")
    assert texts == ["synced ", "synced now; $(x)"]
    assert commands["acme-db-sync"] == {"description": "Sync the schema", "acceptsArgs": True, "requireAuth": True}


def test_a_question_is_answered_behind_the_command(chat):
    texts, _ = chat([replace(SYNC, confirm="Really?")], "sync", "sync all", "sync Yes ", "sync all yes")
    assert texts == [
        'Really? Send "/acme-db-sync yes" to go on.',
        'Really? Send "/acme-db-sync all yes" to go on.',
        "synced ",
        "synced all",
    ]


def test_the_plugin_sees_no_conversation():
    *files, key = actions.wire(SYNC, "/h/.openclaw/openclaw.json", "x", marks(SYNC))
    assert isinstance(key, Key) and key.value == {"enabled": True}
    assert key.path == ("plugins", "entries", "agent-connector-acme-db-sync-action")
    assert files[0].file == "/h/.openclaw/extensions/agent-connector-acme-db-sync-action/index.js"
    assert json.loads(files[2].text)["id"] == "agent-connector-acme-db-sync-action"


def test_a_name_that_no_command_can_have_is_refused():
    [refused] = actions.wire(SYNC, "/h/openclaw.json", "x", marks(SYNC, "7up"))
    assert isinstance(refused, Refusal) and "/7up-sync" in refused.reason
