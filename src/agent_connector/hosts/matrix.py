"""`docs/hosts.md`, made of the facts that the program itself works with, so that the page cannot lie.

`page()` is pure: it asks the facets, and reads and writes nothing. `make docs` writes what it returns.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from agent_connector.connector.light import EVENTS
from agent_connector.hosts import query
from agent_connector.hosts.machine import Machine

HOME, PROJECT = "~", "."
HEAD = """\
# Hosts

<!-- Made by `make docs` from the facts in src/agent_connector/hosts/. Do not edit. -->

What each host can take, what it does with a hook's decision, and how sure we are of it:

- **proven**: seen on the real program. **documented**: its documentation or its code says so. **uncertain**: neither.
- A decision is **honoured** (the host does what the decision says), **degraded** (it does something near it, and the
  reason says what) or dropped (`-`: it would do nothing, so nothing is sent).

The same facts are behind `agent-connector explain`, `install --dry-run` and `agent_connector.hosts.query`.
"""

USAGE = """\
What `usage scan` reads of the hosts' own logs, also of hosts that nothing else is described of yet:
"""


def page() -> str:
    """The whole page."""
    hosts = query.hosts()
    parts = [HEAD, "## Surfaces\n", *_surfaces(hosts), "\n## Servers\n", *_transports(hosts)]
    parts += ["\n## Usage logs\n", USAGE, *_usage()]
    for host in hosts:
        parts += ["", *_host(host)]
    return "\n".join(parts).rstrip("\n") + "\n"


def _surfaces(hosts: Sequence[str]) -> Iterator[str]:
    rows: list[list[str]] = []
    for host in hosts:
        said = [query.surface_support(host, surface) for surface in query.SURFACES]
        rows.append([_link(host), *(one.sure if one.support == "native" else "-" for one in said)])
    yield from table(["host", *(surface.replace("_", " ") for surface in query.SURFACES)], rows)


def _transports(hosts: Sequence[str]) -> Iterator[str]:
    known = ("stdio", "http", "sse", "ws")
    rows = [[_link(host), *(query.facts(host).TRANSPORTS.get(name, ("-",))[0] for name in known)] for host in hosts]
    yield from table(["host", *known], rows)


def _usage() -> Iterator[str]:
    rows: list[list[str]] = []
    for host in query.nameable():
        if facet := query.usage(host):
            name = _link(host) if host in query.hosts() else f"`{host}`"
            rows.append([name, facet.SURE if facet.READERS else "-", facet.NOTE or "-"])
    yield from table(["host", "read", "what is missing, or has to be done first"], rows)


def _link(host: str) -> str:
    name = query.facts(host).NAME
    return f"[{name}](#{re.sub(r'[^a-z0-9 -]', '', name.lower()).replace(' ', '-')})"


def _host(host: str) -> Iterator[str]:
    facts = query.facts(host)
    yield f"## {facts.NAME}\n"
    yield f"`{host}`, {facts.KIND} of {facts.VENDOR}, {facts.PARADIGM}."
    if facts.REPLACED_BY:
        yield f"Retired: {facts.REPLACED_BY} took its place."
    if facts.LOADS_HOOKS_OF:
        yield f"It also loads the hooks of {', '.join(facts.LOADS_HOOKS_OF)}; one event is answered once."
    yield "\n### Where it reads\n"
    yield from _files(host)
    yield "\n### What we write\n"
    yield from _written(host)
    yield from _section("What it honours", _decisions(host))
    yield from _section("What it degrades or drops", _limits(host))
    yield from _section("What a person must still do", _steps(host))
    yield from _section("Quirks", (f"- {what} ({date})" for what, date in facts.QUIRKS))
    yield from _section("Sources", (f"- {what} ({date})" for what, date in facts.SOURCES))
    yield "\n### Undo\n"
    yield f"`agent-connector uninstall --targets {host}` takes out what the ledger says is ours, and nothing else."


def _section(title: str, lines: Iterable[str]) -> Iterator[str]:
    told = list(lines)
    if told:
        yield f"\n### {title}\n"
        yield from told


def _files(host: str) -> Iterator[str]:
    places = query.places(host)
    machine = Machine(HOME, "linux", {}, PROJECT)
    by_scope = [places.files(scope, machine) for scope in places.SCOPES]
    surfaces = [name for name in query.SURFACES if any(name in files for files in by_scope)]
    rows = [[name.replace("_", " "), *(_code(files.get(name)) for files in by_scope)] for name in surfaces]
    yield from table(["surface", *places.SCOPES], rows)


def _code(text: str | None) -> str:
    return f"`{text}`" if text else "-"


def _written(host: str) -> Iterator[str]:
    for surface in query.SURFACES:
        said = query.surface_support(host, surface)
        sure = said.sure if said.support == "native" else f"not taken, {said.sure}"
        pressed = query.actions(host) if surface == "actions" else None
        way = f" ({pressed.AFFORDANCE}, run by {pressed.INVOCATION})" if pressed else ""
        yield f"- **{surface.replace('_', ' ')}** ({sure}): {said.how}{way}"
    for name, (sure, how) in query.facts(host).TRANSPORTS.items():
        yield f"- **{name} server** ({sure}): {how}"


def _decisions(host: str) -> Iterator[str]:
    facet = query.hooks(host)
    if facet is None:
        return
    rows: list[list[str]] = []
    for event in (name for name in EVENTS if name in facet.EVENTS):
        verdicts = [facet.honours(event, kind) for kind in query.DECISIONS]
        cells = ["-" if verdict == "dropped" else f"{verdict}, {sure}" for verdict, sure, _ in verdicts]
        rows.append([event, f"`{facet.EVENTS[event]}`", *cells])
    yield from table(["event", "its name", *(kind.replace("_", " ") for kind in query.DECISIONS)], rows)


def _limits(host: str) -> Iterator[str]:
    """What is degraded, what was seen to be dropped, and the events that it does not have."""
    facet = query.hooks(host)
    if facet is None:
        return
    by_reason: dict[str, list[str]] = {}
    for event in (name for name in EVENTS if name in facet.EVENTS):
        for kind in query.DECISIONS:
            verdict, sure, why = facet.honours(event, kind)
            if verdict == "degraded" or (verdict == "dropped" and sure == "proven"):
                by_reason.setdefault(f"{verdict}, {sure}: {why}", []).append(f"{kind} at {event}")
    yield from (f"- {', '.join(where)}: {reason}" for reason, where in by_reason.items())
    missing = [name for name in EVENTS if name not in facet.EVENTS]
    if missing:
        yield f"- It has no event for {', '.join(missing)}."
    if facet.NATIVE:
        yield f"- Beyond them, as native hooks: {', '.join(f'`{name}`' for name in facet.NATIVE)}."


def _steps(host: str) -> Iterator[str]:
    for surface, scope, line in query.facts(host).STEPS:
        yield f"- {surface.replace('_', ' ')}{f' ({scope})' if scope else ''}: {line}"


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield f"| {' | '.join('---' for _ in head)} |"
    for row in rows:
        yield f"| {' | '.join(cell.replace('|', '&#124;') for cell in row)} |"
