"""Where Kimi Code CLI reads, and how it is recognised. On the hook path.

The Python program that it replaced has a home of its own, ~/.kimi: where only that is, the server goes there.
"""

from agent_connector.hosts.dialects.evidence import evidence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from agent_connector.hosts.contract import Evidence
    from agent_connector.hosts.machine import Machine

SCOPES = ("user", "project")
CLIENT_NAMES = ("kimi-code",)


def installed(machine: "Machine") -> "Evidence | None":
    home, old = _home(machine), _old(machine)
    traces = ((machine.join(home, "config.toml"), 0.8), (home, 0.6), (machine.join(old, "config.toml"), 0.5))
    return evidence(machine, ("kimi",), traces)


def files(scope: str, machine: "Machine") -> "Mapping[str, str]":
    """Hooks are the person's alone. Skills lie where other hosts read them too: one file serves all."""
    if scope == "user" and _only_old(machine):
        return {"home": _old(machine), "server": machine.join(_old(machine), "mcp.json")}
    if scope == "user":
        home = _home(machine)
        config = machine.join(home, "config.toml")
        return {
            **_surfaces(machine, home, machine.home),
            "hooks": config,
            "native_hooks": config,
            "config_patch": config,
            "statusline": machine.join(home, "tui.toml"),
            "memory": machine.join(home, "AGENTS.md"),
        }
    if scope == "project" and machine.project:
        home = machine.join(machine.project, ".kimi-code")
        return {**_surfaces(machine, home, machine.project), "memory": machine.join(machine.project, "AGENTS.md")}
    return {}


def outdated(machine: "Machine") -> "str | None":
    """The Python program, of which no version runs any more."""
    if not _only_old(machine):
        return None
    return "Kimi Code CLI, the new program `kimi`, which reads ~/.kimi-code: `kimi migrate` brings the old one's settings over"


def running(variables: "Mapping[str, str]") -> bool:
    """Hooks of plugins get a mark; those of config.toml and servers get none."""
    return bool(variables.get("KIMI_PLUGIN_ROOT"))


def _surfaces(machine: "Machine", home: str, top: str) -> "dict[str, str]":
    return {
        "home": home,
        "server": machine.join(home, "mcp.json"),
        "commands": machine.join(home, "skills"),
        "skills": machine.join(top, ".agents", "skills"),
        "subagents": machine.join(home, "agents"),
    }


def _home(machine: "Machine") -> str:
    return machine.config("KIMI_CODE_HOME", ".kimi-code")


def _old(machine: "Machine") -> str:
    return machine.config("KIMI_SHARE_DIR", ".kimi")


def _only_old(machine: "Machine") -> bool:
    return machine.exists(_old(machine)) and not machine.exists(_home(machine))
