"""Walk a host's `usage` facet through its contract, and read logs with it in tests: hosts of this package, and others'.

    @pytest.mark.parametrize("host", usage.described())
    @pytest.mark.parametrize("check", usage.CHECKS)
    def test_contract(host, check):
        check(usage.facet(host))

    records = usage.read(facet.READERS["chat"], lines, path="/home/user/.acme/chats/1.jsonl")
    assert usage.totals(records, facet.MERGE) == usage.Totals(input=2100, ...)

A check reads no disk; it raises AssertionError with a sentence. `read` also asserts of every record that it could be
stored and that nothing of what was said left the log: put `PLANTED` where a log holds content.
"""

import json
import math
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from agent_connector.hosts.records import Reader, Record, Source, UnknownFormat
from agent_connector.testing import usage_garbage as garbage
from agent_connector.testing.host_samples import HOMES, machine
from agent_connector.usage import facets

if TYPE_CHECKING:
    from agent_connector.hosts.contract import Usage

__all__ = [
    "CHECKS",
    "NOW",
    "PLANTED",
    "Totals",
    "described",
    "facet",
    "merged",
    "read",
    "spoilt_is_survived",
    "totals",
    "walk",
]

PLANTED = garbage.PLANTED
NOW = 1_796_060_000_000  # when the logs of tests were last written, unless a test says otherwise
SHAPES = ("lines", "document", "database")
COUNTS = ("input", "cache_read", "cache_write_5m", "cache_write_1h", "output", "reasoning", "requests")
TEXTS = ("key", "session", "model", "provider", "project", "parent", "tier", "agent", "source")
STORABLE = 2**63


# ---- reading


described = facets.names  # the hosts that have a usage facet, in the order of the table
facet = facets.load  # the usage facet of one of them, however little else is described of it yet


def read(
    reader: Reader,
    data: bytes | sqlite3.Connection,
    state: dict[str, Any] | None = None,
    *,
    path: str = "/home/user/logs/session",
    modified: int = NOW,
    beside: Mapping[str, bytes] | None = None,
) -> list[Record]:
    """What `reader` gives for one log. For a database `data` is a connection, or the bytes of the file."""
    state = {} if state is None else state
    source = Source(path, modified, (beside or {}).get)
    if reader.shape == "database" and isinstance(data, bytes):
        with closing(garbage.database_of(data)) as connection:
            found = list(reader.read(connection, state, source))
    else:
        found = list(reader.read(data, state, source))
    for record in found:
        _storable(record)
    assert json.loads(json.dumps(state)) == state, f"its state is no JSON value: {state}"
    return found


@dataclass(frozen=True, slots=True)
class Totals:
    """Sums over units. `cost` and `credits` are rounded to millionths."""

    input: int = 0
    cache_read: int = 0
    cache_write_5m: int = 0
    cache_write_1h: int = 0
    output: int = 0
    reasoning: int = 0
    requests: int = 0
    cost: float = 0
    credits: float = 0


def merged(records: Iterable[Record], merge: str = "last") -> dict[str, Record]:
    """One record for each key: what the index makes of copies and of units that were written several times."""
    units: dict[str, Record] = {}
    for record in records:
        former = units.get(record.key)
        if former is None or merge == "last":
            units[record.key] = record
        else:
            larger = {name: max(getattr(former, name), getattr(record, name)) for name in COUNTS}
            units[record.key] = Record(**{**_fields(record), **larger})
    return units


def totals(records: Iterable[Record], merge: str = "last") -> Totals:
    """What these records come to, each unit counted once."""
    units = list(merged(records, merge).values())
    sums = {name: sum(getattr(unit, name) for unit in units) for name in COUNTS}
    cost, credits = (round(sum(getattr(unit, name) or 0 for unit in units), 6) for name in ("cost", "credits"))
    return Totals(**sums, cost=cost, credits=credits)


def _fields(record: Record) -> dict[str, Any]:
    return {name: getattr(record, name) for name in Record.__struct_fields__}


def _storable(record: Record) -> None:
    """Every field has its kind and a sensible value, and none holds content."""
    assert record.key, f"a record without a key: {record}"
    assert record.source in ("host-reported", "host-estimated"), f"its source is {record.source!r}"
    for name, value in _fields(record).items():
        if name in TEXTS:
            assert isinstance(value, str), f"{name} is {value!r}"
            assert value.encode("utf-8") is not None and len(value) <= 4096, f"{name} is {value[:80]!r}"
            assert PLANTED not in value, f"what was said left the log in {name}: {value[:80]!r}"
        elif name in ("cost", "credits"):
            assert value is None or (math.isfinite(value) and value >= 0), f"{name} is {value!r}"
        else:
            assert type(value) is int and 0 <= value < STORABLE, f"{name} is {value!r}"
    assert record.reasoning <= record.output, f"more reasoning than output: {record}"


# ---- the contract


def walk(host: str) -> list[str]:
    """What is broken in the usage facet of `host`, a line each."""
    broken: list[str] = []
    for check in CHECKS:
        try:
            check(facet(host))
        except AssertionError as wrong:
            broken.append(f"{host}: {check.__name__}: {wrong}")
    return broken


def facet_is_whole(facet: "Usage") -> None:
    """Every member is there and has a value that it may have."""
    assert facet.SURE in ("proven", "documented", "uncertain"), f"SURE is {facet.SURE!r}"
    assert facet.MERGE in ("max", "last"), f"MERGE is {facet.MERGE!r}"
    assert "\n" not in facet.NOTE, f"NOTE is no single line: {facet.NOTE!r}"
    assert facet.READERS or facet.NOTE, "it reads nothing, and NOTE does not say why"
    for kind, reader in facet.READERS.items():
        assert reader.shape in SHAPES, f"the shape of {kind} is {reader.shape!r}"
        assert reader.version >= 1 and callable(reader.read), f"the reader of {kind} is {reader}"
    assert facet.SOURCES, "a fact without a source is a rumour"
    for what, date in facet.SOURCES:
        assert what and "\n" not in what and len(date) == 10 and date[4] == date[7] == "-", f"a source: {what}, {date}"


def logs_are_pure(facet: "Usage") -> None:
    """On three systems: whole paths in that system's style, of kinds that have a reader, and the same each time."""
    for platform in HOMES:
        places = facet.logs(machine(platform))
        assert places == facet.logs(machine(platform)), f"{platform}: two answers for one machine"
        assert bool(places) == bool(facet.READERS), f"{platform}: {len(places)} places for {len(facet.READERS)} readers"
        assert {place.kind for place in places} <= set(facet.READERS), f"{platform}: no reader for one of {places}"
        assert len(set(places)) == len(places), f"{platform}: a place is named twice in {places}"
        for folder, pattern, _ in places:
            assert folder.startswith(HOMES[platform]), f"{platform}: {folder} is outside the home"
            assert platform != "win32" or "/" not in folder, f"{folder} mixes separators"
            assert pattern and not pattern.startswith("/") and "\\" not in pattern, (
                f"{platform}: the pattern {pattern!r}"
            )


def garbage_is_survived(facet: "Usage") -> None:
    """Whatever a file holds: records, nothing, or UnknownFormat; never another exception, never a record of nonsense."""
    words = garbage.words(facet)
    for kind, reader in facet.READERS.items():
        make = garbage.databases if reader.shape == "database" else garbage.texts
        for number, data in enumerate(make(words, lines=reader.shape == "lines")):
            state: dict[str, Any] = {}
            for again in ("", ", read again"):
                _survives(reader, data, state, garbage.Anything(words, number), f"{kind} {number}{again}")


def lists_are_survived(facet: "Usage") -> None:
    """Whatever a list of places holds: places of kinds that have a reader, or nothing."""
    words = garbage.words(facet)
    for kind, places in getattr(facet, "LISTS", {}).items():
        assert kind in facet.READERS, f"{kind} has no reader"
        for number, data in enumerate(garbage.texts(words, lines=False)):
            try:
                found = places(data, machine())
            except (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError) as error:
                raise AssertionError(f"{kind} {number}: {type(error).__name__}: {error}") from error
            assert {place.kind for place in found} <= set(facet.READERS), (
                f"{kind} {number}: no reader for one of {found}"
            )


def spoilt_is_survived(reader: Reader, data: bytes, *, beside: Mapping[str, bytes] | None = None) -> None:
    """A log that is good but in one place, and one that is cut off: as `garbage_is_survived`. For recordings."""
    spoilt = garbage.mutant_databases(data) if reader.shape == "database" else None
    for number, each in enumerate(spoilt or garbage.mutants(data, lines=reader.shape == "lines")):
        _survives(reader, each, {}, beside or {}, f"spoilt {number}")


def _survives(reader: Reader, data: Any, state: dict[str, Any], beside: Mapping[str, bytes], what: str) -> None:
    try:
        read(reader, data, state, beside=beside)
    except UnknownFormat as unknown:
        assert unknown.what and PLANTED not in unknown.what + unknown.version, f"{what}: {unknown}"
    except AssertionError as wrong:
        raise AssertionError(f"{what}: {wrong}") from None
    except (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError) as error:
        raise AssertionError(f"{what}: {type(error).__name__}: {error}") from error


CHECKS: Sequence[Callable[[Any], None]] = (facet_is_whole, logs_are_pure, garbage_is_survived, lists_are_survived)
