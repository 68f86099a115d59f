"""Where Mux, now Xum, reads, and how it is recognised. On the hook path."""

from agent_connector.hosts.dialects.evidence import evidence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from agent_connector.hosts.contract import Evidence
    from agent_connector.hosts.machine import Machine

SCOPES = ("user", "project")
CLIENT_NAMES = ("xum", "mux")


def installed(machine: "Machine") -> "Evidence | None":
    """`mux` alone is the name of other programs too."""
    apps = ("/Applications/Xum.app", "/Applications/Mux.app") if machine.platform == "darwin" else ()
    folders = [machine.join(machine.home, name) for name in (".xum", ".mux")]
    programs = ("xum", "mux") if any(machine.exists(folder) for folder in folders) else ("xum",)
    return evidence(machine, programs, (*((folder, 0.8) for folder in folders), *((app, 0.9) for app in apps)))


def files(scope: str, machine: "Machine") -> "Mapping[str, str]":
    """A new folder of a project would hide an old one, so the one that is there counts."""
    if scope == "user":
        own = machine.variables.get("XUM_ROOT") or machine.variables.get("MUX_ROOT")
        home = own or _there(machine, machine.home)
        return {**_surfaces(machine, home, machine.home), "memory": machine.join(home, "AGENTS.md")}
    if scope == "project" and machine.project:
        top = machine.project
        return {**_surfaces(machine, _there(machine, top), top), "memory": machine.join(top, "AGENTS.md")}
    return {}


def running(variables: "Mapping[str, str]") -> bool:
    """Set for hooks and shells."""
    return bool(variables.get("XUM_WORKSPACE_ID") or variables.get("MUX_WORKSPACE_ID"))


def _there(machine: "Machine", top: str) -> str:
    new, old = machine.join(top, ".xum"), machine.join(top, ".mux")
    return old if machine.exists(old) and not machine.exists(new) else new


def _surfaces(machine: "Machine", home: str, top: str) -> "dict[str, str]":
    skills = machine.join(top, ".agents", "skills")
    return {
        "home": home,
        "server": machine.join(home, "mcp.jsonc"),
        "hooks": home,
        "native_hooks": home,
        "commands": machine.join(home, "skills"),  # as skills, in words of its own: not where other hosts read too
        "skills": skills,
        "subagents": machine.join(home, "agents"),
    }
