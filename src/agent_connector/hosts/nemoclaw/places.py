"""How NemoClaw is recognised. Its agent reads inside a sandbox, so nothing of ours has a place. On the hook path."""

from agent_connector.hosts.dialects.evidence import evidence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from agent_connector.hosts.contract import Evidence
    from agent_connector.hosts.machine import Machine

SCOPES = ("user",)
CLIENT_NAMES = ()


def installed(machine: "Machine") -> "Evidence | None":
    return evidence(machine, ("nemoclaw",), ((machine.join(machine.home, ".nemoclaw"), 0.8),))


def files(scope: str, machine: "Machine") -> "Mapping[str, str]":
    return {"home": machine.join(machine.home, ".nemoclaw")} if scope == "user" else {}


def running(variables: "Mapping[str, str]") -> bool:
    return False
