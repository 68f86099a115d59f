"""The three books side by side: what servers put through, what hosts' logs say, what hosts tell of turns as they happen.

They count different things, or the same thing at different places: nothing here adds one to another.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from agent_connector.home import tables
from agent_connector.telemetry import live, store, sums
from agent_connector.telemetry import report as telemetry
from agent_connector.usage import report_show
from agent_connector.usage.report import Report

if TYPE_CHECKING:
    from agent_connector.usage.report_sums import Wanted

SCHEMA = "agent-connector/leaderboard/1"


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of a book of telemetry: a tool of a server, or a model in a host."""

    of: str
    name: str
    calls: int
    tokens_in: int
    tokens_out: int
    confidence: str

    @property
    def tokens(self) -> int:
        return self.tokens_in + self.tokens_out


@dataclass(frozen=True, slots=True)
class Books:
    """What each book has of the same time."""

    servers: Sequence[Entry]
    turns: Sequence[Entry]
    usage: Report
    connector: str


def telemetry_books(
    root: str, folder: str, wanted: "Wanted", connector: str = ""
) -> tuple[Sequence[Entry], Sequence[Entry]]:
    """(servers' tools, hosts' turns) since `wanted.first`, the dearest first."""
    live.settle(root)
    calls: dict[tuple[str, ...], sums.Sum] = {}
    turns: dict[tuple[str, ...], sums.Sum] = {}
    for book in telemetry.books(root, folder):
        with store.book(book) as connection:
            sums.gather(connection, ("connector", "tool", "project"), wanted.first, calls, ("call",))
            sums.gather(connection, ("host", "tool", "project"), wanted.first, turns, ("model_turn",))
    named = {key: found for key, found in calls.items() if connector in ("", key[0])}
    return _entries(named.items(), wanted.project), _entries(turns.items(), wanted.project)


def _entries(found: Iterable[tuple[tuple[str, ...], sums.Sum]], project: str) -> list[Entry]:
    groups: dict[tuple[str, str], sums.Sum] = {}
    for (of, name, where), one in found:
        if project in ("", where):
            total = groups.setdefault((of, name), sums.Sum())
            total.add(one.calls, one.errors, one.tokens_in, one.tokens_out, one.ms, one.ms_most, one.timed)
            for source, tokens in one.sources.items():
                total.sources[source] = total.sources.get(source, 0) + tokens
    entries = [
        Entry(*key, one.calls, one.tokens_in, one.tokens_out, telemetry.confidence(one.sources))
        for key, one in groups.items()
    ]
    return sorted(entries, key=lambda entry: -entry.tokens)


def as_values(books: Books, top: int, scanned: int) -> dict[str, Any]:
    """The books as JSON values."""
    usage = report_show.as_values(books.usage, scanned)
    told = {name: usage[name] for name in ("zone", "since", "made", "scanned")}
    servers = [
        {"connector": one.of, "tool": one.name, "calls": one.calls, **_tokens(one)} for one in books.servers[:top]
    ]
    turns = [{"host": one.of, "model": one.name, "turns": one.calls, **_tokens(one)} for one in books.turns[:top]]
    logs = {"rows": usage["rows"][:top], "total": usage["total"], "unpriced": usage["unpriced"]}
    return {"schema": SCHEMA, **told, "servers": servers, "logs": logs, "turns": turns}


def _tokens(one: Entry) -> dict[str, Any]:
    return {"tokens_in": one.tokens_in, "tokens_out": one.tokens_out, "confidence": one.confidence}


def as_text(books: Books, top: int, width: int, scanned: int) -> str:
    """The books below each other, at most `width` columns wide."""
    of = f" of {books.connector}" if books.connector else ""
    parts = [
        *tables.fold([f"Three books, {report_show.span(books.usage)}"], width),
        "",
        *tables.fold(["What servers put through" + of + " (counted from their own bytes)"], width),
        *_table(books.servers[:top], ("connector", "tool", "calls"), width, "nothing has been measured"),
        "",
        *tables.fold([f"What the hosts' logs say ({_age(books, scanned)}; USD at list prices)"], width),
        *_logs(books.usage, top, width),
        "",
        *tables.fold(["What hosts tell of their turns as they happen"], width),
        *_table(
            books.turns[:top], ("host", "model", "turns"), width, "nothing: see agent-connector telemetry turns --help"
        ),
        "",
        *tables.fold(["Three books of partly the same thing: they are never added up."], width),
    ]
    return "\n".join(parts)


def _age(books: Books, scanned: int) -> str:
    return f"read {report_show.age(books.usage.made, scanned)}" if scanned else "never read"


def _table(entries: Sequence[Entry], heads: tuple[str, str, str], width: int, nothing: str) -> list[str]:
    if not entries:
        return tables.fold([f"  {nothing}"], width)
    column = tables.Column[Entry]
    columns = [
        column(heads[0], lambda one: one.of or "-", left=True),
        column(heads[1], lambda one: one.name or "-", left=True),
        column(heads[2], lambda one: tables.number(one.calls), drop=2),
        column("tokens in", lambda one: tables.number(one.tokens_in)),
        column("tokens out", lambda one: tables.number(one.tokens_out)),
        column("confidence", lambda one: one.confidence, left=True, drop=1),
    ]
    return tables.draw(columns, entries, width)


def _logs(made: Report, top: int, width: int) -> list[str]:
    if not made.lines:
        return ["  nothing"]
    columns = [column for column in report_show.columns(made, plain=True) if column.head != ""]
    return [*tables.draw(columns, made.lines[:top], width), *tables.fold(report_show.missing(made), width)]
