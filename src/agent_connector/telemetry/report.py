"""What connectors cost, from the book: sums by tool, session, project or host, and what every number rests on."""

import json
import os
import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from agent_connector.errors import TelemetryError
from agent_connector.home import paths
from agent_connector.telemetry import live, store, sums
from agent_connector.telemetry.tokenizer import SURENESS

BY = ("tool", "session", "project", "host", "connector", "day")
_SHORT = {source: source.removeprefix("tokenizer-") for source in SURENESS}
_UNITS = {"m": 60, "h": 3600, "d": 86400, "w": 604800}
_SINCE = re.compile(r"(\d+)\s*([mhdw])")
_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_KEYS = {  # the scope is always told: what hooks were given is no part of what models read
    "tool": ("connector", "scope", "tool"),
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
class Report:
    """Everything that `telemetry report` says."""

    by: str
    since: str
    lines: Sequence[Line]
    definitions: Sequence[Definitions]
    unmeasured: Sequence[str]
    notes: Sequence[str] = field(default_factory=tuple)


def make(root: str, by: str = "tool", since: str = "", project: str | None = None) -> Report:
    """The report over the home's book, and over the project's own book where it has one."""
    if by not in BY:
        raise TelemetryError(f"cannot group by {by!r}", remedy="one of: " + ", ".join(BY))
    first = start(since)
    settled = live.settle(root)
    manifests = read_manifests(root)
    keep = {name: int(table(told.get("telemetry")).get("keep_days") or 90) for name, told in manifests.items()}
    groups: dict[tuple[str, ...], sums.Sum] = {}
    definitions: list[Definitions] = []
    measured: set[str] = set()
    names: dict[str, str] = {}
    for book in books(root, project):
        with store.book(book, keep) as connection:
            sums.gather(connection, _KEYS[by], first, groups)
            definitions += [Definitions(*one[:-1], confidence(one[-1])) for one in sums.overhead(connection, first)]
            measured |= sums.seen(connection, first)
            names |= sums.projects(connection)
    lines = [line(dict(zip(_KEYS[by], key, strict=True)), total, names) for key, total in groups.items()]
    lines.sort(key=lambda line: -(line.tokens_in + line.tokens_out))
    notes = () if settled else ("a session that has just ended is still being counted",)
    return Report(by, since, lines, definitions, unmeasured(manifests, measured), notes)


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
    """The folders of the books: home's, and that of the project around `project` when it keeps its own."""
    found = [root]
    if project is not None:
        from agent_connector.telemetry.append import repository

        own = os.path.join(repository(project)[0], ".agent-connector")
        if os.path.isdir(paths.segments_folder(own)) and os.path.realpath(own) != os.path.realpath(root):
            found.append(own)
    return found


def start(since: str) -> int:
    """`7d`, `24h`, `30m`, `2w` or a date as milliseconds; 0 for an empty text."""
    if not since:
        return 0
    if found := _SINCE.fullmatch(since.strip()):
        return int((time.time() - int(found[1]) * _UNITS[found[2]]) * 1000)
    if _DATE.fullmatch(since.strip()):
        try:
            return int(time.mktime(time.strptime(since.strip(), "%Y-%m-%d")) * 1000)
        except (ValueError, OverflowError):
            pass
    raise TelemetryError(f"{since!r} is no time", remedy="7d, 24h, 30m, 2w, or a date such as 2026-11-30")


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
