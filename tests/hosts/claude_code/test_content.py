"""The files that Claude Code reads: commands, skills, subagents; and where the memory block goes.

The command and the subagents were run in the real 2.1.332: `/migrate a b` was expanded, and each subagent was given
exactly the tools of its list.
"""

import pytest

from agent_connector.connector.model import Command, Skill, Subagent, Tool
from agent_connector.hosts.claude_code import content
from agent_connector.testing.host_samples import machine


def test_a_command():
    [file] = content.command(Command("migrate", "Plan: $ARGUMENTS", "Plan: a [migration]", "<table>", "opus"), "/c")
    assert file.file == "/c/migrate.md"
    assert file.text == (
        '---\ndescription: "Plan: a [migration]"\nargument-hint: "<table>"\nmodel: opus\n---\n\nPlan: $ARGUMENTS\n'
    )


def test_a_command_without_anything_but_its_prompt():
    [file] = content.command(Command("db/migrate", "Plan it", ""), r"C:\c")
    assert (file.file, file.text) == (r"C:\c\db\migrate.md", "Plan it\n")


def test_a_skill():
    skill = Skill("acme-schema", "How it is laid out", "Tables ...", {"references/tables.md": "# Tables\n"})
    head, more = content.skill(skill, "/s")
    assert head.file == "/s/acme-schema/SKILL.md"
    assert head.text == "---\nname: acme-schema\ndescription: How it is laid out\n---\n\nTables ...\n"
    assert (more.file, more.text) == ("/s/acme-schema/references/tables.md", "# Tables\n")


def subagent(**fields):
    [file] = content.subagent(Subagent("dba", "Reviews SQL", "You review SQL.", **fields), "/a")
    return file.text


def test_a_subagent_with_a_list_of_tools():
    allow = (Tool("acme-db", "*"), Tool("acme-db", "query"), Tool(None, "Read"), Tool(None, "Fetch"))
    assert subagent(allow=allow, model="sonnet") == (
        "---\nname: dba\ndescription: Reviews SQL\n"
        'tools: "mcp__acme-db, mcp__acme-db__query, Read, WebFetch"\nmodel: sonnet\n---\n\nYou review SQL.\n'
    )


def test_a_subagent_that_inherits_all_but_some():
    text = subagent(deny=(Tool("acme-db", "*"), Tool(None, "Bash")))
    assert 'disallowedTools: "mcp__acme-db, Bash"' in text
    assert "\ntools:" not in text


@pytest.mark.parametrize(
    ("model", "kept"), [("inherit", True), ("claude-opus-5-5", True), ("gpt-5", False), (None, False)]
)
def test_another_vendors_model_is_left_out(model, kept):
    assert ("model:" in subagent(model=model)) is kept


@pytest.mark.parametrize(
    ("scope", "there", "file"),
    [
        ("user", (), "/home/user/.claude/CLAUDE.md"),
        ("project", (), "/code/app/CLAUDE.md"),
        ("project", ("/code/app/CLAUDE.md", "/code/app/AGENTS.md"), "/code/app/CLAUDE.md"),
        ("project", ("/code/app/.claude/CLAUDE.md", "/code/app/AGENTS.md"), "/code/app/.claude/CLAUDE.md"),
        ("project", ("/code/app/AGENTS.md",), "/code/app/AGENTS.md"),  # a new CLAUDE.md would hide it
    ],
)
def test_memory_goes_where_claude_code_looks(scope, there, file):
    assert content.memory(scope, machine(exists=set(there).__contains__)) == file
