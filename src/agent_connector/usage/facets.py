"""The hosts whose folder has a module `usage`; those without one cost a look at the disk and no import."""

import importlib
import os
from typing import TYPE_CHECKING, cast

from agent_connector import hosts
from agent_connector.hosts.table import HOSTS, LATER

if TYPE_CHECKING:
    from agent_connector.hosts.contract import Usage


def names() -> tuple[str, ...]:
    """Every host with a `usage` facet, in the order of the table."""
    folder = os.path.dirname(hosts.__file__)
    every = dict.fromkeys((*HOSTS, *LATER))
    return tuple(host for host in every if os.path.isfile(os.path.join(folder, _package(host), "usage.py")))


def load(host: str) -> "Usage":
    """The facet of a host that `names` gives."""
    return cast("Usage", importlib.import_module(f"agent_connector.hosts.{_package(host)}.usage"))


def family(host: str) -> str:
    """What the keys of `host` are its own in: itself, or the hosts among which it moves conversations."""
    return getattr(load(host), "FAMILY", host)


def reach(host: str, kind: str) -> int:
    """How many folders above a log of `kind` the host keeps what is read beside it."""
    return getattr(load(host), "REACH", {}).get(kind, 0)


def _package(host: str) -> str:
    return host.replace("-", "_")
