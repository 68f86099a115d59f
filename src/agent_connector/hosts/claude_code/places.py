"""Where Claude Code reads, and how it is recognised. On the hook path."""

from agent_connector.hosts.dialects.evidence import evidence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from agent_connector.hosts.contract import Evidence
    from agent_connector.hosts.machine import Machine

SCOPES = ("user", "project")
CLIENT_NAMES = ("claude-code",)

# What other hosts put into the environment of the hooks and servers that they start. Beside Claude Code's own marks
# they say that such a host was started out of a Claude Code shell, and then started this process.
_INNER = (
    "CURSOR_VERSION",
    "GEMINI_SESSION_ID",
    "GEMINI_PROJECT_DIR",
    "QWEN_PROJECT_DIR",
    "COPILOT_PROJECT_DIR",
    "FACTORY_PROJECT_DIR",
    "OPENCODE_PID",
    "KILO_PID",
    "PI_CODING_AGENT",
)


def installed(machine: "Machine") -> "Evidence | None":
    home = _home(machine)
    return evidence(
        machine,
        ("claude",),
        (
            (machine.join(machine.home, ".local", "bin", _program(machine)), 0.9),
            (_state(machine), 0.8),
            (machine.join(home, "settings.json"), 0.7),
            (home, 0.5),  # other programs keep things for Claude Code there too
        ),
    )


def files(scope: str, machine: "Machine") -> "Mapping[str, str]":
    if scope == "user":
        return _surfaces(machine, _home(machine), _state(machine), machine.join(_home(machine), "CLAUDE.md"))
    if scope == "project" and machine.project:
        top = machine.project
        return _surfaces(
            machine, machine.join(top, ".claude"), machine.join(top, ".mcp.json"), machine.join(top, "CLAUDE.md")
        )
    return {}


def running(variables: "Mapping[str, str]") -> bool:
    """CLAUDE_PROJECT_DIR is no sign: Cursor, Gemini CLI, Qwen Code, Copilot CLI and Droid set it too."""
    if not variables.get("CLAUDECODE") or not variables.get("CLAUDE_CODE_SESSION_ID"):
        return False
    if variables.get("CODEX_MANAGED_BY_NPM") and not variables.get("CODEX_THREAD_ID"):
        return False  # in a shell of Codex' own there is a thread; without one Codex started this process itself
    return not any(variables.get(name) for name in _INNER)


def _surfaces(machine: "Machine", home: str, server: str, memory: str) -> "dict[str, str]":
    settings = machine.join(home, "settings.json")
    return {
        "home": home,
        "server": server,
        "hooks": settings,
        "commands": machine.join(home, "commands"),
        "skills": machine.join(home, "skills"),
        "subagents": machine.join(home, "agents"),
        "memory": memory,
        "statusline": settings,
        "config_patch": settings,
        "native_hooks": settings,
    }


def _home(machine: "Machine") -> str:
    return machine.config("CLAUDE_CONFIG_DIR", ".claude")


def _state(machine: "Machine") -> str:
    """The file with the servers stands beside the config folder, but inside one that CLAUDE_CONFIG_DIR names."""
    return machine.join(machine.variables.get("CLAUDE_CONFIG_DIR") or machine.home, ".claude.json")


def _program(machine: "Machine") -> str:
    return "claude.exe" if machine.platform == "win32" else "claude"
