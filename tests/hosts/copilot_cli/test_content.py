"""The files that Copilot CLI reads: skills, commands as skills, subagents; and where the memory block goes.

The subagents were run in the real 1.0.102: each was given exactly the tools of its list.
"""

import pytest

from agent_connector.connector.model import Command, Skill, Subagent, Tool
from agent_connector.hosts.copilot_cli import content
from agent_connector.hosts.nodes import Refusal
from agent_connector.testing.hosts import machine


def test_a_command_is_a_skill_that_only_the_person_calls():
    [file] = content.command(Command("db/migrate", "Plan: $ARGUMENTS", "Plan a migration"), "/s")
    assert file.file == "/s/db-migrate/SKILL.md"
    assert file.text == (
        "---\nname: db-migrate\ndescription: Plan a migration\ndisable-model-invocation: true\n---\n\n"
        "Plan: (the text that the person wrote after the name of this skill)\n"
    )


def test_a_skill_is_a_folder():
    [file] = content.skill(Skill("acme-schema", "How it is laid out", "Tables ..."), "/s")
    assert file.file == "/s/acme-schema/SKILL.md"


def subagent(**fields):
    [file] = content.subagent(Subagent("dba", "Reviews SQL", "You review SQL.", **fields), "/a")
    return file


def test_a_subagent_with_a_list_of_tools():
    file = subagent(allow=(Tool("acme-db", "*"), Tool("acme-db", "db.query"), Tool(None, "Bash")), model="gpt-5.2")
    assert file.file == "/a/dba.agent.md"
    assert file.text == (
        "---\nname: dba\ndescription: Reviews SQL\n"
        'tools: ["acme-db/*", acme-db/db.query, bash, powershell]\nmodel: gpt-5.2\n---\n\nYou review SQL.\n'
    )


def test_a_subagent_that_inherits_everything():
    text = subagent(model="sonnet").text
    assert "tools:" not in text
    assert "model:" not in text


def test_a_tool_cannot_be_taken_away():
    refused = subagent(deny=(Tool(None, "Bash"),))
    assert isinstance(refused, Refusal)
    assert "'dba'" in refused.reason


@pytest.mark.parametrize(
    ("there", "file"),
    [
        ((), "AGENTS.md"),
        (("CLAUDE.md",), "CLAUDE.md"),
        (("CLAUDE.md", "AGENTS.md"), "AGENTS.md"),
        ((".github/copilot-instructions.md", "GEMINI.md"), ".github/copilot-instructions.md"),
    ],
)
def test_memory_goes_into_what_is_there(there, file):
    full = machine(exists={f"/code/app/{name}" for name in there}.__contains__)
    assert content.memory("project", full) == f"/code/app/{file}"


def test_memory_of_a_person():
    assert content.memory("user", machine()) == "/home/user/.copilot/copilot-instructions.md"
    assert isinstance(content.memory("managed", machine()), Refusal)


def test_what_it_reads_at_once():
    assert content.reads("user", machine()) == []
    assert "/code/app/GEMINI.md" in content.reads("project", machine())
    assert r"C:\work\app\.github\copilot-instructions.md" in content.reads("project", machine("win32"))
