"""A report's lines as a ranking: place, tokens, and the share of all."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agent_connector.home import tables
from agent_connector.home.moments import Zone
from agent_connector.telemetry.report import Line, Report
from agent_connector.telemetry.show import WIDE, aligned, nothing, span

SCHEMA = "agent-connector/telemetry-leaderboard/1"
_NAMES: Mapping[str, Sequence[str]] = {"tool": ("connector", "tool"), "server": ("connector",), "project": ("name",)}
_SCOPES = {"hook": " (hook)"}


@dataclass(frozen=True, slots=True)
class Ranking:
    """The first lines, the largest first; `total` is the tokens of all lines, shown or not."""

    by: str
    since: str
    lines: Sequence[Line]
    total: int
    others: int
    first: int
    zone: Zone


def of(report: Report, top: int) -> Ranking:
    """The `top` dearest lines of `report`."""
    lines = sorted(report.lines, key=lambda line: -_tokens(line))
    total, others = sum(map(_tokens, lines)), max(0, len(lines) - top)
    return Ranking(report.by, report.since, lines[:top], total, others, report.first, report.zone)


def as_values(made: Ranking) -> dict[str, Any]:
    """The ranking as JSON values."""
    return {
        "schema": SCHEMA,
        "by": made.by,
        "since": made.since or None,
        "zone": made.zone.name,
        "tokens": made.total,
        "others": made.others,
        "rows": [
            {
                "place": place,
                **line.key,
                "tokens": _tokens(line),
                "share": round(_tokens(line) / made.total, 4) if made.total else None,
                "calls": line.calls,
                "confidence": line.confidence,
            }
            for place, line in enumerate(made.lines, 1)
        ],
    }


def as_text(made: Ranking, width: int = WIDE) -> str:
    """The ranking as a table, at most `width` columns wide."""
    if not made.lines:
        return "\n".join(tables.fold([nothing(made.first, made.zone)], width))
    rows = [
        [
            f"{place}.",
            _name(made.by, line),
            f"{_tokens(line):,}",
            f"{_tokens(line) * 100 / made.total:.1f}%" if made.total else "-",
            f"{line.calls:,}",
            line.confidence,
        ]
        for place, line in enumerate(made.lines, 1)
    ]
    head = tables.fold([f"Tokens by {made.by}, {span(made.first, made.zone)}"], width)
    text = aligned([" ", made.by, "tokens", "share", "calls", "confidence"], rows, {1, 5}, width)
    return "\n".join([*head, "", text, *([f"and {made.others:,} more"] if made.others else [])])


def _tokens(line: Line) -> int:
    return line.tokens_in + line.tokens_out


def _name(by: str, line: Line) -> str:
    names = _NAMES.get(by, (by,))
    text = " ".join(line.key.get(name, "") for name in names).strip() or line.key.get(by, "") or "-"
    return text + _SCOPES.get(line.key.get("scope", ""), "")
