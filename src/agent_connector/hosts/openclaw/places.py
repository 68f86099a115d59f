"""Where OpenClaw reads, and how it is recognised. On the hook path."""

from agent_connector.hosts.dialects.evidence import evidence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from agent_connector.hosts.contract import Evidence
    from agent_connector.hosts.machine import Machine

SCOPES = ("user",)
CLIENT_NAMES = ("openclaw-bundle-mcp",)


def installed(machine: "Machine") -> "Evidence | None":
    """Its state folder; where NemoClaw is too, that has one of its own in its sandbox."""
    state = _state(machine)
    return evidence(
        machine, ("openclaw",), ((_config(machine), 0.8), (machine.join(state, "agents"), 0.7), (state, 0.5))
    )


def files(scope: str, machine: "Machine") -> "Mapping[str, str]":
    """Plugins are found in the state folder, so a config elsewhere has no place for ours."""
    if scope != "user":
        return {}
    state, config = _state(machine), _config(machine)
    found = {
        "home": state,
        "server": config,
        "config_patch": config,
        "commands": machine.join(state, "skills"),
        "skills": machine.join(state, "skills"),
        "memory": machine.join(state, "workspace", "AGENTS.md"),
    }
    if config == machine.join(state, "openclaw.json"):
        found |= {"hooks": config, "native_hooks": config, "actions": config}
    return found


def running(variables: "Mapping[str, str]") -> bool:
    """Set for what its agent runs in a shell; servers get a clean environment."""
    return variables.get("OPENCLAW_SHELL") == "exec"


def _state(machine: "Machine") -> str:
    home = machine.variables.get("OPENCLAW_HOME") or machine.home
    return machine.variables.get("OPENCLAW_STATE_DIR") or machine.join(home, ".openclaw")


def _config(machine: "Machine") -> str:
    return machine.variables.get("OPENCLAW_CONFIG_PATH") or machine.join(_state(machine), "openclaw.json")
