"""The files that Droid reads: commands, skills, subagents; and where the memory block goes."""

from agent_connector.connector.model import Command, Subagent, Tool
from agent_connector.hosts.droid import content
from agent_connector.hosts.nodes import Refusal
from agent_connector.testing.hosts import machine


def test_a_command_lies_beside_the_others():
    [file] = content.command(Command("db/migrate", "Plan: $ARGUMENTS", "Plan a migration", "<table>"), "/c")
    assert file.file == "/c/db-migrate.md"
    assert file.text == ('---\ndescription: Plan a migration\nargument-hint: "<table>"\n---\n\nPlan: $ARGUMENTS\n')


def subagent(description="Reviews SQL", **fields):
    [file] = content.subagent(Subagent("dba", description, "You review SQL.", **fields), "/a")
    return file


def test_a_subagent_with_a_list_of_tools():
    allow = (Tool("acme-db", "acme_query"), Tool(None, "Bash"), Tool(None, "Unheard"))
    file = subagent(allow=allow, model="inherit")
    assert file.file == "/a/dba.md"
    assert file.text == (
        "---\nname: dba\ndescription: Reviews SQL\ntools: [acme-db___acme_query, Execute, Unheard]\n"
        "model: inherit\n---\n\nYou review SQL.\n"
    )


def test_what_droid_does_not_take():
    text = subagent("x" * 600, model="sonnet").text
    assert "x" * 500 in text and "x" * 501 not in text
    assert "model:" not in text and "tools:" not in text
    assert isinstance(subagent(deny=(Tool(None, "Bash"),)), Refusal)


def test_memory():
    assert content.memory("user", machine()) == "/home/user/.factory/AGENTS.md"
    assert content.memory("project", machine()) == "/code/app/AGENTS.md"
    assert isinstance(content.memory("managed", machine()), Refusal)
    assert content.reads("project", machine()) == ["/code/app/AGENTS.md", "/code/app/CLAUDE.md"]
    assert content.reads("user", machine()) == []
