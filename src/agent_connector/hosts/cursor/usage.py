"""What Cursor's server counted, in the table that its dashboard exports and tokscale fetches. Cursor keeps none here.

Columns came and went, so they are found by name. The two columns of input are "with cache write" and "without": where
the row's total adds both, the first is what was written to the cache; else it holds the second.
"""

import csv
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from agent_connector.hosts.dialects.synced_caches import caches
from agent_connector.hosts.dialects.usage_values import count, fingerprint, moment, money, name
from agent_connector.hosts.machine import Machine
from agent_connector.hosts.records import Place, Reader, Record, Source, UnknownFormat

SURE = "uncertain"
MERGE = "last"
NOTE = "Cursor counts on its server: `tokscale cursor login` and `tokscale cursor sync` bring the counts here"
SOURCES = (("tables in the tests of junhoyeo/tokscale", "2026-11-30"),)
COLUMNS = {
    "date": "date",
    "model": "model",
    "kind": "kind",
    "with": "input (w/ cache write)",
    "without": "input (w/o cache write)",
    "read": "cache read",
    "output": "output tokens",
    "total": "total tokens",
    "cost": "cost",
}
NEEDED = ("date", "model", "with", "without", "read", "output")


def read(data: bytes, state: dict[str, Any], source: Source) -> Iterator[Record]:
    """A unit for each row. Rows have no id: equal ones are told apart by how many there were."""
    table = csv.reader(data.decode("utf-8-sig", "replace").replace("\0", "").splitlines())
    met: Counter[tuple[str, ...]] = Counter()
    try:
        head = [each.strip().lower() for each in next(table, list[str]())]
        places = {key: head.index(title) for key, title in COLUMNS.items() if title in head}
        if "total" in head:
            places.setdefault("total", head.index("total"))
        if missing := [COLUMNS[key] for key in NEEDED if key not in places]:
            raise UnknownFormat(f"a table of usage without {', '.join(missing)}")
        for row in table:
            met[tuple(row)] += 1
            values = {key: row[place] if place < len(row) else "" for key, place in places.items()}
            if moment(values["date"]) and values["model"]:
                yield _record(values, met[tuple(row)])
    except csv.Error as error:
        raise UnknownFormat("a table of usage that breaks off") from error


def _record(values: dict[str, str], number: int) -> Record:
    time, model = moment(values["date"]), name(values["model"])
    plain, both, cached, output = (_count(values[each]) for each in ("without", "with", "read", "output"))
    apart = _count(values.get("total", "")) == both + plain + cached + output
    written = both if apart else max(0, both - plain)
    return Record(
        key=fingerprint(time, model, plain, both, cached, output, number),
        session="",
        time=time,
        model=model,
        input=plain,
        cache_read=cached,
        cache_write_5m=written,
        output=output,
        cost=_cost(values.get("cost", "")),
    )


def _cost(text: str) -> float | None:
    """What a plan includes costs nothing; the row says so in words."""
    plain = text.replace("$", "").replace(",", "").strip()
    return 0.0 if plain.lower() in ("included", "-") else money(plain)


def _count(text: str) -> int:
    return count(text.replace(",", "").strip() or 0)


READERS = {"table": Reader("document", 1, read)}


def logs(machine: Machine) -> Sequence[Place]:
    """The cache: one table for each account."""
    return caches(machine, "cursor-cache", "usage*.csv", "table")
