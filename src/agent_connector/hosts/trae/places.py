"""Where Trae reads, and how it is recognised, in its editions. On the hook path."""

from agent_connector.hosts.dialects import vscode
from agent_connector.hosts.dialects.evidence import evidence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from agent_connector.hosts.contract import Evidence
    from agent_connector.hosts.machine import Machine

SCOPES = ("user", "project")
CLIENT_NAMES = ()  # not known

_EDITIONS = (  # the profile's name, and the folder in a person's home
    ("Trae", ".trae"),
    ("Trae CN", ".trae-cn"),
    ("TRAE SOLO", ".trae"),
    ("TRAE SOLO CN", ".trae-cn"),
)


def installed(machine: "Machine") -> "Evidence | None":
    traces = [(vscode.user_folder(machine, product), 0.9) for product, _ in _EDITIONS]
    traces += [(machine.join(machine.home, home), 0.6) for home in (".trae", ".trae-cn")]
    if machine.platform == "darwin":
        traces += [("/Applications/Trae.app", 0.9), ("/Applications/Trae CN.app", 0.9)]
    return evidence(machine, ("trae", "trae-cn"), traces)


def files(scope: str, machine: "Machine") -> "Mapping[str, str]":
    """Skills lie where other hosts read too."""
    if scope == "user":
        product, folder = _edition(machine)
        home, profile = machine.join(machine.home, folder), vscode.user_folder(machine, product)
        return {
            **_shared(machine, home, machine.home),
            "server": machine.join(profile, "mcp.json"),
            "memory": machine.join(home, "user_rules", "agent-connector.md"),
            "config_patch": machine.join(profile, "settings.json"),
        }
    if scope == "project" and machine.project:
        top = machine.project
        home = machine.join(top, ".trae")
        return {
            **_shared(machine, home, top),
            "server": machine.join(home, "mcp.json"),
            "memory": machine.join(top, "AGENTS.md"),
        }
    return {}


def running(variables: "Mapping[str, str]") -> bool:
    """What hooks get, beside Claude Code's own CLAUDE_PROJECT_DIR."""
    return bool(variables.get("TRAE_PROJECT_DIR"))


def _shared(machine: "Machine", home: str, top: str) -> "dict[str, str]":
    return {
        "home": home,
        "hooks": machine.join(home, "hooks.json"),
        "commands": machine.join(home, "commands"),
        "skills": machine.join(top, ".agents", "skills"),
        "subagents": machine.join(home, "agents"),
    }


def _edition(machine: "Machine") -> "tuple[str, str]":
    """The first edition whose profile is there, else whose home is."""
    for product, home in _EDITIONS:
        if machine.exists(vscode.user_folder(machine, product)):
            return product, home
    return next((each for each in _EDITIONS if machine.exists(machine.join(machine.home, each[1]))), _EDITIONS[0])
