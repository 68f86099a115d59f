"""A report for people (text) and for programs (plain values)."""

from collections.abc import Mapping, Sequence
from typing import Any

from agent_connector.telemetry.report import Line, Report

_HEADS = ("calls", "errors", "tokens in", "tokens out", "ms", "confidence")


def as_values(report: Report) -> dict[str, Any]:
    """The report as JSON values."""
    return {
        "by": report.by,
        "since": report.since or None,
        "rows": [_line(line) for line in report.lines],
        "definitions": [
            {"connector": d.connector, "host": d.host, "tools": d.tools, "tokens": d.tokens, "confidence": d.confidence}
            for d in report.definitions
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
        "confidence": line.confidence,
        "sources": dict(line.sources),
    }


def as_text(report: Report) -> str:
    """The report as a table and the lines below it."""
    parts = [_table(report) if report.lines else "Nothing has been measured yet."]
    for d in report.definitions:
        tools = "1 tool" if d.tools == 1 else f"{d.tools} tools"
        where = f" in {d.host}" if d.host else ""
        parts.append(
            f"definitions: {d.connector}{where} puts {d.tokens:,} tokens ({tools}, {d.confidence}) before the model"
            " in every session that loads them"
        )
    for name in report.unmeasured:
        parts.append(f"unmeasured: {name} is a remote server; install it with --measure-remote to count it")
    parts += [f"note: {note}" for note in report.notes]
    return "\n".join(parts)


def _table(report: Report) -> str:
    names = list(report.lines[0].key)
    rows = [[*(_shown(line.key, name) for name in names), *_numbers(line)] for line in report.lines]
    names, rows = _without_name(names, rows)
    return aligned([*names, *_HEADS], rows, left={*range(len(names)), len(names) + len(_HEADS) - 1})


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


def _numbers(line: Line) -> list[str]:
    ms = "-" if line.ms is None else f"{line.ms:,.1f}"
    return [f"{line.calls:,}", f"{line.errors:,}", f"{line.tokens_in:,}", f"{line.tokens_out:,}", ms, line.confidence]


def aligned(head: Sequence[str], rows: Sequence[Sequence[str]], left: set[int]) -> str:
    """Columns of text; those in `left` begin at the left, numbers end at the right."""
    every = [list(head), *(list(row) for row in rows)]
    widths = [max(len(row[column]) for row in every) for column in range(len(head))]
    lines: list[str] = []
    for row in every:
        cells = [
            text.ljust(width) if column in left else text.rjust(width)
            for column, (text, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)
