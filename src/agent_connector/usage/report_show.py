"""A report for programs (plain values, versioned) and for people (a table that fits)."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from agent_connector.home import tables
from agent_connector.usage.report import Line, Report

SCHEMA = "agent-connector/usage-report/1"
_TIMES = ("day", "week", "month", "hour-block")


def as_values(report: Report, scanned: int = 0) -> dict[str, Any]:
    """The report as JSON values; `scanned` is when the logs were read last (ms), 0 for never."""
    told = report.zone.iso
    return {
        "schema": SCHEMA,
        "by": report.by,
        "zone": report.zone.name,
        "since": told(report.wanted.first) if report.wanted.first else None,
        "until": told(report.wanted.last) if report.wanted.last is not None else None,
        "hosts": list(report.wanted.hosts),
        "made": told(report.made),
        "scanned": told(scanned) if scanned else None,
        "rows": [line_values(line, report) for line in report.lines],
        "total": line_values(report.total, report),
        "unpriced": [
            {"provider": one.provider, "model": one.model, "tokens": one.tokens, "requests": one.requests}
            for one in report.unpriced
        ],
        "notes": list(report.notes),
    }


def line_values(line: Line, report: Report) -> dict[str, Any]:
    """One row: its key, counts, money in both columns, and what the prices rest on."""
    told = report.zone.iso
    key = {name: told(value) if isinstance(value, int) else value for name, value in line.key.items()}
    return {
        **key,
        "requests": line.requests,
        "units": line.units,
        "tokens": {"total": line.tokens, **line.counts},
        "usd": line.usd,
        "at_least": line.at_least,
        "unpriced_tokens": line.unpriced,
        "host_usd": line.host_usd,
        "host_usd_units": line.host_units,
        "credits": line.credits,
        "first": told(line.first) if line.units else None,
        "last": told(line.last) if line.units else None,
        "sources": line.sources,
        "prices": [
            {"source": p.source, "version": p.version, "key": p.key, "tier": p.tier, "tokens": p.tokens, "usd": p.usd}
            for p in line.prices.values()
        ],
    }


def as_text(report: Report, width: int = 80, scanned: int = 0, plain: bool = False) -> str:
    """The report as text at most `width` columns wide; `plain` keeps to ASCII."""
    head = header(report, scanned)
    if not report.lines:
        return "\n".join(tables.fold([*head, "Nothing was used in this time, as far as the hosts' logs say."], width))
    body = tables.draw(columns(report, plain), [*report.lines, report.total], width, rule=len(report.lines))
    return "\n".join([*tables.fold(head, width), *_trend(report, width, plain), "", *body, *footer(report, width)])


def header(report: Report, scanned: int) -> list[str]:
    """What is shown: the time, its zone, and how old the numbers are."""
    wanted = report.wanted
    hosts = f", {', '.join(wanted.hosts)}" if wanted.hosts else ""
    told = f"logs read {age(report.made, scanned)}" if scanned else "logs never read (agent-connector usage scan)"
    return [f"Usage by {report.by}, {span(report)}{hosts}; {told}"]


def span(report: Report) -> str:
    """The time that is shown, and its zone."""
    wanted, zone = report.wanted, report.zone
    begin = zone.told(wanted.first) if wanted.first else "the beginning"
    end = zone.told(wanted.last) if wanted.last is not None else "now"
    return f"{begin} to {end} ({zone.name})"


def age(now: int, then: int) -> str:
    """`just now`, `3 minutes ago`, `2 days ago`."""
    seconds = max(now - then, 0) // 1000
    for size, word in ((86400, "day"), (3600, "hour"), (60, "minute")):
        if seconds >= size:
            count = seconds // size
            return f"{count} {word}{'s' if count > 1 else ''} ago"
    return "just now"


def columns(report: Report, plain: bool) -> list[tables.Column[Line]]:
    """The table's columns; those with the highest number go first where there is no room."""
    names = [name for name in (report.lines[0].key) if name not in ("begins", "ends", "name")]
    column = tables.Column[Line]
    found = [column(name, shower(name), left=True, total="total" if name == names[0] else "") for name in names]
    found += [
        column("requests", lambda line: tables.number(line.requests), drop=3),
        column("input", lambda line: tables.number(line.counts["input"]), drop=4),
        column("cache read", lambda line: tables.number(line.counts["cache_read"]), drop=7),
        column("write", lambda line: tables.number(written(line)), drop=8),
        column("output", lambda line: tables.number(line.counts["output"]), drop=2),
        column("tokens", lambda line: tables.number(line.tokens), drop=1),
        column("USD", money),
    ]
    if report.total.host_nano is not None:
        found.append(column("host's own", lambda line: tables.usd(line.host_usd), drop=2))
    if report.total.credit_nano is not None:
        found.append(column("credits", lambda line: tables.amount(line.credits), drop=2))
    if report.by in _TIMES and report.total.atto:
        most = max(line.atto for line in report.lines)
        found.append(
            column(
                "", lambda line: "" if line is report.total else tables.bar(line.atto, most, plain), left=True, drop=6
            )
        )
    return found


def shower(name: str) -> Callable[[Line], str]:
    """How a part of the key is shown; a project by its folder, with a little of its hash."""

    def show(line: Line) -> str:
        if name == "project":
            folder, mark = str(line.key.get("name", "")), str(line.key.get(name, ""))
            return f"{folder} ({mark[:6]})" if folder else mark or "-"
        return str(line.key.get(name, "")) or "-"

    return show


def written(line: Line) -> int:
    """What was written into caches."""
    return line.counts["cache_write_5m"] + line.counts["cache_write_1h"]


def money(line: Line) -> str:
    """The list price; with a plus where something had none."""
    if line.usd is None:
        return "?"
    return tables.usd(line.usd) + ("+" if line.at_least else "")


def _trend(report: Report, width: int, plain: bool) -> list[str]:
    recent = report.trend[-max(width - 40, 7) :]
    if plain or len(recent) < 2 or not any(usd for _, usd in recent):
        return []
    return [f"{tables.spark([usd for _, usd in recent])}  USD by day, {recent[0][0]} to {recent[-1][0]}"]


def footer(report: Report, width: int) -> list[str]:
    """The total, what has no price, and what the prices rest on."""
    lines = ["", f"Total: {_total(report.total)}", *missing(report)]
    if report.total.host_nano is not None:
        lines.append(
            f"The hosts themselves wrote down {tables.usd(report.total.host_usd)} USD for"
            f" {report.total.host_units:,} of {report.total.units:,} units: a column of its own, never added."
        )
    lines += [f"note: {note}" for note in report.notes]
    if versions := _versions(report.total):
        lines.append(f"Prices: {', '.join(versions)}")
    return tables.fold(lines, width)


def missing(report: Report) -> list[str]:
    """The models that have no price."""
    named = [f"{one.model or '(no model named)'} ({tables.number(one.tokens)} tokens)" for one in report.unpriced]
    return [f"+ at least: no price is known for {', '.join(named)}. Give one in prices.toml."] if named else []


def _total(total: Line) -> str:
    requests = "1 request" if total.requests == 1 else f"{total.requests:,} requests"
    tokens = f"{total.tokens:,} tokens in {requests}"
    if total.usd is None:
        return f"{tokens}; no price is known for any of it"
    return f"{tokens}, {'at least ' if total.at_least else ''}{tables.usd(total.usd)} USD at list prices"


def _versions(total: Line) -> Sequence[str]:
    found: Mapping[str, None] = dict.fromkeys(f"{p.source} {p.version}" for p in total.prices.values())
    return list(found)
