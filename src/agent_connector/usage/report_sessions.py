"""The sessions, the last used first: what each used, where, with which models."""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from agent_connector.home import tables
from agent_connector.usage import report_show
from agent_connector.usage.report import Line, Report

SCHEMA = "agent-connector/usage-sessions/1"
_WIDE, _ID = 120, 14


@dataclass(slots=True)
class About:
    """What a session's units say of it, beside their numbers."""

    project: str = ""
    name: str = ""
    parent: str = ""
    models: set[str] = field(default_factory=set[str])
    agents: set[str] = field(default_factory=set[str])


@dataclass(frozen=True, slots=True)
class Sessions:
    """A report by session, newest first, with what is known of each."""

    report: Report
    lines: Sequence[Line]
    about: dict[tuple[str, str], About]


def of(connection: sqlite3.Connection, report: Report, top: int = 0) -> Sessions:
    """The last `top` sessions of a report by session; all of them for 0."""
    lines = sorted(report.lines, key=lambda line: -line.last)[: top or None]
    about = {_name(line): About() for line in lines}
    for host, session, *rest in connection.execute(
        "SELECT host, session, project, project_name, parent, model, agent FROM contexts ORDER BY id"
    ):
        if known := about.get((host, session)):
            known.project, known.name = known.project or rest[0], known.name or rest[1]
            known.parent = known.parent or rest[2]
            known.models.add(rest[3])
            known.agents |= {rest[4]} - {""}
    return Sessions(report, lines, about)


def _name(line: Line) -> tuple[str, str]:
    return str(line.key["host"]), str(line.key["session"])


def as_values(made: Sessions, scanned: int = 0) -> dict[str, Any]:
    """The sessions as JSON values: a report's, each row with what is known of the session."""
    told = report_show.as_values(made.report, scanned)
    rows: list[dict[str, Any]] = []
    for line in made.lines:
        about = made.about[_name(line)]
        more = {"project": about.project, "name": about.name, "parent": about.parent or None}
        lists = {"models": sorted(about.models), "agents": sorted(about.agents)}
        rows.append({**report_show.line_values(line, made.report), **more, **lists})
    return {**told, "schema": SCHEMA, "rows": rows, "others": len(made.report.lines) - len(made.lines)}


def as_text(made: Sessions, width: int = 80, scanned: int = 0) -> str:
    """The sessions as a table at most `width` columns wide."""
    head = tables.fold(report_show.header(made.report, scanned), width)
    if not made.lines:
        return "\n".join([*head, "No session in this time, as far as the hosts' logs say."])
    others = len(made.report.lines) - len(made.lines)
    more = tables.fold([f"and {others:,} more; --top says how many are shown"], width) if others else []
    return "\n".join(
        [
            *head,
            "",
            *tables.draw(_columns(made, width), made.lines, width),
            *more,
            *report_show.footer(made.report, width),
        ]
    )


def _columns(made: Sessions, width: int) -> list[tables.Column[Line]]:
    """The table's columns. Ids are cut in a narrow terminal: the project and the tokens say more."""
    most = _ID if width < _WIDE else 1 << 10

    def about(line: Line) -> About:
        return made.about[_name(line)]

    column = tables.Column[Line]
    return [
        column("last used", lambda line: made.report.zone.told(line.last), left=True),
        column("host", lambda line: str(line.key["host"]), left=True),
        column("session", lambda line: tables.cut(str(line.key["session"]), most), left=True),
        column("project", lambda line: about(line).name or "-", left=True, drop=4),
        column("models", lambda line: ", ".join(sorted(about(line).models)), left=True, drop=6),
        column("minutes", lambda line: f"{(line.last - line.first) // 60_000:,}", drop=5),
        column("requests", lambda line: tables.number(line.requests), drop=3),
        column("tokens", lambda line: tables.number(line.tokens), drop=2),
        column("USD", report_show.money),
    ]
