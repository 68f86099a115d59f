"""Where Codebuff reads, and how it is recognised. On the hook path."""

from agent_connector.hosts.dialects.evidence import evidence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from agent_connector.hosts.contract import Evidence
    from agent_connector.hosts.machine import Machine

SCOPES = ("user", "project")
CLIENT_NAMES = ("codebuff*",)


def installed(machine: "Machine") -> "Evidence | None":
    """`.agents` belongs to many hosts, so it is no sign; the folder is still named after the product's first name."""
    return evidence(machine, ("codebuff", "freebuff"), ((machine.join(machine.home, ".config", "manicode"), 0.9),))


def files(scope: str, machine: "Machine") -> "Mapping[str, str]":
    """Everything lies in `.agents`, beside what other hosts read there."""
    if scope == "user":
        return {**_shared(machine, machine.home), "memory": machine.join(machine.home, ".knowledge.md")}
    if scope == "project" and machine.project:
        return {**_shared(machine, machine.project), "memory": machine.join(machine.project, "AGENTS.md")}
    return {}


def running(variables: "Mapping[str, str]") -> bool:
    """It leaves no mark that is documented."""
    return False


def _shared(machine: "Machine", top: str) -> "dict[str, str]":
    home = machine.join(top, ".agents")
    skills = machine.join(home, "skills")
    return {"home": home, "server": machine.join(home, "mcp.json"), "commands": skills, "skills": skills}
