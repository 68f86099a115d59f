"""Where GitHub Copilot CLI reads, and how it is recognised. On the hook path."""

from agent_connector.hosts.dialects.evidence import evidence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from agent_connector.hosts.contract import Evidence
    from agent_connector.hosts.machine import Machine

SCOPES = ("user", "project")
CLIENT_NAMES = ("copilot-cli",)

_HOOKS = "agent-connector.json"  # every file of the folder is read; a bad entry drops no other file's


def installed(machine: "Machine") -> "Evidence | None":
    """The program; the folder is that of other harnesses of Copilot too."""
    home = _home(machine)
    config = machine.join(home, "config.json")
    return evidence(machine, ("copilot",), ((config, 0.8), (home, 0.5)))


def files(scope: str, machine: "Machine") -> "Mapping[str, str]":
    """A project's .mcp.json is Claude Code's too, and skills lie where other hosts read them: one file serves all."""
    if scope == "user":
        home = _home(machine)
        return {
            **_own(machine, home),
            "server": machine.join(home, "mcp-config.json"),
            "skills": machine.join(machine.home, ".agents", "skills"),
            "memory": machine.join(home, "copilot-instructions.md"),
            "statusline": machine.join(home, "settings.json"),
            "config_patch": machine.join(home, "settings.json"),
        }
    if scope == "project" and machine.project:
        top = machine.project
        return {
            **_own(machine, machine.join(top, ".github")),
            "server": machine.join(top, ".mcp.json"),
            "skills": machine.join(top, ".agents", "skills"),
            "memory": machine.join(top, "AGENTS.md"),
            "config_patch": machine.join(top, ".github", "copilot", "settings.json"),
        }
    return {}


def running(variables: "Mapping[str, str]") -> bool:
    """Hooks get the project's folder, servers the session; so do its shells, and what is started there."""
    if variables.get("COPILOT_PROJECT_DIR") and variables.get("COPILOT_CLI"):
        return True
    return bool(variables.get("COPILOT_AGENT_SESSION_ID")) and not variables.get("COPILOT_CLI")


def _own(machine: "Machine", home: str) -> "dict[str, str]":
    hooks = machine.join(home, "hooks", _HOOKS)
    return {
        "home": home,
        "hooks": hooks,
        "native_hooks": hooks,
        "commands": machine.join(home, "skills"),
        "subagents": machine.join(home, "agents"),
    }


def _home(machine: "Machine") -> str:
    return machine.config("COPILOT_HOME", ".copilot")
