"""Every unit of usage as a row, with its price and what that rests on: CSV, JSON, lines of JSON, or Parquet.

The rows stay on this machine: nothing is sent anywhere.
"""

import csv
import importlib
import itertools
import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, BinaryIO

from agent_connector.errors import UsageError
from agent_connector.home import tables
from agent_connector.usage import cards, report_sums, rollups
from agent_connector.usage.report_sums import Rated, Wanted

_TEXTS = ("host", "key", "session", "parent", "model", "provider", "project", "project_name", "tier", "agent", "source")
_COUNTS = (*rollups.COUNTS, "requests")
_MONEY = ("host_usd", "credits", "usd")
_PRICE = ("price_source", "price_version", "price_key", "price_tier")
COLUMNS = ("time", *_TEXTS, *_COUNTS, *_MONEY, *_PRICE)
BATCH = 20_000  # rows of a Parquet row group

_UNITS = f"""
SELECT f.time, c.host, printf('%016x', f.key), c.session, c.parent, c.model, c.provider, c.project, c.project_name,
    c.tier, c.agent, c.source, {", ".join(f"f.{name}" for name in _COUNTS)}, f.cost, f.credits, r.id
FROM {rollups.PRICED} WHERE {{where}} ORDER BY f.time, f.id
"""  # noqa: S608  # texts of this package

Row = tuple[Any, ...]


def rows(connection: sqlite3.Connection, wanted: Wanted) -> Iterator[Row]:
    """The units that are wanted, oldest first, as values in the order of COLUMNS. `usd` is None without a price."""
    rates = report_sums.rates(connection)
    where, values = ["f.time >= ?"], list[Any]([wanted.first])
    if wanted.last is not None:
        where.append("f.time < ?")
        values.append(wanted.last)
    if wanted.hosts:
        where.append(f"c.host IN ({', '.join('?' * len(wanted.hosts))})")
        values += wanted.hosts
    if wanted.project:
        where.append("c.project = ?")
        values.append(wanted.project)
    for row in connection.execute(_UNITS.format(where=" AND ".join(where)), values):
        yield (*row[:-1], *_priced(rates[row[-1]], row))


def _priced(rated: Rated, row: Row) -> tuple[float | None, str, str, str, str]:
    if rated.prices is None:
        return None, "", "", "", ""
    counts: dict[str, int] = dict(zip(_COUNTS, row[len(_TEXTS) + 1 :], strict=False))
    usd = cards.cost(rated.prices, counts) / cards.SCALE
    return usd, rated.source, rated.version, rated.key, rated.priced_tier


def write(found: Iterable[Row], form: str, to: BinaryIO) -> int:
    """Write rows as `csv`, `json`, `ndjson` or `parquet`. Returns their number."""
    return _WRITERS[form](found, to)


def _csv(found: Iterable[Row], to: BinaryIO) -> int:
    writer = csv.writer(_Text(to))
    writer.writerow(COLUMNS)
    return _count(writer.writerow([tables.no_formula(value) for value in row]) for row in found)


def _json(found: Iterable[Row], to: BinaryIO) -> int:
    to.write(b"[")
    count = _count(to.write(mark + _line(row)) for mark, row in zip(_commas(), found, strict=False))
    to.write(b"\n]\n" if count else b"]\n")
    return count


def _ndjson(found: Iterable[Row], to: BinaryIO) -> int:
    return _count(to.write(_line(row) + b"\n") for row in found)


def _line(row: Row) -> bytes:
    text = json.dumps(dict(zip(COLUMNS, row, strict=True)), ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "replace")


def _commas() -> Iterator[bytes]:
    yield b"\n"
    yield from itertools.repeat(b",\n")


def _count(done: Iterable[object]) -> int:
    return sum(1 for _ in done)


class _Text:
    """What `csv` writes to: text as UTF-8 bytes."""

    def __init__(self, to: BinaryIO) -> None:
        self.to = to

    def write(self, text: str, /) -> int:
        return self.to.write(text.encode("utf-8", "replace"))


def _parquet(found: Iterable[Row], to: BinaryIO) -> int:
    try:
        arrow: Any = importlib.import_module("pyarrow")  # untyped, and an extra
        parquet: Any = importlib.import_module("pyarrow.parquet")
    except ImportError as error:
        raise UsageError(
            "Parquet needs pyarrow, which is not installed",
            remedy="pip install '.[parquet]' in its checkout, or --format csv",
        ) from error
    kinds = {name: arrow.dictionary(arrow.int32(), arrow.string()) for name in (*_TEXTS, *_PRICE)}
    kinds |= {"key": arrow.string(), "time": arrow.timestamp("ms", "UTC")}
    kinds |= {name: arrow.int64() for name in _COUNTS} | {name: arrow.float64() for name in _MONEY}
    schema = arrow.schema([(name, kinds[name]) for name in COLUMNS])
    count, left = 0, iter(found)
    with parquet.ParquetWriter(to, schema, compression="zstd") as writer:
        while batch := list(itertools.islice(left, BATCH)):
            columns = zip(*batch, strict=True)
            arrays = [arrow.array(column, kinds[name]) for name, column in zip(COLUMNS, columns, strict=True)]
            writer.write_batch(arrow.RecordBatch.from_arrays(arrays, schema=schema))
            count += len(batch)
    return count


_WRITERS: Mapping[str, Callable[[Iterable[Row], BinaryIO], int]] = {
    "csv": _csv,
    "json": _json,
    "ndjson": _ndjson,
    "parquet": _parquet,
}
