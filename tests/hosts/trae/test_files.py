"""Where Trae reads, in its editions, and what is written there (documented)."""

from agent_connector.connector.model import Command, Subagent, Tool
from agent_connector.hosts.nodes import Refusal
from agent_connector.hosts.trae import content, places, register
from agent_connector.testing.host_samples import machine, server_use

CN = "/home/user/.config/Trae CN/User"


def test_a_persons_files():
    files = places.files("user", machine())
    assert (files["server"], files["hooks"]) == ("/home/user/.config/Trae/User/mcp.json", "/home/user/.trae/hooks.json")
    assert places.files("user", machine("win32"))["server"] == r"C:\Users\user\AppData\Roaming\Trae\User\mcp.json"
    mac = places.files("user", machine("darwin"))["server"]
    assert mac == "/Users/user/Library/Application Support/Trae/User/mcp.json"


def test_the_edition_that_is_there_is_served():
    files = places.files("user", machine(exists={CN}.__contains__))
    assert files["server"] == f"{CN}/mcp.json"
    assert files["hooks"] == "/home/user/.trae-cn/hooks.json"
    old = places.files("user", machine(exists={"/home/user/.trae-cn"}.__contains__))
    assert old["commands"] == "/home/user/.trae-cn/commands"


def test_a_hook_knows_its_host():
    assert places.running({"TRAE_PROJECT_DIR": "/p", "CLAUDE_PROJECT_DIR": "/p"})
    assert not places.running({"CLAUDE_PROJECT_DIR": "/p"})


def test_no_value_of_a_variable_is_written():
    told = register.entry(server_use(command="/l", args=("serve", "${env:A}"), env={"A": "${env:A}", "MODE": "x"}))
    assert told == {"command": "/l", "args": ["serve", "${env:A}"], "env": {"MODE": "x"}}
    refused = register.entry(server_use(transport="http", bearer="TOKEN"))
    assert isinstance(refused, Refusal)
    assert "no variable's value" in refused.reason and "--measure-remote" in refused.remedy
    assert register.entry(server_use(transport="sse", headers={"X": "1"})) == {
        "url": "https://mcp.acme.example/mcp",
        "headers": {"X": "1"},
    }


def test_what_has_no_place_is_said():
    assert register.lost(server_use()) == ()
    lines = register.lost(server_use(timeout=5, include_tools=("a",), cwd="/x"))
    assert len(lines) == 3
    assert isinstance(register.entry(server_use(enabled=False)), Refusal)
    assert "WebSocket" in register.entry(server_use(transport="ws")).reason


def test_commands_and_subagents():
    [file] = content.command(Command("migrate", "Plan: $ARGUMENTS", "Plan a migration", "<table>"), "/c")
    assert file.text == (
        '---\ndescription: Plan a migration\nargument-hint: "<table>"\n---\n\n'
        "Plan: (the text that the person wrote after the command)\n"
    )
    allow = (Tool("acme-db", "q"), Tool("acme-db", "w"), Tool(None, "Fetch"))
    [agent] = content.subagent(Subagent("dba", "Reviews SQL", "You review SQL.", allow), "/a")
    assert (agent.file, "tools: [MCP, WebFetch]\n" in agent.text) == ("/a/dba.md", True)
    [refused] = content.subagent(Subagent("dba", "R", "Y", deny=(Tool(None, "Bash"),)), "/a")
    assert isinstance(refused, Refusal)


def test_memory():
    assert content.memory("user", machine()) == "/home/user/.trae/user_rules/agent-connector.md"
    assert content.memory("project", machine()) == "/code/app/AGENTS.md"
