"""What connectors cost, from the book: sums by tool, session, project or host, and what every number rests on."""

import json
import os
import sqlite3
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from typing import Any, cast

from agent_connector.errors import TelemetryError
from agent_connector.home import moments, paths
from agent_connector.home.moments import Zone
from agent_connector.telemetry import footprint, live, sizes, store, sums
from agent_connector.telemetry.footprint import Footprint
from agent_connector.telemetry.tokenizer import SURENESS

RECENT_DAYS = 30
BY = ("tool", "server", "session", "project", "host", "connector", "day")
_SHORT = {source: source.removeprefix("tokenizer-") for source in SURENESS}
_KEYS = {  # the scope is always told: what hooks were given is no part of what models read
    "tool": ("connector", "scope", "tool"),
    "server": ("connector",),
    "session": ("connector", "scope", "host", "session"),
    "project": ("connector", "scope", "project"),
    "host": ("connector", "scope", "host"),
    "connector": ("connector", "scope"),
    "day": ("day", "scope"),
}


@dataclass(frozen=True, slots=True)
class Line:
    """One group: its key, sums, and tokens by source."""

    key: Mapping[str, str]
    calls: int
    errors: int
    tokens_in: int
    tokens_out: int
    ms: float | None
    ms_most: float | None
    sources: Mapping[str, int]
    p50: int | None = None  # half of the tool's results are at most so many tokens; None where it is no tool
    p95: int | None = None

    @property
    def confidence(self) -> str:
        """The one source of all tokens, or the shares of several."""
        return confidence(self.sources)


@dataclass(frozen=True, slots=True)
class Definitions:
    """What a connector's tool definitions put before the model whenever they are offered."""

    connector: str
    host: str
    tools: int
    tokens: int
    confidence: str


@dataclass(frozen=True, slots=True)
class Tax:
    """What a connector costs in every turn, whether or not it is used: definitions, and what its content always tells.

    `sessions` and `calls` are those of its server since then; each session had at least one model request more than
    calls, and each request read all of `tokens`. `brought` is what arguments and results of the calls came to.
    """

    connector: str
    host: str
    tokens: int
    sessions: int
    calls: int
    brought: int

    @property
    def read_at_least(self) -> int:
        """Tokens of it that models have read at the least."""
        return self.tokens * (self.sessions + self.calls)


@dataclass(frozen=True, slots=True)
class Report:
    """Everything that `telemetry report` says."""

    by: str
    since: str
    lines: Sequence[Line]
    definitions: Sequence[Definitions]
    footprint: Sequence[Footprint]
    taxes: Sequence[Tax]
    unmeasured: Sequence[str]
    notes: Sequence[str] = field(default_factory=tuple)
    first: int = 0  # ms; 0: from the beginning
    zone: Zone = field(default_factory=moments.zone)
    trend: Sequence[tuple[str, int]] = field(default_factory=tuple)  # (day, tokens) of the last weeks, oldest first


@dataclass
class _Gathered:
    """What the books say together."""

    groups: dict[tuple[str, ...], sums.Sum] = field(default_factory=dict[tuple[str, ...], sums.Sum])
    servers: dict[tuple[str, ...], sums.Sum] = field(default_factory=dict[tuple[str, ...], sums.Sum])
    sizes: dict[tuple[str, str], dict[int, int]] = field(default_factory=dict[tuple[str, str], dict[int, int]])
    sessions: dict[tuple[str, str], tuple[int, int]] = field(default_factory=dict[tuple[str, str], tuple[int, int]])
    definitions: list[Definitions] = field(default_factory=list[Definitions])
    measured: set[str] = field(default_factory=set[str])
    names: dict[str, str] = field(default_factory=dict[str, str])
    days: dict[tuple[str, ...], sums.Sum] = field(default_factory=dict[tuple[str, ...], sums.Sum])


def make(
    root: str,
    by: str = "tool",
    since: str = "",
    project: str | None = None,
    hosts: Sequence[str] = (),
    zone: Zone | None = None,
) -> Report:
    """The report over the home's book, and over the project's own book where it has one. `hosts`: only those.

    `zone` is that of the words of `since`. Days are those of this machine's zone, in which they are summed.
    """
    if by not in BY:
        raise TelemetryError(f"cannot group by {by!r}", remedy="one of: " + ", ".join(BY))
    zone = zone or moments.zone()
    first = start(since, zone)
    settled = live.settle(root)
    manifests = read_manifests(root)
    keep = {name: int(table(told.get("telemetry")).get("keep_days") or 90) for name, told in manifests.items()}
    found = _Gathered()
    for book in books(root, project):
        with store.book(book, keep) as connection:
            _gather(connection, by, first, found, hosts)
    lines = [line(dict(zip(_KEYS[by], key, strict=True)), total, found.names) for key, total in found.groups.items()]
    if by == "tool":
        lines = [_with_sizes(one, found.sizes) for one in lines]
    lines.sort(key=lambda line: (line.key.get("day", ""), -(line.tokens_in + line.tokens_out)))
    content = footprint.read(root)
    notes = () if settled else ("a session that has just ended is still being counted",)
    remote = unmeasured(manifests, found.measured)
    taxes, trend = _taxes(found, content), _trend(found)
    return Report(by, since, lines, found.definitions, content, taxes, remote, notes, first, zone, trend)


def _trend(found: _Gathered) -> list[tuple[str, int]]:
    """Tokens of each of the last weeks' days, of those without any as well."""
    tokens = {key[0]: total.tokens_in + total.tokens_out for key, total in found.days.items()}
    if not tokens:
        return []
    last = date.fromisoformat(max(tokens))
    days = min((last - date.fromisoformat(min(tokens))).days, RECENT_DAYS)
    named = [(last - timedelta(days=back)).isoformat() for back in range(days, -1, -1)]
    return [(day, tokens.get(day, 0)) for day in named]


def _gather(connection: sqlite3.Connection, by: str, first: int, found: _Gathered, hosts: Sequence[str]) -> None:
    scopes = ("call",) if by == "server" else ("call", "hook")
    sums.gather(connection, _KEYS[by], first, found.groups, scopes, hosts)
    sums.gather(connection, ("connector", "host"), first, found.servers, ("call",), hosts)
    sums.gather(connection, ("day",), first, found.days, scopes, hosts)
    if by == "tool":
        sums.sizes(connection, first, found.sizes, hosts)
    for key, (count, calls) in sums.sessions(connection, first).items():
        before = found.sessions.get(key, (0, 0))
        found.sessions[key] = (before[0] + count, before[1] + calls)
    told = [Definitions(*one[:-1], confidence(one[-1])) for one in sums.overhead(connection, first)]
    found.definitions += [one for one in told if not hosts or one.host in hosts]
    found.measured |= sums.seen(connection, first)
    found.names |= sums.projects(connection)


def _with_sizes(one: Line, counts: Mapping[tuple[str, str], Mapping[int, int]]) -> Line:
    mine = counts.get((one.key["connector"], one.key["tool"])) if one.key["scope"] == "call" else None
    if not mine:
        return one
    return replace(one, p50=sizes.percentile(mine, 0.5), p95=sizes.percentile(mine, 0.95))


def _taxes(found: _Gathered, content: Sequence[Footprint]) -> list[Tax]:
    """One for each connector in each host in which its definitions were fetched, dearest first."""
    always: dict[str, int] = {}
    for one in content:
        always[one.connector] = always.get(one.connector, 0) + one.always
    made: list[Tax] = []
    for told in found.definitions:
        key = (told.connector, told.host)
        count, calls = found.sessions.get(key, (0, 0))
        total = found.servers.get(key, sums.Sum())
        tokens = told.tokens + always.get(told.connector, 0)
        made.append(Tax(*key, tokens, count, calls, total.tokens_in + total.tokens_out))
    return sorted(made, key=lambda tax: (-tax.read_at_least, -tax.tokens, tax.connector, tax.host))


def line(key: Mapping[str, str], total: sums.Sum, names: Mapping[str, str]) -> Line:
    """One line; a project's hash has its folder's name beside it."""
    named = {**key, "name": names.get(key["project"], "")} if "project" in key else key
    ms = round(total.ms / total.timed, 3) if total.timed else None
    most = round(total.ms_most, 3) if total.timed else None
    return Line(named, total.calls, total.errors, total.tokens_in, total.tokens_out, ms, most, total.sources)


def confidence(sources: Mapping[str, int]) -> str:
    """`exact`, or `exact 90%, heuristic 10%`: what the tokens rest on, surest first."""
    order = sorted(sources, key=lambda source: (*SURENESS, source).index(source))
    total = sum(sources.values())
    if len(order) == 1 or not total:
        return _SHORT.get(order[0], order[0]) if order else ""
    return ", ".join(f"{_SHORT.get(name, name)} {sources[name] * 100 / total:.0f}%" for name in order if sources[name])


def books(root: str, project: str | None) -> list[str]:
    """The folders of the books: home's, and that of the project around `project` when it keeps its own.

    A repository may come from anybody: one whose book is a link to another place is left alone, for reading writes.
    """
    found = [root]
    if project is not None:
        from agent_connector.telemetry.append import repository

        own = os.path.join(repository(project)[0], ".agent-connector")
        places = (own, paths.telemetry_folder(own), paths.segments_folder(own), paths.telemetry_store(own))
        if (
            os.path.isdir(paths.segments_folder(own))
            and os.path.realpath(own) != os.path.realpath(root)
            and not any(map(os.path.islink, places))
        ):
            found.append(own)
    return found


def start(since: str, zone: Zone | None = None) -> int:
    """When the word of `--since` begins (ms), in this machine's zone where none is given; 0 for an empty text."""
    return moments.since(since, zone or moments.zone(), time.time_ns() // 1_000_000)


def unmeasured(manifests: Mapping[str, Mapping[str, Any]], measured: set[str]) -> list[str]:
    """Connectors whose server is remote and not bridged: nothing of it passes here."""
    remote = ("http", "sse", "ws")
    return sorted(
        name
        for name, told in manifests.items()
        if table(told.get("server")).get("transport") in remote and name not in measured
    )


def read_manifests(root: str) -> dict[str, Mapping[str, Any]]:
    """The manifests of all connectors here, as far as they can be read."""
    found: dict[str, Mapping[str, Any]] = {}
    try:
        names = sorted(os.listdir(paths.connectors_folder(root)))
    except OSError:
        return found
    for name in names:
        try:
            with open(paths.manifest(root, name), encoding="utf-8") as file:
                found[name] = table(json.load(file))
        except (OSError, ValueError, RecursionError):
            continue
    return found


def table(value: Any) -> Mapping[str, Any]:
    """A JSON object, or an empty one."""
    return cast(Mapping[str, Any], value) if isinstance(value, dict) else {}
