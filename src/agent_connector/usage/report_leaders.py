"""A ranking: which hosts, models, projects or sessions cost most, and their share of all."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agent_connector.home import tables
from agent_connector.usage import report_show
from agent_connector.usage.report import Line, Report

SCHEMA = "agent-connector/usage-leaderboard/1"
MEASURES: Mapping[str, Callable[[Line], int]] = {
    "usd": lambda line: line.atto,
    "tokens": lambda line: line.tokens,
    "requests": lambda line: line.requests,
}


@dataclass(frozen=True, slots=True)
class Ranking:
    """The first lines of a report by one measure."""

    report: Report
    measure: str
    lines: Sequence[Line]

    def share(self, line: Line) -> float | None:
        """A line's part of all, None where there is nothing."""
        measure = MEASURES[self.measure]
        whole = measure(self.report.total)
        return measure(line) / whole if whole else None


def of(report: Report, measure: str = "usd", top: int = 10) -> Ranking:
    """The `top` lines of a report; where two cost the same, the one with more tokens stands first."""
    by = MEASURES[measure]
    return Ranking(report, measure, sorted(report.lines, key=lambda line: (-by(line), -line.tokens))[:top])


def as_values(made: Ranking, scanned: int = 0) -> dict[str, Any]:
    """The ranking as JSON values."""
    rows = [
        {"place": place, "share": made.share(line), **report_show.line_values(line, made.report)}
        for place, line in enumerate(made.lines, 1)
    ]
    told = report_show.as_values(made.report, scanned)
    others = len(made.report.lines) - len(made.lines)
    return {**told, "schema": SCHEMA, "measure": made.measure, "rows": rows, "others": others}


def as_text(made: Ranking, width: int = 80, scanned: int = 0, plain: bool = False) -> str:
    """The ranking as a table at most `width` columns wide."""
    report = made.report
    head = tables.fold(report_show.header(report, scanned), width)
    if not made.lines:
        return "\n".join([*head, "Nothing was used in this time, as far as the hosts' logs say."])
    places = {id(line): f"{place}." for place, line in enumerate(made.lines, 1)}
    most = MEASURES[made.measure](made.lines[0])
    names = [name for name in made.lines[0].key if name != "name"]
    column = tables.Column[Line]
    columns = [
        column("", lambda line: places[id(line)]),
        *(column(name, report_show.shower(name), left=True) for name in names),
        column("share", lambda line: "-" if (part := made.share(line)) is None else f"{part * 100:.1f}%"),
        column("requests", lambda line: tables.number(line.requests), drop=2),
        column("tokens", lambda line: tables.number(line.tokens), drop=1),
        column("USD", report_show.money),
        column("", lambda line: tables.bar(MEASURES[made.measure](line), most, plain), left=True, drop=3),
    ]
    others = len(report.lines) - len(made.lines)
    more = [f"and {others:,} more"] if others else []
    return "\n".join([*head, "", *tables.draw(columns, made.lines, width), *more, *report_show.footer(report, width)])
