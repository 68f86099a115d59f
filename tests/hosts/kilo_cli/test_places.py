"""Where Kilo reads: the command-line program and the extension in an editor read the same files."""

import pytest

from agent_connector.connector.model import Subagent, Tool
from agent_connector.hosts.kilo import content as extension_content
from agent_connector.hosts.kilo import places as extension
from agent_connector.hosts.kilo import register as extension_register
from agent_connector.hosts.kilo_cli import content, places, register
from agent_connector.hosts.machine import Machine
from agent_connector.testing.hosts import server_use

CONFIG = "/home/user/.config/kilo"
CLAUDE = "/home/user/.claude/CLAUDE.md"


def machine(*present: str, platform: str = "linux", **variables: str) -> Machine:
    home, project = (r"C:\Users\user", r"C:\app") if platform == "win32" else ("/home/user", "/app")
    return Machine(home, platform, variables, project, set(present).__contains__, lambda program: None)


@pytest.mark.parametrize(
    ("platform", "present", "server"),
    [
        ("linux", [], f"{CONFIG}/kilo.json"),
        ("linux", [f"{CONFIG}/kilo.json", f"{CONFIG}/kilo.jsonc"], f"{CONFIG}/kilo.jsonc"),
        ("win32", [], r"C:\Users\user\.config\kilo\kilo.json"),
    ],
)
def test_the_person_s_files(platform, present, server):
    files = places.files("user", machine(*present, platform=platform))
    assert files["server"] == server
    assert files == extension.files("user", machine(*present, platform=platform))
    folder = server.rpartition("/" if platform == "linux" else "\\")[0]
    assert files["hooks"] == folder + server[len(folder)] + "plugins"


@pytest.mark.parametrize(
    ("present", "server"),
    [
        ([], "/app/kilo.json"),
        (["/app/kilo.jsonc"], "/app/kilo.jsonc"),
        (["/app/kilo.json", "/app/.kilo/kilo.json"], "/app/.kilo/kilo.json"),
    ],
)
def test_in_a_project_the_file_that_wins_is_taken(present, server):
    files = places.files("project", machine(*present))
    assert (files["server"], files["hooks"], files["memory"]) == (server, "/app/.kilo/plugins", "/app/AGENTS.md")


def test_evidence_tells_the_program_from_the_extension():
    """The config folder belongs to both."""
    storage = "/home/user/.config/Code/User/globalStorage/kilocode.kilo-code"
    assert places.installed(machine(CONFIG)) is None
    assert places.installed(machine(f"{CONFIG}/kilo.json"))["confidence"] == 0.5
    assert extension.installed(machine(f"{CONFIG}/kilo.json")) is None
    assert extension.installed(machine(storage))["found"] == [storage]


@pytest.mark.parametrize(
    ("variables", "program", "editor"),
    [
        ({"KILO": "1", "KILO_PID": "7", "OPENCODE": "1", "AGENT": "1"}, True, False),
        ({"KILO": "1", "KILO_PLATFORM": "vscode", "OPENCODE": "1"}, False, True),
        ({"OPENCODE": "1"}, False, False),
    ],
)
def test_running(variables, program, editor):
    assert (places.running(variables), extension.running(variables)) == (program, editor)


def test_a_server_and_a_refusal_in_each_name():
    use = server_use(args=("serve", "${env:ACME_URL}"), env={"TOKEN": "${env:ACME_TOKEN}"}, timeout=30)
    assert register.entry(use) == {
        "type": "local",
        "command": [use.command, "serve", "{env:ACME_URL}"],
        "environment": {"TOKEN": "{env:ACME_TOKEN}"},
        "timeout": 30000,
    }
    assert extension_register.entry(use) == register.entry(use)
    assert register.entry(server_use(transport="ws")).reason == "Kilo CLI has no WebSocket transport"
    assert extension_register.entry(server_use(transport="ws")).reason == "Kilo Code has no WebSocket transport"


def test_a_subagent_s_tools_and_the_memory_file():
    [file] = content.subagent(Subagent("dba", "Reviews SQL", "You.", allow=(Tool(None, "Bash"),)), "/a")
    assert 'permission:\n  "*": deny\n  bash: allow\n  background_process: allow\n' in file.text
    assert content.memory("user", machine()) == f"{CONFIG}/AGENTS.md"
    assert content.memory("user", machine(CLAUDE)) == CLAUDE
    assert content.memory("project", machine("/app/CONTEXT.md")) == "/app/CONTEXT.md"
    assert "no memory file in scope managed" in extension_content.memory("managed", machine()).reason
