"""Everything that the page shows, gathered from the three books and from doctor. The books are never added up."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from agent_connector.dashboard.query import Query
from agent_connector.deploy.detect import detect
from agent_connector.deploy.doctor import Diagnosis, diagnose
from agent_connector.home import moments
from agent_connector.hosts import query as hosts
from agent_connector.hosts.machine import Machine
from agent_connector.telemetry import report as telemetry
from agent_connector.telemetry import turns
from agent_connector.usage import report as usage
from agent_connector.usage import rollups
from agent_connector.usage.report_sums import Wanted

ROWS = 12  # of a table; the rest is in the reports
LONGEST = 366  # days of a chart
WORST = ("missing", "drifted", "duplicate", "foreign", "stale", "ok")  # a cell shows the first of these that holds


@dataclass(frozen=True, slots=True)
class Usage:
    """What hosts used, from their logs."""

    total: usage.Line
    days: Sequence[usage.Line]
    models: Sequence[usage.Line]
    hosts: Sequence[usage.Line]
    projects: Sequence[usage.Line]
    sessions: Sequence[usage.Line]
    session_count: int
    unpriced: Sequence[usage.Unpriced]
    notes: Sequence[str]
    scanned: int  # ms; 0: never

    @property
    def spent_by_day(self) -> list[tuple[str, float]]:
        """(day, USD) for the chart, days without any usage included."""
        return _every_day([(str(line.key["day"]), line.usd or 0.0) for line in self.days])


@dataclass(frozen=True, slots=True)
class Servers:
    """What servers cost, from their bytes."""

    tools: Sequence[telemetry.Line]
    servers: Sequence[telemetry.Line]
    hosts: Sequence[telemetry.Line]
    projects: Sequence[telemetry.Line]
    days: Sequence[telemetry.Line]
    report: telemetry.Report

    @property
    def tokens(self) -> int:
        return sum(line.tokens_in + line.tokens_out for line in self.servers)

    @property
    def tokens_by_day(self) -> list[tuple[str, float]]:
        """(day, tokens of calls) for the chart, days without any call included."""
        return _every_day([(line.key["day"], float(line.tokens_in + line.tokens_out)) for line in self.days])

    @property
    def calls(self) -> int:
        return sum(line.calls for line in self.servers)


@dataclass(frozen=True, slots=True)
class Health:
    """Hosts by surfaces. `cells` is (host, surface) -> (word, what stands behind it)."""

    hosts: Sequence[tuple[str, str]]  # id, name
    surfaces: Sequence[str]
    cells: Mapping[tuple[str, str], tuple[str, str]]
    problems: Sequence[tuple[str, str, str]]  # about, text, remedy
    steps: Sequence[tuple[str, str, str]]


@dataclass(frozen=True, slots=True)
class Figures:
    """One page."""

    query: Query
    zone: moments.Zone
    now: int
    usage: Usage
    servers: Servers
    turns: Sequence[turns.Line]
    health: Health
    known: Sequence[str]  # hosts that the filter offers


def _every_day(found: Sequence[tuple[str, float]]) -> list[tuple[str, float]]:
    """`found` with the days between that are not in it, at most a year back from the last one."""
    if not found:
        return []
    known, last = dict(found), date.fromisoformat(found[-1][0])
    first = max(date.fromisoformat(found[0][0]), last - timedelta(days=LONGEST))
    every = [(first + timedelta(days=number)).isoformat() for number in range((last - first).days + 1)]
    return [(day, known.get(day, 0.0)) for day in every]


def gather(root: str, machine: Machine, asked: Query, usage_root: str = "") -> Figures:
    """Ask the books and doctor. Raises UsageError or TelemetryError for words that they do not know."""
    zone, now = moments.zone(asked.zone), time.time_ns() // 1_000_000
    wanted = Wanted(moments.since(asked.since, zone, now), None, asked.hosts)
    spent, known = _usage(usage_root or root, wanted, zone)
    diagnosis = diagnose(machine, root)
    told = turns.totals(root, wanted.first, asked.hosts)
    servers = _servers(root, asked, zone)
    every = {*known, *(str(line.key["host"]) for line in servers.hosts)} - {""}
    health = _health(machine, diagnosis)
    return Figures(asked, zone, now, spent, servers, told, health, sorted(every | set(asked.hosts)))


def _usage(root: str, wanted: Wanted, zone: moments.Zone) -> tuple[Usage, list[str]]:
    with rollups.rolled(root) as index:
        days, models, by_host, projects, sessions = (
            usage.make(index, by, wanted, zone) for by in ("day", "model", "host", "project", "session")
        )
        known = [str(row[0]) for row in index.execute("SELECT host FROM totals")]
        return (
            Usage(
                days.total,
                days.lines,
                models.lines,
                by_host.lines,
                projects.lines,
                sessions.lines[:ROWS],
                len(sessions.lines),
                days.unpriced,
                days.notes,
                rollups.scanned(index),
            ),
            known,
        )


def _servers(root: str, asked: Query, zone: moments.Zone) -> Servers:
    tools, servers, by_host, projects, days = (
        telemetry.make(root, by, asked.since, hosts=asked.hosts, zone=zone)
        for by in ("tool", "server", "host", "project", "day")
    )
    return Servers(
        [line for line in tools.lines if line.key["scope"] == "call"],
        servers.lines,
        [line for line in by_host.lines if line.key["scope"] == "call"],
        [line for line in projects.lines if line.key["scope"] == "call"],
        sorted((line for line in days.lines if line.key["scope"] == "call"), key=lambda line: line.key["day"]),
        tools,
    )


def _health(machine: Machine, diagnosis: Diagnosis) -> Health:
    here = [found.host for found in detect(machine) if found.sure]
    used = dict.fromkeys([*(finding.host for finding in diagnosis.findings), *here])
    order = [host for host in hosts.hosts() if host in used]
    cells: dict[tuple[str, str], tuple[str, str]] = {}
    for host in order:
        for surface in hosts.SURFACES:
            mine = [f for f in diagnosis.findings if (f.host, f.surface) == (host, surface)]
            if mine:
                word = next((word for word in WORST if any(f.word == word for f in mine)), mine[0].word)
                told = "; ".join(f"{f.connector}: {f.word}" + (f" ({f.note})" if f.note else "") for f in mine)
                cells[host, surface] = (word, told)
            else:
                support = hosts.surface_support(host, surface)
                cells[host, surface] = ("free" if support.support == "native" else "none", support.how)
    problems = [(line.about, line.text, line.remedy) for line in diagnosis.lines if line.level == "bad"]
    problems += [
        (f"{f.connector} in {f.host}", f"{f.surface}: {f.word}" + (f", {f.note}" if f.note else ""), f.remedy)
        for f in diagnosis.findings
        if f.word != "ok"
    ]
    named = [(host, hosts.facts(host).NAME) for host in order]
    return Health(named, hosts.SURFACES, cells, problems, diagnosis.steps)
