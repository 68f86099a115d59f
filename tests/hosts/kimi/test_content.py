"""The files that Kimi reads: skills, commands as skills, subagents; and where the memory block goes.

The subagents were run in the real 2.1.0: each was given exactly the tools of its list.
"""

from agent_connector.connector.model import Command, Skill, Subagent, Tool
from agent_connector.hosts.kimi import content
from agent_connector.hosts.nodes import Refusal
from agent_connector.testing.hosts import machine


def test_a_command_is_a_skill_that_only_the_person_calls():
    [file] = content.command(Command("db/migrate", "Plan: $ARGUMENTS", "Plan a migration"), "/s")
    assert file.file == "/s/db-migrate/SKILL.md"
    assert file.text == (
        "---\nname: db-migrate\ndescription: Plan a migration\ndisableModelInvocation: true\n---\n\nPlan: $ARGUMENTS\n"
    )


def test_a_skill_is_a_folder():
    [file] = content.skill(Skill("acme-schema", "How it is laid out", "Tables ..."), "/s")
    assert file.file == "/s/acme-schema/SKILL.md"


def subagent(**fields):
    [file] = content.subagent(Subagent("dba", "Reviews SQL", "You review SQL.", **fields), "/a")
    return file


def test_a_subagent_with_lists_of_tools():
    allow = (Tool("acme-db", "*"), Tool("acme-db", "db.query"), Tool(None, "Fetch"))
    file = subagent(allow=allow, deny=(Tool(None, "Bash"),), model="kimi-k2")
    assert file.file == "/a/dba.md"
    assert file.text == (
        '---\nname: dba\ndescription: Reviews SQL\ntools: ["mcp__acme-db__*", mcp__acme-db__db_query, FetchURL]\n'
        "disallowedTools: [Bash]\n---\n\nYou review SQL.\n"
    )
    assert "tools" not in subagent().text


def test_memory():
    assert content.memory("user", machine()) == "/home/user/.kimi-code/AGENTS.md"
    assert content.memory("project", machine()) == "/code/app/AGENTS.md"
    old = machine(exists={"/home/user/.kimi"}.__contains__)
    assert isinstance(content.memory("user", old), Refusal)
