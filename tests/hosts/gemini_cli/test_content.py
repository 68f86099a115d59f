"""The files that Gemini CLI reads: commands, skills, subagents; and where the memory block goes."""

import re
import tomllib

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from agent_connector.connector.model import Command, Skill, Subagent, Tool
from agent_connector.hosts.gemini_cli import content
from agent_connector.hosts.machine import Machine
from agent_connector.hosts.nodes import Refusal


def test_a_command_is_a_toml_file_that_a_person_can_read():
    [file] = content.command(Command("migrate", 'Plan "it":\n$ARGUMENTS\n', "Plan a migration"), "/c")
    assert file.file == "/c/migrate.toml"
    assert file.text == 'description = "Plan a migration"\nprompt = """\nPlan "it":\n{{args}}\n"""\n'


def test_a_command_in_a_folder_of_windows():
    [file] = content.command(Command("db/migrate", "x", ""), r"C:\c")
    assert (file.file, file.text) == (r"C:\c\db\migrate.toml", 'prompt = """\nx"""\n')


@given(st.text(), st.text(alphabet='"\\\n\r\t\0a'))
@example("", 'say """ or """" and end with """')
def test_any_text_survives_the_toml(description, prompt):
    for one, other in ((description, prompt), (prompt, description)):
        [file] = content.command(Command("c", other, one), "/c")
        read = tomllib.loads(file.text)
        assert not re.search(r'(?<!\\)""""$', file.text)  # older readers end the string at the first three
        assert read["prompt"] == other.replace("$ARGUMENTS", "{{args}}")
        assert read.get("description", "") == one


def test_a_skill_is_a_folder():
    [file] = content.skill(Skill("acme-schema", "How it is laid out", "Tables ..."), "/s")
    assert file.file == "/s/acme-schema/SKILL.md"
    assert file.text.startswith("---\nname: acme-schema\ndescription: How it is laid out\n---\n")


def subagent(**fields):
    return content.subagent(Subagent("dba", "Reviews SQL", "You review SQL.", **fields), "/a")


def test_a_subagent_lists_its_tools_in_geminis_names():
    own, host = Tool("acme-db", "acme_query"), Tool(None, "Read")
    [file] = subagent(allow=(own, host), model="gemini-2.5-pro")
    assert file.file == "/a/dba.md"
    assert file.text == (
        "---\nname: dba\ndescription: Reviews SQL\ntools: [mcp_acme-db_acme_query, read_file, read_many_files]\n"
        "model: gemini-2.5-pro\n---\n\nYou review SQL.\n"
    )


def test_a_subagent_that_inherits_every_tool_has_no_list():
    [file] = subagent(model="sonnet")
    assert "tools:" not in file.text
    assert "model:" not in file.text


def test_a_denied_tool_is_left_out_of_the_list():
    [file] = subagent(deny=(Tool(None, "Bash"),))
    assert "run_shell_command" not in file.text
    assert "read_file" in file.text
    assert '"mcp_*"' in file.text
    [file] = subagent(allow=(Tool("acme-db", "a"), Tool("acme-db", "b")), deny=(Tool("acme-db", "*"), Tool(None, "x")))
    assert "tools: []" in file.text


def test_a_tool_that_cannot_be_taken_out_is_refused():
    [refused] = subagent(deny=(Tool("acme-db", "acme_write"),))
    assert isinstance(refused, Refusal)
    assert "mcp_*" in refused.reason


@pytest.mark.parametrize(
    ("scope", "file"),
    [("user", "/home/user/.gemini/GEMINI.md"), ("project", "/code/app/GEMINI.md")],
)
def test_memory_goes_where_gemini_looks(scope, file):
    assert content.memory(scope, Machine("/home/user", "linux", {}, "/code/app")) == file
