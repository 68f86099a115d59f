"""Crush: its entries, its one hook, and what it honours; written after its source, not recorded."""

import json

import pytest
from inline_snapshot import snapshot

from agent_connector.connector import light
from agent_connector.connector.light import EVENTS, Event
from agent_connector.connector.matchers import compile as matcher
from agent_connector.drive.events import Job
from agent_connector.hosts import query
from agent_connector.hosts.crush import headless, hooks, places, register
from agent_connector.hosts.nodes import Refusal
from agent_connector.testing.hosts import hook_use, machine, server_use


def test_entries():
    told = register.entry(server_use(env={"A": "${env:A:-b}"}, timeout=90, enabled=False, exclude_tools=("drop",)))
    assert {**told, "command": "", "args": []} == snapshot(
        {
            "type": "stdio",
            "command": "",
            "args": [],
            "env": {"A": "${A:-b}"},
            "timeout": 90,
            "disabled": True,
            "disabled_tools": ["drop"],
        }
    )
    assert register.entry(server_use(transport="sse", bearer="T")) == snapshot(
        {"type": "sse", "url": "https://mcp.acme.example/mcp", "headers": {"Authorization": "Bearer ${T}"}}
    )


@pytest.mark.parametrize("text", ["pay $5", "$(id)", "`id`", "${env:A:-$(id)}"])
def test_what_its_shell_would_run_is_refused(text):
    assert isinstance(register.entry(server_use(args=(text,))), Refusal)


def test_a_hook_is_a_flat_entry():
    [item] = hooks.wire([hook_use("PreToolUse", matchers=[matcher("acme_query")], command="run", timeout=2.5)], "/c")
    assert {".".join(item.path): item.value} == snapshot(
        {"hooks.PreToolUse": {"matcher": "^(?:mcp_acme-db_acme_query)$", "command": "run", "timeout": 3}}
    )
    [every] = hooks.wire([hook_use("PreToolUse")], "/c")
    assert "matcher" not in every.value


@pytest.mark.parametrize(
    ("tool", "servers", "found"),
    [
        ("bash", [], (None, "Bash")),
        ("mcp_my_db_run_it", ["my_db"], ("my_db", "run_it")),
        ("mcp_other_run_it", ["my_db"], ("other", "run_it")),
    ],
)
def test_names_of_tools(tool, servers, found):
    event = hooks.parse(
        "PreToolUse", {"event": "PreToolUse", "tool_name": tool, "tool_input": {}, "cwd": "/p"}, servers
    )
    assert ((event.server, event.tool_name), event.cwd) == (found, "/p")


REPLIES = [
    (light.allow(), {"version": 1, "decision": "allow"}),
    (light.deny("no"), {"version": 1, "decision": "deny", "reason": "no"}),
    (light.modify({"a": 1}), {"version": 1, "updated_input": {"a": 1}}),
    (light.context("t"), {"version": 1, "context": "t"}),
    (None, None),
]


@pytest.mark.parametrize(("decision", "output"), REPLIES)
def test_replies(decision, output):
    assert hooks.reply(Event("PreToolUse", "crush", "PreToolUse", {}), decision).output == output


def test_what_is_sent_is_what_has_a_verdict():
    rows = {(name, kind): hooks.honours(name, kind)[0] for name in EVENTS for kind in query.DECISIONS}
    assert {key for key, verdict in rows.items() if verdict != "dropped"} == set(hooks.RENDERERS)


def test_where_it_reads():
    assert places.files("user", machine("win32"))["server"] == r"C:\Users\user\.config\crush\crush.json"
    hidden = {"/code/app/.crush.json"}
    assert places.files("project", machine(exists=hidden.__contains__))["server"] == "/code/app/.crush.json"
    assert places.files("project", machine())["server"] == "/code/app/crush.json"


def test_a_run_without_a_person():
    assert headless.argv(Job("-x?", "/p", resume="s")) == ["crush", "run", "--quiet", "--session", "s", "--", "-x?"]
    [text] = headless.HOME_FILES.values()
    assert json.loads(text)["providers"]["stand-in"]["base_url"] == "@MODEL@/v1"
