"""The hosts that can be driven, and which of them are on this machine."""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from agent_connector.hosts import query
from agent_connector.hosts.contract import Headless
from agent_connector.hosts.machine import Machine


@cache
def FACETS() -> Mapping[str, Headless]:
    """Host id -> its headless facet, in the order of the table."""
    found = {host: query.headless(host) for host in query.hosts()}
    return MappingProxyType({host: facet for host, facet in found.items() if facet is not None})


def available(machine: Machine) -> Mapping[str, str]:
    """Host id -> the path of its program, for those that `machine` has."""
    found = {host: machine.which(facet.PROGRAM) for host, facet in FACETS().items()}
    return {host: path for host, path in found.items() if path}


def available_over_acp(machine: Machine) -> Mapping[str, str]:
    """Host id -> the path of the program that speaks ACP for it: the host's own, or an adapter."""
    found = {host: machine.which(facet.ACP[0]) for host, facet in FACETS().items() if facet.ACP}
    return {host: path for host, path in found.items() if path}
