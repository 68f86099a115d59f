"""A report for people (text) and for programs (plain values)."""

from collections.abc import Mapping, Sequence
from operator import itemgetter
from typing import Any

from agent_connector.home import tables
from agent_connector.home.moments import Zone
from agent_connector.telemetry.footprint import Footprint
from agent_connector.telemetry.report import Line, Report, Tax

SCHEMA = "agent-connector/telemetry-report/2"
_HEADS = ("calls", "errors", "tokens in", "tokens out", "ms", "confidence")
_SIZES = ("p50", "p95")
_DROP = {  # what goes where it is narrow, the highest first
    "": 9,
    "ms": 8,
    "p50": 7,
    "p95": 7,
    "errors": 6,
    "confidence": 5,
    "share": 4,
    "could be": 3,
    "scope": 3,
    "calls": 2,
    "tokens in": 1,
}
WIDE = 120  # columns, where no terminal says how many
NOTHING = "Nothing has been measured yet. A server that `agent-connector install` registers is, once a host starts it."


def as_values(report: Report) -> dict[str, Any]:
    """The report as JSON values."""
    return {
        "schema": SCHEMA,
        "by": report.by,
        "since": report.since or None,
        "zone": report.zone.name,
        "rows": [_line(line) for line in report.lines],
        "definitions": [
            {"connector": d.connector, "host": d.host, "tools": d.tools, "tokens": d.tokens, "confidence": d.confidence}
            for d in report.definitions
        ],
        "footprint": [
            {
                "connector": one.connector,
                "surface": one.surface,
                "count": one.count,
                "tokens_always": one.always,
                "tokens_when_used": one.used,
                "confidence": one.source,
            }
            for one in report.footprint
        ],
        "taxes": [
            {
                "connector": tax.connector,
                "host": tax.host,
                "tokens_per_turn": tax.tokens,
                "sessions": tax.sessions,
                "calls": tax.calls,
                "read_at_least": tax.read_at_least,
                "brought": tax.brought,
            }
            for tax in report.taxes
        ],
        "unmeasured": list(report.unmeasured),
        "notes": list(report.notes),
    }


def _line(line: Line) -> dict[str, Any]:
    return {
        **line.key,
        "calls": line.calls,
        "errors": line.errors,
        "tokens_in": line.tokens_in,
        "tokens_out": line.tokens_out,
        "ms_mean": line.ms,
        "ms_most": line.ms_most,
        "p50_out": line.p50,
        "p95_out": line.p95,
        "confidence": line.confidence,
        "sources": dict(line.sources),
    }


def as_text(report: Report, width: int = WIDE, plain: bool = False) -> str:
    """The report as a table and the lines below it, at most `width` columns wide; `plain` keeps to ASCII."""
    parts = list[str]()
    for d in report.definitions:
        count = "1 tool" if d.tools == 1 else f"{d.tools} tools"
        where = f" in {d.host}" if d.host else ""
        parts.append(
            f"definitions: {d.connector}{where} puts {d.tokens:,} tokens ({count}, {d.confidence}) before the model"
            " in every session that loads them"
        )
    parts += _contents(report.footprint)
    parts += [_tax(tax) for tax in report.taxes if tax.sessions]
    for name in report.unmeasured:
        parts.append(f"unmeasured: {name} is a remote server; install it with --measure-remote to count it")
    parts += [f"note: {note}" for note in report.notes]
    if not report.lines:
        return "\n".join(tables.fold([nothing(report.first, report.zone), *parts], width))
    head = tables.fold([f"Counts by {report.by}, {span(report.first, report.zone)}"], width)
    return "\n".join(
        [*head, *_trend(report, width, plain), "", _table(report, width, plain), *tables.fold(parts, width)]
    )


def span(first: int, zone: Zone) -> str:
    """The time that is shown, and its zone."""
    return f"{zone.told(first) if first else 'the beginning'} to now ({zone.name})"


def nothing(first: int, zone: Zone) -> str:
    """Why there is no table."""
    return f"Nothing was counted, {span(first, zone)}." if first else NOTHING


def _trend(report: Report, width: int, plain: bool) -> list[str]:
    recent = report.trend[-max(width - 40, 7) :]
    if plain or len(recent) < 2 or report.by == "day":
        return []
    return [f"{tables.spark([tokens for _, tokens in recent])}  tokens by day, {recent[0][0]} to {recent[-1][0]}"]


def _contents(found: Sequence[Footprint]) -> list[str]:
    """A line for each connector with content: what it always tells, and what comes with its use."""
    lines: list[str] = []
    for connector in dict.fromkeys(one.connector for one in found):
        mine = [one for one in found if one.connector == connector]
        told = ", ".join(f"{one.surface} {one.always:,}" for one in mine)
        used = sum(one.used for one in mine)
        more = f"; {used:,} more when all of it is used" if used else ""
        lines.append(f"content: {connector} puts {sum(one.always for one in mine):,} tokens ({told}) there{more}")
    return lines


def _tax(tax: Tax) -> str:
    """What a connector costs in every turn beside what its calls brought."""
    times = f", {tax.read_at_least / tax.brought:.1f} times what its calls brought" if tax.brought else ""
    sessions = "1 session" if tax.sessions == 1 else f"{tax.sessions:,} sessions"
    where = f" in {tax.host}" if tax.host else ""
    return (
        f"tax: {tax.connector}{where} costs {tax.tokens:,} tokens in every turn;"
        f" {sessions} read at least {tax.read_at_least:,} of them{times}"
    )


def _table(report: Report, width: int, plain: bool) -> str:
    keys = list(report.lines[0].key)
    shown = any(line.p50 is not None for line in report.lines)
    rows = [[*(_shown(line.key, name) for name in keys), *_numbers(line, shown)] for line in report.lines]
    heads = [*_HEADS[:4], *(_SIZES if shown else ()), *_HEADS[4:]]
    if report.by == "day":
        heads.append("")
        for row, bar in zip(rows, _bars(report.lines, plain), strict=True):
            row.append(bar)
    names, rows = _without_name(["server" if report.by == "server" else name for name in keys], rows)
    left = {*range(len(names)), *(len(names) + at for at, head in enumerate(heads) if head in ("confidence", ""))}
    return aligned([*names, *heads], rows, left, width)


def _bars(lines: Sequence[Line], plain: bool) -> list[str]:
    tokens = [line.tokens_in + line.tokens_out for line in lines]
    return [tables.bar(one, max(tokens), plain) for one in tokens]


def _without_name(names: list[str], rows: list[list[str]]) -> tuple[list[str], list[list[str]]]:
    """People read the folder's name; the hash stands behind it."""
    if "name" not in names:
        return names, rows
    project, name = names.index("project"), names.index("name")
    for row in rows:
        row[project] = f"{row[name]} ({row[project][:6]})" if row[name] else row[project]
        del row[name]
    return [one for one in names if one != "name"], rows


def _shown(key: Mapping[str, str], name: str) -> str:
    return key[name] or "-"


def _numbers(line: Line, sizes: bool) -> list[str]:
    ms = "-" if line.ms is None else f"{line.ms:,.1f}"
    classes = ["-" if size is None else f"{size:,}" for size in (line.p50, line.p95)] if sizes else []
    counts = [f"{line.calls:,}", f"{line.errors:,}", f"{line.tokens_in:,}", f"{line.tokens_out:,}"]
    return [*counts, *classes, ms, line.confidence]


def aligned(heads: Sequence[str], rows: Sequence[Sequence[str]], left: set[int], width: int) -> str:
    """Columns of text; those in `left` begin at the left, numbers end at the right."""
    column = tables.Column[Sequence[str]]
    columns = [column(head, itemgetter(at), at in left, _DROP.get(head, 0)) for at, head in enumerate(heads)]
    return "\n".join(tables.draw(columns, rows, width))
