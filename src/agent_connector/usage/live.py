"""What is being used now: the last hour by minute, the burn rate, today, and the blocks of five hours that are open."""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from agent_connector.home import tables
from agent_connector.home.moments import Zone
from agent_connector.usage import cards, report, report_show, report_sums, rollups
from agent_connector.usage.report import BLOCK_HOURS, HOUR, Line, Report
from agent_connector.usage.report_sums import Wanted

SCHEMA = "agent-connector/usage-live/1"
MINUTE = 60_000
MINUTES = 60
BURN_MINUTES = 5  # the rate is that of the last so many
_LATEST = f"""
SELECT f.time, f.input + f.cache_read + f.cache_write_5m + f.cache_write_1h + f.output, c.host, r.id, f.requests,
    {", ".join(f"f.{name}" for name in rollups.COUNTS)}
FROM {rollups.PRICED} WHERE f.time >= ? AND f.time < ?
"""  # noqa: S608  # texts of this package


@dataclass(frozen=True, slots=True)
class Block:
    """An open block of a host, what it used so far, and what it comes to at the present rate."""

    host: str
    begins: int
    ends: int
    line: Line
    usd_at_end: float | None


@dataclass(frozen=True, slots=True)
class Live:
    """One look. `minutes` are the tokens of each minute of the last hour, the present one last."""

    at: int
    zone: Zone
    today: Report
    minutes: Sequence[int]
    tokens_per_minute: float
    usd_per_hour: float
    blocks: Sequence[Block]


def look(connection: sqlite3.Connection, zone: Zone, now: int, hosts: Sequence[str] = ()) -> Live:
    """What stands in the index at `now`."""
    today = report.make(connection, "host", Wanted(zone.midnight(zone.day(now)), now + 1, hosts), zone)
    minutes, tokens, atto, by_host = _hour(connection, now, hosts)
    return Live(
        now,
        zone,
        today,
        minutes,
        tokens / BURN_MINUTES,
        atto * 60 / BURN_MINUTES / cards.SCALE,
        _open_blocks(connection, zone, now, hosts, by_host),
    )


def _hour(connection: sqlite3.Connection, now: int, hosts: Sequence[str]) -> tuple[list[int], int, int, dict[str, int]]:
    """Tokens by minute of the last hour; tokens and money of the last minutes, the money also by host."""
    rates = report_sums.rates(connection)
    minutes, tokens, atto, by_host = [0] * MINUTES, 0, 0, dict[str, int]()
    for time, used, host, rate, requests, *counts in connection.execute(_LATEST, (now - MINUTES * MINUTE + 1, now + 1)):
        if hosts and host not in hosts:
            continue
        minutes[MINUTES - 1 - (now - time) // MINUTE] += used
        if now - time < BURN_MINUTES * MINUTE:
            known = rates[rate].prices
            named = dict(zip(rollups.COUNTS, counts, strict=True))
            cost = cards.cost(known, {**named, "requests": requests}) if known else 0
            tokens, atto, by_host[host] = tokens + used, atto + cost, by_host.get(host, 0) + cost
    return minutes, tokens, atto, by_host


def _open_blocks(
    connection: sqlite3.Connection, zone: Zone, now: int, hosts: Sequence[str], burn: dict[str, int]
) -> list[Block]:
    """The blocks that `now` falls into."""
    since = now - BLOCK_HOURS * HOUR
    begun = {
        host: begin * HOUR
        for (host, _), begin in report.blocks(connection, hosts).items()
        if since < begin * HOUR <= now
    }
    found: list[Block] = []
    for host, begins in sorted(begun.items()):
        ends = begins + BLOCK_HOURS * HOUR
        line = report.make(connection, "host", Wanted(begins, now + 1, (host,)), zone).total
        rest = burn.get(host, 0) * (ends - now) // (BURN_MINUTES * MINUTE)
        found.append(Block(host, begins, ends, line, None if line.usd is None else (line.atto + rest) / cards.SCALE))
    return found


def as_values(live: Live) -> dict[str, Any]:
    """One look as JSON values."""
    told = live.zone.iso
    return {
        "schema": SCHEMA,
        "at": told(live.at),
        "zone": live.zone.name,
        "tokens_per_minute": live.tokens_per_minute,
        "usd_per_hour": live.usd_per_hour,
        "minutes": list(live.minutes),
        "today": report_show.line_values(live.today.total, live.today),
        "hosts": [report_show.line_values(line, live.today) for line in live.today.lines],
        "blocks": [
            {
                "host": block.host,
                "begins": told(block.begins),
                "ends": told(block.ends),
                "tokens": block.line.tokens,
                "usd": block.line.usd,
                "usd_at_end": block.usd_at_end,
            }
            for block in live.blocks
        ],
    }


def as_text(live: Live, width: int = 80, plain: bool = False) -> str:
    """One look as text at most `width` columns wide."""
    clock = live.zone.iso(live.at)[:19].replace("T", " ")
    lines = [f"Usage now, {clock} ({live.zone.name})"]
    lines.append(
        f"burning {tables.number(round(live.tokens_per_minute))} tokens a minute, {tables.usd(live.usd_per_hour)} USD an"
        f" hour (last {BURN_MINUTES} minutes)"
    )
    lines = tables.fold(lines, width)
    if not plain:
        shown = live.minutes[-min(MINUTES, max(width - 24, 10)) :]
        lines.append(f"{tables.spark(shown)}  tokens, {len(shown)} minutes")
    for block in live.blocks:
        left = max(block.ends - live.at, 0) // MINUTE
        lines += tables.fold([_block(live, block, left)], width)
    if not live.today.lines:
        return "\n".join([*lines, "", "Nothing was used today."])
    body = tables.draw(
        report_show.columns(live.today, plain), [*live.today.lines, live.today.total], width, rule=len(live.today.lines)
    )
    return "\n".join([*lines, "", "today", *body])


def _block(live: Live, block: Block, left: int) -> str:
    begins, ends = live.zone.told(block.begins)[-5:], live.zone.told(block.ends)[-5:]
    spent = f"{report_show.money(block.line)} USD" if block.line.usd is not None else "no known price"
    ahead = "" if block.usd_at_end is None else f", {tables.usd(block.usd_at_end)} USD at this rate"
    return f"{block.host} block {begins} to {ends}: {spent}, {left // 60} h {left % 60:02} min left{ahead}"
