"""Where Continue reads, and how it is recognised. On the hook path."""

from agent_connector.hosts.dialects.evidence import evidence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from agent_connector.hosts.contract import Evidence
    from agent_connector.hosts.machine import Machine

SCOPES = ("user", "project")
CLIENT_NAMES = ("continue-cli-client", "continue-client")


def installed(machine: "Machine") -> "Evidence | None":
    """`cn` alone may be another program."""
    home = _home(machine)
    programs = ("cn",) if machine.exists(home) else ()
    return evidence(machine, programs, ((machine.join(home, "config.yaml"), 0.9), (home, 0.7)))


def files(scope: str, machine: "Machine") -> "Mapping[str, str]":
    """A project's files of servers are read by the editors alone, and not by its CLI: none is written."""
    if scope == "user":
        home = _home(machine)
        rule = machine.join(home, "rules", "agent-connector.md")
        return {**_content(machine, home), "server": machine.join(home, "config.yaml"), "memory": rule}
    if scope == "project" and machine.project:
        top = machine.project
        return {**_content(machine, machine.join(top, ".continue")), "memory": machine.join(top, "AGENTS.md")}
    return {}


def running(variables: "Mapping[str, str]") -> bool:
    """It leaves no mark."""
    return False


def _content(machine: "Machine", home: str) -> "dict[str, str]":
    return {"home": home, "commands": machine.join(home, "prompts"), "skills": machine.join(home, "skills")}


def _home(machine: "Machine") -> str:
    return machine.config("CONTINUE_GLOBAL_DIR", ".continue")
