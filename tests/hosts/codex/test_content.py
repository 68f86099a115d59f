"""The files that Codex reads: skills, commands as skills, subagents; and where the memory block goes.

`$migrate` inserted such a skill's text into the prompt of the real 0.171.0, and such a subagent was offered by it.
"""

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_connector.connector.model import Command, Skill, Subagent
from agent_connector.hosts.codex import content
from agent_connector.testing.host_samples import machine


def test_a_command_is_a_skill_that_only_a_person_calls():
    skill, policy = content.command(Command("migrate", "Plan: $ARGUMENTS", "Plan a migration"), "/home/.codex/skills")
    assert skill.file == "/home/.codex/skills/migrate/SKILL.md"
    assert skill.text == (
        "---\nname: migrate\ndescription: Plan a migration\n---\n\n"
        "Plan: (the text that the person wrote after the name of this skill)\n"
    )
    assert policy.file == "/home/.codex/skills/migrate/agents/openai.yaml"
    assert policy.text == "policy:\n  allow_implicit_invocation: false\n"


def test_a_command_needs_a_description_there():
    skill, _ = content.command(Command("migrate", "x", ""), "/s")
    assert "description: migrate\n" in skill.text


def test_a_skill():
    [file] = content.skill(Skill("acme-schema", "How it is laid out", "Tables ..."), "/code/app/.agents/skills")
    assert file.file == "/code/app/.agents/skills/acme-schema/SKILL.md"


def test_a_subagent():
    [file] = content.subagent(Subagent("dba", 'Reviews "SQL"', "You review SQL.\nAlways.", model="gpt-6"), "/a")
    assert file.file == "/a/dba.toml"
    assert file.text == (
        'name = "dba"\ndescription = "Reviews \\"SQL\\""\nmodel = "gpt-6"\n'
        'developer_instructions = """You review SQL.\nAlways.\n"""\n'
    )


def test_another_vendors_model_is_left_out():
    [file] = content.subagent(Subagent("dba", "d", "p", model="sonnet"), "/a")
    assert "model" not in tomllib.loads(file.text)


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"])), st.text(alphabet='"\\\r\n\t\0\x7f a'))
def test_any_text_survives_the_toml(description, prompt):
    [file] = content.subagent(Subagent("dba", description, prompt), "/a")
    read = tomllib.loads(file.text)
    assert read["description"] == description
    assert read["developer_instructions"] == "\n".join(prompt.splitlines()).strip("\n") + "\n"


@pytest.mark.parametrize(
    ("scope", "there", "file"),
    [
        ("user", (), "/home/user/.codex/AGENTS.md"),
        ("user", ("/home/user/.codex/AGENTS.override.md",), "/home/user/.codex/AGENTS.override.md"),
        ("project", ("/code/app/CLAUDE.md",), "/code/app/AGENTS.md"),
        ("project", ("/code/app/AGENTS.override.md", "/code/app/AGENTS.md"), "/code/app/AGENTS.override.md"),
    ],
)
def test_memory_goes_where_codex_looks(scope, there, file):
    assert content.memory(scope, machine(exists=set(there).__contains__)) == file


def test_memory_beside_a_windows_home():
    there = {r"C:\Users\user\.codex\AGENTS.override.md"}
    assert content.memory("user", machine("win32", exists=there.__contains__)) in there
