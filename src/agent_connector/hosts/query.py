"""What the hosts can do, asked by host and by surface; and the one door to a host's facets.

facet("codex", "hooks")              the module, or None when the host has none
capabilities_of("codex")             all of it as one value
surface_support("codex", "skills")   native, skip-warn or disabled, how sure, and a line that says how
hosts_supporting("statusline")       ids, in the order of the table
SURFACE_PREDICATES["memory"]("codex")    does the code for it stand there?
"""

import importlib
import importlib.util
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from types import ModuleType
from typing import TYPE_CHECKING, Any, cast

from agent_connector.connector import light
from agent_connector.errors import HostError
from agent_connector.hosts.table import HOSTS, LATER

if TYPE_CHECKING:
    from agent_connector.hosts import contract
    from agent_connector.hosts.contract import Facts, Hooks, Places, Register, Support, Sure, Surface, Verdict

SURFACES = cast("tuple[Surface, ...]", light.SURFACES)
DECISIONS = ("allow", "deny", "ask", "modify", "context", "replace_output")


@dataclass(frozen=True, slots=True)
class SurfaceSupport:
    """`support` is native, skip-warn (said, never silent) or disabled; `how` is one line."""

    support: "Support"
    sure: "Sure"
    how: str


@dataclass(frozen=True, slots=True)
class Honour:
    """What a host does with one kind of decision at one event."""

    verdict: "Verdict"
    sure: "Sure"
    why: str


@dataclass(frozen=True, slots=True)
class Capabilities:
    """All that a host can do. `decisions` is by normalized event, then by kind of decision."""

    host: str
    name: str
    vendor: str
    kind: str
    paradigm: str
    scopes: tuple[str, ...]
    surfaces: "Mapping[Surface, SurfaceSupport]"
    transports: "Mapping[str, tuple[Sure, str]]"
    events: Mapping[str, str]  # normalized -> the host's name
    native_events: tuple[str, ...]
    decisions: Mapping[str, Mapping[str, Honour]]
    replaced_by: str | None
    loads_hooks_of: tuple[str, ...]
    action_affordance_kind: str | None  # what a person presses: a task, a command ...
    action_invocation_mode: str | None  # how that reaches us: exec, exec-file, manual-hook, paste, plugin-command


def hosts() -> tuple[str, ...]:
    """Every host, forks before those that they were forked from."""
    return HOSTS


def nameable() -> tuple[str, ...]:
    """What a declaration may name: the hosts, and those that are described later."""
    return tuple(dict.fromkeys((*HOSTS, *LATER)))


def known(host: str) -> str:
    """`host` when it is one; raises HostError with what was probably meant."""
    if host in HOSTS:
        return host
    if host in LATER:
        raise HostError(f"{host} is not described yet", remedy=f"These are: {', '.join(HOSTS)}.")
    close = get_close_matches(host, HOSTS, 1)
    hint = f"Did you mean {close[0]}? " if close else ""
    raise HostError(f"there is no host {host!r}", remedy=f"{hint}One of {', '.join(HOSTS)}.")


@cache
def facet(host: str, name: str) -> Any:
    """The module of `host` that answers for `name`, None when the host has none."""
    return _module(known(host), name)


def _module(host: str, name: str) -> Any:
    package = f"agent_connector.hosts.{host.replace('-', '_')}"
    if importlib.util.find_spec(package) is None or importlib.util.find_spec(f"{package}.{name}") is None:
        return None
    return importlib.import_module(f"{package}.{name}")


def facts(host: str) -> "Facts":
    return cast("Facts", _must(host, "facts"))


def places(host: str) -> "Places":
    return cast("Places", _must(host, "places"))


def hooks(host: str) -> "Hooks | None":
    return cast("Hooks | None", facet(host, "hooks"))


def register(host: str) -> "Register | None":
    return cast("Register | None", facet(host, "register"))


def content(host: str) -> "contract.Content | None":
    return cast("contract.Content | None", facet(host, "content"))


def statusline(host: str) -> "contract.StatusLine | None":
    return cast("contract.StatusLine | None", facet(host, "statusline"))


def actions(host: str) -> "contract.Actions | None":
    return cast("contract.Actions | None", facet(host, "actions"))


def headless(host: str) -> "contract.Headless | None":
    return cast("contract.Headless | None", facet(host, "headless"))


def samples(host: str) -> "contract.Samples | None":
    return cast("contract.Samples | None", facet(host, "samples"))


def trust(host: str) -> "contract.Trust | None":
    return cast("contract.Trust | None", facet(host, "trust"))


def usage(host: str) -> "contract.Usage | None":
    """The one facet that a host may have before it is described otherwise."""
    return cast("contract.Usage | None", _module(host, "usage"))


def _must(host: str, name: str) -> ModuleType:
    module = facet(host, name)
    if module is None:
        raise HostError(f"{host} has no {name}", remedy="A host folder needs at least facts and places.")
    return module


def _has(host: str, name: str, *members: str) -> bool:
    module = facet(host, name)
    return module is not None and all(getattr(module, member, None) for member in members)


SURFACE_PREDICATES: "Mapping[Surface, Callable[[str], bool]]" = {
    "server": lambda host: _has(host, "register", "entry", "PATH", "FORMAT"),
    "hooks": lambda host: _has(host, "hooks", "wire", "parse", "reply", "honours", "EVENTS"),
    "commands": lambda host: _has(host, "content", "command"),
    "skills": lambda host: _has(host, "content", "skill"),
    "subagents": lambda host: _has(host, "content", "subagent"),
    "memory": lambda host: _has(host, "content", "memory"),
    "statusline": lambda host: _has(host, "statusline", "wire", "context"),
    "actions": lambda host: _has(host, "actions", "wire"),
    "config_patch": lambda host: surface_support(host, "config_patch").support == "native",
    "native_hooks": lambda host: _has(host, "hooks", "NATIVE"),
}


def surface_support(host: str, surface: str) -> SurfaceSupport:
    """How `host` takes `surface`; what its facts do not name is `disabled`."""
    if surface not in SURFACES:
        raise HostError(f"there is no surface {surface!r}", remedy=f"One of {', '.join(SURFACES)}.")
    row = facts(host).SURFACES.get(surface)
    return SurfaceSupport(*row) if row else SurfaceSupport("disabled", "documented", "the host has nothing like it")


def hosts_supporting(surface: str) -> tuple[str, ...]:
    """The hosts that take `surface` natively."""
    return tuple(host for host in HOSTS if surface_support(host, surface).support == "native")


def capabilities_of(host: str) -> Capabilities:
    """All that `host` can do."""
    stated, hook = facts(host), hooks(host)
    events = dict(hook.EVENTS) if hook else {}
    pressed = actions(host)
    return Capabilities(
        host=host,
        name=stated.NAME,
        vendor=stated.VENDOR,
        kind=stated.KIND,
        paradigm=stated.PARADIGM,
        scopes=places(host).SCOPES,
        surfaces={surface: surface_support(host, surface) for surface in SURFACES},
        transports=dict(stated.TRANSPORTS),
        events=events,
        native_events=tuple(hook.NATIVE) if hook else (),
        decisions={e: {k: Honour(*hook.honours(e, k)) for k in DECISIONS} for e in events} if hook else {},
        replaced_by=stated.REPLACED_BY,
        loads_hooks_of=stated.LOADS_HOOKS_OF,
        action_affordance_kind=pressed.AFFORDANCE if pressed else None,
        action_invocation_mode=pressed.INVOCATION if pressed else None,
    )
