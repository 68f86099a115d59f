"""The files that Cursor reads: commands, skills, subagents; and where the memory block goes (documented)."""

from agent_connector.connector.model import Command, Skill, Subagent, Tool
from agent_connector.hosts.cursor import content, statusline
from agent_connector.hosts.nodes import Default, Refusal
from agent_connector.testing.host_samples import machine


def test_a_command_is_plain_text():
    [file] = content.command(Command("migrate", "Plan: $ARGUMENTS", "Plan a migration", "<table>", "opus"), "/c")
    assert file.file == "/c/migrate.md"
    assert file.text == "Plan: (the text that the person wrote after the command)\n"


def test_a_skill():
    [file] = content.skill(Skill("acme-schema", "How: it is", "Tables ..."), "/s")
    assert file.text == '---\nname: acme-schema\ndescription: "How: it is"\n---\n\nTables ...\n'


def test_a_subagent_has_no_list_of_tools():
    allow = (Tool("acme-db", "query"),)
    [file] = content.subagent(Subagent("dba", "Reviews SQL", "You review SQL.", allow, model="inherit"), "/a")
    assert file.file == "/a/dba.md"
    assert file.text == "---\nname: dba\ndescription: Reviews SQL\nmodel: inherit\n---\n\nYou review SQL.\n"
    [file] = content.subagent(Subagent("dba", "d", "p", model="sonnet"), "/a")
    assert "model" not in file.text


def test_memory_is_a_projects_alone():
    assert content.memory("project", machine()) == "/code/app/AGENTS.md"
    refused = content.memory("user", machine())
    assert isinstance(refused, Refusal)
    assert "--scope project" in refused.remedy


def test_the_clis_status_line():
    [node] = statusline.wire("/c.json", "c", {"padding": 2, "refresh_interval": 0.5, "timeout": 1})
    assert isinstance(node, Default)
    assert node.value == {
        "type": "command",
        "command": "c",
        "padding": 2,
        "updateIntervalMs": 500,
        "timeoutMs": 1000,
    }
    assert statusline.context({"model": {"id": "m"}})["app"]["id"] == "cursor"
