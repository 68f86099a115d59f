"""The files that Qwen Code reads: commands, skills, subagents; and where the memory block goes."""

import pytest

from agent_connector.connector.model import Command, Skill, Subagent, Tool
from agent_connector.hosts.nodes import Refusal
from agent_connector.hosts.qwen_code import content
from agent_connector.testing.hosts import machine


def test_a_command_in_qwens_words():
    [file] = content.command(Command("migrate", "Plan: $ARGUMENTS", "Plan a migration", "<table>", "opus"), "/c")
    assert file.file == "/c/migrate.md"
    assert file.text == "---\ndescription: Plan a migration\n---\n\nPlan: {{args}}\n"
    [bare] = content.command(Command("db/migrate", "Plan it", ""), r"C:\c")
    assert (bare.file, bare.text) == (r"C:\c\db\migrate.md", "Plan it\n")


def test_a_skill_is_a_folder():
    [file] = content.skill(Skill("acme-schema", "How it is laid out", "Tables ..."), "/s")
    assert file.file == "/s/acme-schema/SKILL.md"


def subagent(**fields):
    [file] = content.subagent(Subagent("dba", "Reviews SQL", "You review SQL.", **fields), "/a")
    return file.text


def test_a_subagent_with_lists_in_qwens_names():
    allow = (Tool("acme-db", "*"), Tool("acme-db", "acme_query"), Tool(None, "Bash"), Tool(None, "Unheard"))
    assert subagent(allow=allow, deny=(Tool(None, "Edit"),), model="inherit") == (
        "---\nname: dba\ndescription: Reviews SQL\n"
        "tools: [mcp__acme-db, mcp__acme-db__acme_query, run_shell_command, Unheard]\n"
        "disallowedTools: [edit]\nmodel: inherit\n---\n\nYou review SQL.\n"
    )


@pytest.mark.parametrize(
    ("model", "kept"),
    [("inherit", True), ("qwen3-coder", True), ("openai:gpt-5", True), ("sonnet", False), (None, False)],
)
def test_another_hosts_model_is_left_out(model, kept):
    assert ("model:" in subagent(model=model)) is kept


def test_memory():
    assert content.memory("user", machine()) == "/home/user/.qwen/QWEN.md"
    both = machine(exists={"/code/app/QWEN.md", "/code/app/AGENTS.md"}.__contains__)
    assert content.memory("project", both) == content.memory("project", machine()) == "/code/app/AGENTS.md"
    assert isinstance(content.memory("project", machine(project=False)), Refusal)
