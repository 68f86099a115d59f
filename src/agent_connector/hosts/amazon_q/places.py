"""Where Amazon Q Developer CLI reads, and how it is recognised. On the hook path."""

from agent_connector.hosts.dialects.evidence import evidence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from agent_connector.hosts.contract import Evidence
    from agent_connector.hosts.machine import Machine

SCOPES = ("user", "project")
CLIENT_NAMES = ("Q DEV CLI",)

AGENT = "agent-connector"  # of ours, which holds the hooks


def installed(machine: "Machine") -> "Evidence | None":
    """`q` may be another program, and the plugins of editors keep things in its folder too."""
    home = machine.join(machine.home, ".aws", "amazonq")
    return evidence(machine, ("qchat",), ((machine.join(_data(machine), "data.sqlite3"), 0.8), (home, 0.6)))


def files(scope: str, machine: "Machine") -> "Mapping[str, str]":
    if scope == "user":
        return _shared(machine, machine.join(machine.home, ".aws", "amazonq"))
    if scope == "project" and machine.project:
        home = machine.join(machine.project, ".amazonq")
        return {**_shared(machine, home), "memory": machine.join(machine.project, "AmazonQ.md")}
    return {}


def running(variables: "Mapping[str, str]") -> bool:
    """It leaves no mark that is sure."""
    return False


def _shared(machine: "Machine", home: str) -> "dict[str, str]":
    return {
        "home": home,
        "server": machine.join(home, "mcp.json"),
        "hooks": machine.join(home, "cli-agents", f"{AGENT}.json"),
        "commands": machine.join(home, "prompts"),
        "subagents": machine.join(home, "cli-agents"),
    }


def _data(machine: "Machine") -> str:
    if machine.platform == "darwin":
        return machine.join(machine.home, "Library", "Application Support", "amazon-q")
    if machine.platform == "win32":
        return machine.join(machine.config("LOCALAPPDATA", "AppData", "Local"), "amazon-q")
    return machine.join(machine.config("XDG_DATA_HOME", ".local", "share"), "amazon-q")
