"""The files that OpenCode reads: commands, skills, subagents; and where the memory block goes."""

import pytest
from ruamel.yaml import YAML

from agent_connector.connector.model import Command, Skill, Subagent, Tool
from agent_connector.hosts.machine import Machine
from agent_connector.hosts.opencode import content


def test_a_command():
    [file] = content.command(Command("migrate", "Plan: $ARGUMENTS", "Plan a migration", model="sonnet"), "/c")
    assert file.file == "/c/migrate.md"
    assert file.text == "---\ndescription: Plan a migration\n---\n\nPlan: $ARGUMENTS\n"


def test_a_skill():
    [file] = content.skill(Skill("acme-schema", "How it is laid out", "Tables ..."), "/s")
    assert file.file == "/s/acme-schema/SKILL.md"


def head(**fields):
    [file] = content.subagent(Subagent("dba", "Reviews SQL", "You review SQL.", **fields), "/a")
    assert file.file == "/a/dba.md"
    top, body = file.text.removeprefix("---\n").split("---\n", 1)
    assert body == "\nYou review SQL.\n"
    return YAML(typ="safe", pure=True).load(top)


def test_a_subagent_that_inherits_every_tool():
    assert head() == {"description": "Reviews SQL", "mode": "subagent"}
    assert head(model="anthropic/claude-sonnet")["model"] == "anthropic/claude-sonnet"


def test_allowed_tools_are_permissions_and_the_last_match_counts():
    permissions = head(
        allow=(Tool("acme-db", "*"), Tool(None, "Read"), Tool(None, "Write")), deny=(Tool("acme-db", "acme_write"),)
    )["permission"]
    assert list(permissions.items()) == [
        ("*", "deny"),
        ("acme-db_*", "allow"),
        ("read", "allow"),
        ("edit", "allow"),  # one permission for editing, writing and patching
        ("acme-db_acme_write", "deny"),
    ]


def test_a_denial_comes_after_what_allows_more():
    permissions = head(allow=(Tool("acme-db", "a"), Tool("acme-db", "*")), deny=(Tool("acme-db", "a"),))["permission"]
    assert list(permissions) == ["*", "acme-db_*", "acme-db_a"]


def test_denied_tools_alone():
    assert head(deny=(Tool(None, "Bash"),))["permission"] == {"bash": "deny"}


USER = "/home/user/.config/opencode/AGENTS.md"
CLAUDE = "/home/user/.claude/CLAUDE.md"


@pytest.mark.parametrize(
    ("scope", "present", "variables", "file"),
    [
        ("user", [], {}, USER),
        ("user", [USER, CLAUDE], {}, USER),
        ("user", [CLAUDE], {}, CLAUDE),  # a new AGENTS.md would hide it
        ("user", [CLAUDE], {"OPENCODE_DISABLE_CLAUDE_CODE_PROMPT": "1"}, USER),
        ("project", [], {}, "/app/AGENTS.md"),
        ("project", ["/app/CLAUDE.md", "/app/CONTEXT.md"], {}, "/app/CLAUDE.md"),
        ("project", ["/app/CLAUDE.md", "/app/AGENTS.md"], {}, "/app/AGENTS.md"),
    ],
)
def test_memory_goes_where_opencode_looks(scope, present, variables, file):
    assert content.memory(scope, Machine("/home/user", "linux", variables, "/app", set(present).__contains__)) == file
