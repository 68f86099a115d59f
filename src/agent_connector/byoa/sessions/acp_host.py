"""The host's program on this machine: how its ACP agent is started, and what it is called to an app."""

import os
import platform
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from agent_connector.errors import HostError
from agent_connector.hosts import query


@dataclass(frozen=True, slots=True)
class Launch:
    """What is started for a host."""

    host: str
    name: str
    argv: tuple[str, ...]


@dataclass
class AcpHost:
    """The `HostAdapter`. Its version is known once the agent has said hello."""

    id: str
    is_interactive: bool
    show: Callable[[str | None, str | None], None]
    version: str = ""
    machine_name: str = platform.node() or "this machine"

    def display(self, band: str | None, toast: str | None) -> None:
        self.show(band, toast)


def speaking() -> tuple[str, ...]:
    """The hosts whose agent speaks ACP."""
    return tuple(host for host in query.hosts() if getattr(query.facet(host, "headless"), "ACP", None))


def launch(host: str, extra: Sequence[str], variables: Mapping[str, str]) -> Launch:
    """The agent's program on the PATH; raises HostError that says what to install."""
    facet = query.facet(query.known(host), "headless")
    name = query.facts(host).NAME
    line: tuple[str, ...] = getattr(facet, "ACP", ())
    if not line:
        raise HostError(
            f"{name} does not speak the Agent Client Protocol", remedy=f"These do: {', '.join(speaking())}."
        )
    found = shutil.which(line[0], path=variables.get("PATH"))
    if found is None:
        package = getattr(facet, "ACP_PACKAGE", "")
        remedy = f"npm install -g {package}" if package else f"Install {name} first."
        raise HostError(f"there is no program {line[0]!r} on the PATH", where=host, remedy=remedy)
    return Launch(host, name, (os.path.abspath(found), *line[1:], *extra))
