"""Places that are not known beforehand: a host that keeps its log in each project has a list of them somewhere."""

from typing import TYPE_CHECKING

from agent_connector.hosts.machine import Machine
from agent_connector.hosts.records import Place
from agent_connector.usage.walk import walk

if TYPE_CHECKING:
    from agent_connector.hosts.contract import Usage

LARGEST = 16 << 20  # bytes of a list; a larger one is none


def places(facet: "Usage", machine: Machine) -> list[Place]:
    """Where the host's logs lie, with what its lists name."""
    known = list(facet.logs(machine))
    lists = getattr(facet, "LISTS", {})
    for found in list(walk([place for place in known if place.kind in lists])) if lists else ():
        try:
            with open(found.path, "rb") as stream:
                known += lists[found.kind](stream.read(LARGEST), machine)
        except OSError:
            continue  # it is said when the list itself is read, which is a log like others
    return list(dict.fromkeys(known))
