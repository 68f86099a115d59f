"""Where Codex reads, and how it is recognised. On the hook path."""

from agent_connector.hosts.dialects.evidence import evidence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from agent_connector.hosts.contract import Evidence
    from agent_connector.hosts.machine import Machine

SCOPES = ("user", "project")
CLIENT_NAMES = ("codex-mcp-client",)


def installed(machine: "Machine") -> "Evidence | None":
    home = _home(machine)
    return evidence(
        machine,
        ("codex",),
        (
            (machine.join(home, "auth.json"), 0.9),
            (machine.join(home, "sessions"), 0.9),
            (machine.join(home, "config.toml"), 0.8),
            (home, 0.5),
        ),
    )


def files(scope: str, machine: "Machine") -> "Mapping[str, str]":
    """Skills lie where other hosts read them too; what stands in for commands lies where Codex alone reads."""
    if scope == "user":
        home, top, memory = _home(machine), machine.home, _home(machine)
    elif scope == "project" and machine.project:
        home, top, memory = machine.join(machine.project, ".codex"), machine.project, machine.project
    else:
        return {}
    config = machine.join(home, "config.toml")
    return {
        "home": home,
        "server": config,
        "hooks": machine.join(home, "hooks.json"),
        "native_hooks": machine.join(home, "hooks.json"),
        "commands": machine.join(home, "skills"),
        "skills": machine.join(top, ".agents", "skills"),
        "subagents": machine.join(home, "agents"),
        "memory": machine.join(memory, "AGENTS.md"),
        "config_patch": config,
    }


def running(variables: "Mapping[str, str]") -> bool:
    """Codex gives hooks and servers no mark of its own: what npm's launcher and its shells leave has to do.

    A Claude Code that was started in a shell of Codex' has a thread and its own session: that is Claude Code.
    """
    if variables.get("CODEX_THREAD_ID"):
        return not variables.get("CLAUDE_CODE_SESSION_ID")
    return bool(variables.get("CODEX_MANAGED_BY_NPM"))


def _home(machine: "Machine") -> str:
    return machine.config("CODEX_HOME", ".codex")
