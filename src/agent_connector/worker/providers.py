"""Which host does the work for a provider: the words that roles and `adapter` may use.

`acp:` before a host's id is the same host, driven over the Agent Client Protocol.
"""

from collections.abc import Mapping
from functools import cache

from agent_connector.drive import hosts
from agent_connector.drive.hosts import FACETS
from agent_connector.hosts.contract import Headless
from agent_connector.hosts.machine import Machine

OVER_ACP = "acp:"


@cache
def names() -> dict[str, str]:
    """Every word and the host that it means; a host's own id wins over another's word for it."""
    said = {word.casefold(): host for host in reversed(list(FACETS())) for word in FACETS()[host].PROVIDERS}
    return {**said, **{host: host for host in facets()}}


@cache
def facets() -> Mapping[str, Headless]:
    """Each host that can be driven, and again with `acp:` before it where it speaks that."""
    talking = {OVER_ACP + host: facet for host, facet in FACETS().items() if facet.ACP}
    return {**FACETS(), **talking}


def available(machine: Machine) -> dict[str, str]:
    """Those that `machine` has, and their programs."""
    talking = hosts.available_over_acp(machine)
    return {**hosts.available(machine), **{OVER_ACP + host: path for host, path in talking.items()}}


def host_of(word: str) -> str | None:
    """The host that `word` means, None when nothing here answers to it. Behind `acp:` any word for a host will do."""
    said = word.strip().casefold()
    host = names().get(bare(said))
    if host is None or not is_acp(said):
        return host
    return OVER_ACP + host if OVER_ACP + host in facets() else None


def meant(word: object) -> list[str]:
    """What whoever wrote a word that means nothing may have meant."""
    over_acp = isinstance(word, str) and is_acp(word.strip().casefold())
    return sorted(name for name in names() if is_acp(name) or not over_acp)


def bare(host: str) -> str:
    """The host itself, however it is driven."""
    return host.removeprefix(OVER_ACP)


def is_acp(host: str) -> bool:
    return host.startswith(OVER_ACP)
