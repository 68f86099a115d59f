"""Junie, by its documentation: where it reads, what is written, and what of its hooks is sure."""

import pytest

from agent_connector.connector import light
from agent_connector.connector.light import EVENTS, Event
from agent_connector.connector.model import Subagent, Tool
from agent_connector.hosts import query
from agent_connector.hosts.junie import content, hooks, places, register, verdicts
from agent_connector.hosts.nodes import Refusal
from agent_connector.testing.host_samples import hook_use, machine, server_use


def test_hooks_are_a_persons_alone():
    files = places.files("user", machine("win32"))
    assert files["hooks"] == r"C:\Users\user\.junie\config.json"
    assert files["server"] == r"C:\Users\user\.junie\mcp\mcp.json"
    assert "hooks" not in places.files("project", machine())
    assert places.files("project", machine())["server"] == "/code/app/.junie/mcp/mcp.json"


def test_an_entry_has_no_matcher():
    own = {"side": "own", "names": ["acme_query"]}
    [node] = hooks.wire([hook_use("PreToolUse", "PreToolUse", command="c", matchers=(own,))], "/c.json")
    assert node.path == ("hooks", "PreToolUse")
    assert node.value == {"hooks": [{"type": "command", "command": "c", "timeout": 10}]}


@pytest.mark.parametrize("event", ["PreToolUse", "PermissionRequest", "UserPromptSubmit", "Stop"])
def test_a_refusal_is_an_exit_code(event):
    said = hooks.reply(Event(event, "junie", event, {}), light.deny("no"))
    assert (said.output, said.exit_code, said.stderr) == (None, 2, "no")
    assert hooks.reply(Event(event, "junie", event, {}), light.deny("")).stderr == "Denied by a hook."


def test_new_arguments_are_not_sent_where_nothing_says_that_they_count():
    said = hooks.reply(Event("PreToolUse", "junie", "PreToolUse", {}), light.modify({"a": 1}))
    assert (said.output, said.exit_code) == (None, 0)
    assert "deny instead" in hooks.honours("PreToolUse", "modify")[2]


def test_most_of_its_answers_are_called_uncertain():
    rows = {(event, kind): hooks.honours(event, kind)[0] for event in EVENTS for kind in query.DECISIONS}
    assert {key for key, verdict in rows.items() if verdict != "dropped"} == set(hooks.RENDERERS)
    sure = {key: sure for key, (_, sure, _) in verdicts.TABLE.items()}
    assert {key for key, word in sure.items() if word != "uncertain"} == {("PreToolUse", "deny")}


def test_servers():
    assert register.entry(server_use(command="/l", args=("a",), env={"A": "${env:A:-x}"})) == {
        "command": "/l",
        "args": ["a"],
    }
    assert isinstance(register.entry(server_use(transport="sse")), Refusal)
    assert register.entry(server_use(transport="http")) == {"url": "https://mcp.acme.example/mcp"}


@pytest.mark.parametrize(
    ("there", "target"),
    [
        ([], "AGENTS.md"),
        (["AGENTS.md", ".junie/guidelines.md"], "AGENTS.md"),
        (["AGENTS.md", ".junie/AGENTS.md"], ".junie/AGENTS.md"),
        ([".junie/guidelines.md"], ".junie/guidelines.md"),
    ],
)
def test_memory_goes_into_the_file_that_is_read(there, target):
    found = content.memory("project", machine(exists={f"/code/app/{name}" for name in there}.__contains__))
    assert found == f"/code/app/{target}"


def test_a_subagent_has_no_list_of_tools():
    [file] = content.subagent(Subagent("dba", "Reviews SQL", "You review SQL.", (Tool("acme-db", "q"),)), "/a")
    assert file.text == "---\nname: dba\ndescription: Reviews SQL\n---\n\nYou review SQL.\n"
