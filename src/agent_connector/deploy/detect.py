"""Which hosts are on this machine, and which one runs this process.

Two layers: `detect` looks for what a host leaves behind (evidence and confidence); `running_host` reads the marks
that a host puts into the environment of what it starts, and then the name that an MCP client gives itself.
"""

import os
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass

from agent_connector.hosts import query
from agent_connector.hosts.machine import Machine

ENOUGH = 0.5  # a folder alone, which other programs share, is less


@dataclass(frozen=True, slots=True)
class Detected:
    """A host that left something here. `confidence` 0..1; `found` is the evidence; `program` its executable."""

    host: str
    name: str
    confidence: float
    found: tuple[str, ...]
    program: str | None

    @property
    def sure(self) -> bool:
        return self.confidence >= ENOUGH


def this_machine(project: str | None = None) -> Machine:
    """This machine, as the hosts' rules look at it."""
    return Machine(
        home=os.path.expanduser("~"),
        platform=sys.platform,
        variables=dict(os.environ),
        project=os.path.abspath(project) if project else None,
        exists=os.path.exists,
        which=shutil.which,
    )


def detect(machine: Machine) -> tuple[Detected, ...]:
    """Every host with any evidence, in the order of the table."""
    found: list[Detected] = []
    for host in query.hosts():
        if not query.described(host):
            continue
        evidence = query.places(host).installed(machine)
        if evidence is not None:
            seen = tuple(evidence["found"])
            name = query.facts(host).NAME
            found.append(Detected(host, name, evidence["confidence"], seen, evidence["program"]))
    return tuple(found)


def running_host(variables: Mapping[str, str], client: str | None = None) -> str | None:
    """The host that started this process: by its marks (forks before parents), else by MCP `clientInfo.name`."""
    described = [host for host in query.hosts() if query.described(host)]
    marked = next((host for host in described if query.places(host).running(variables)), None)
    if marked is not None or not client:
        return marked
    return next((host for host in described if client in query.places(host).CLIENT_NAMES), None)
