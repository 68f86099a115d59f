"""Which hosts are on this machine, and which one runs this process.

Two layers: `detect` looks for what a host leaves behind (evidence and confidence); `running_host` reads the marks
that a host puts into the environment of what it starts, and then the name that an MCP client gives itself.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from agent_connector.hosts import query
from agent_connector.hosts.dialects.evidence import is_client
from agent_connector.hosts.machine import Machine
from agent_connector.hosts.machine import here as this_machine

__all__ = ["Detected", "detect", "found_here", "running_host", "this_machine"]

ENOUGH = 0.5  # a folder alone, which other programs share, is less


@dataclass(frozen=True, slots=True)
class Detected:
    """A host that left something here. `confidence` 0..1; `found` is the evidence; `program` its executable.

    `replaced_by` says of a retired host, or of an old version, what took its place.
    """

    host: str
    name: str
    confidence: float
    found: tuple[str, ...]
    program: str | None
    replaced_by: str | None = None

    @property
    def surfaces(self) -> Mapping[str, tuple[str, str]]:
        """Surface -> (support, how sure)."""
        every = {surface: query.surface_support(self.host, surface) for surface in query.SURFACES}
        return {surface: (one.support, one.sure) for surface, one in every.items()}

    @property
    def sure(self) -> bool:
        return self.confidence >= ENOUGH


def detect(machine: Machine) -> tuple[Detected, ...]:
    """Every host with any evidence, in the order of the table."""
    found: list[Detected] = []
    for host in query.hosts():
        places = query.places(host)
        evidence = places.installed(machine)
        if evidence is not None:
            seen = tuple(evidence["found"])
            facts = query.facts(host)
            outdated: Callable[[Machine], str | None] | None = getattr(places, "outdated", None)
            replaced = facts.REPLACED_BY or (outdated(machine) if outdated else None)
            found.append(Detected(host, facts.NAME, evidence["confidence"], seen, evidence["program"], replaced))
    return tuple(found)


def found_here(machine: Machine) -> frozenset[str]:
    """The hosts of which there is more here than a folder that others use too."""
    return frozenset(found.host for found in detect(machine) if found.sure)


def running_host(variables: Mapping[str, str], client: str | None = None) -> str | None:
    """The host that started this process: by its marks (forks before parents), else by MCP `clientInfo.name`."""
    marked = next((host for host in query.hosts() if query.places(host).running(variables)), None)
    if marked is not None or not client:
        return marked
    return next(
        (host for host in query.hosts() if any(is_client(client, name) for name in query.places(host).CLIENT_NAMES)),
        None,
    )
