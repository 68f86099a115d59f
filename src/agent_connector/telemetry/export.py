"""The book's rows as CSV or JSON, for a person's own tools. They stay on this machine: nothing is sent anywhere."""

import csv
import json
import sqlite3
from collections.abc import Iterator, Sequence
from typing import Any, TextIO

from agent_connector.home import tables
from agent_connector.telemetry import live, report, store

COLUMNS = (
    "t",
    "scope",
    "connector",
    "host",
    "surface",
    "tool",
    "session",
    "project",
    "project_name",
    "family",
    "tokens_in",
    "tokens_out",
    "source",
    "ms",
    "error",
    "n",
)
_ROWS = """
SELECT t, scope, connector, host, surface, tool, session, rows.project, coalesce(name, '') AS project_name, family,
    tokens_in, tokens_out, source, ms, error, n
FROM rows LEFT JOIN projects USING (project) WHERE t >= ? ORDER BY t, rows.rowid
"""


def export(root: str, format: str, to: TextIO, since: str = "", project: str | None = None) -> int:
    """Write the rows since then to `to`, as `csv` or `json`. Returns their number."""
    live.settle(root)
    first = report.start(since)
    write = {"csv": _csv, "json": _json}[format]
    return write(rows(report.books(root, project), first), to)


def rows(books: Sequence[str], first: int) -> Iterator[tuple[Any, ...]]:
    """The rows of all books, oldest first within each."""
    for book in books:
        with store.book(book) as connection:
            found: sqlite3.Cursor = connection.execute(_ROWS, (first,))
            yield from found


def _csv(found: Iterator[tuple[Any, ...]], to: TextIO) -> int:
    writer = csv.writer(to)
    writer.writerow(COLUMNS)
    count = 0
    for row in found:
        writer.writerow([tables.no_formula(value) for value in row])
        count += 1
    return count


def _json(found: Iterator[tuple[Any, ...]], to: TextIO) -> int:
    count = 0
    to.write("[")
    for row in found:
        to.write(",\n " if count else "\n ")
        json.dump(dict(zip(COLUMNS, row, strict=True)), to, ensure_ascii=False)
        count += 1
    to.write("\n]\n" if count else "]\n")
    return count
