"""What each session of late used, a small file for each: a status line has no time for the index.

Written after a scan that found something. A session's subagents are in its numbers; a fork is a session of its own.
"""

import contextlib
import json
import os
import sqlite3
import time
from typing import Any

from agent_connector.home import paths, private
from agent_connector.usage import index, report_sums, rollups
from agent_connector.usage.cards import SCALE
from agent_connector.usage.windows import QUARTER

Part = tuple[report_sums.Sum, report_sums.Rated]

NANO = 10**9  # parts of a dollar in what hosts wrote down
LONGEST = 31 * index.RECENT  # how far back a session's calls are summed
_COUNTS = {
    "input_tokens": ("input",),
    "cache_read_tokens": ("cache_read",),
    "cache_write_tokens": ("cache_write_5m", "cache_write_1h"),
    "output_tokens": ("output",),
    "reasoning_tokens": ("reasoning",),
}
_NUMBERS = ", ".join(f"sum(s.{name})" for name in ("units", "requests", *rollups.COUNTS, "cost", "credits", "costed"))
_SESSIONS = f"""
WITH late AS (
    SELECT DISTINCT c.host, c.session FROM sums s JOIN contexts c ON c.id = s.context
    WHERE s.quarter >= ? AND c.session <> ''
), whose AS (
    SELECT c.id, late.host, late.session FROM contexts c JOIN late ON c.host = late.host AND c.session = late.session
    UNION
    SELECT c.id, late.host, late.session FROM contexts c JOIN late ON c.host = late.host AND c.parent = late.session
    WHERE c.agent <> ''
)
SELECT whose.host, whose.session, s.rate, {_NUMBERS}, min(s.first), max(s.last)
FROM sums s JOIN whose ON whose.id = s.context WHERE s.quarter >= ? GROUP BY 1, 2, 3
"""  # noqa: S608  # names of this module


def write(root: str) -> int:
    """Bring the files up to date; how many there are. One that says the same already is left: `live` comes each second."""
    if not os.path.exists(paths.usage_index(root)):
        return 0
    now = time.time_ns() // 1_000_000
    with rollups.rolled(root) as connection:
        made = _made(connection, now)
    for whose, values in made.items():
        path, data = paths.usage_session(root, *whose), json.dumps(values, separators=(",", ":")).encode()
        if private.read(path) != data:
            private.write(path, data)
    _sweep(paths.usage_sessions(root), {paths.usage_session(root, *whose) for whose in made})
    return len(made)


def _made(connection: sqlite3.Connection, now: int) -> dict[tuple[str, str], dict[str, Any]]:
    rates = report_sums.rates(connection)
    since = (now - index.RECENT) // QUARTER, (now - LONGEST) // QUARTER
    parts: dict[tuple[str, str], list[Part]] = {}
    for host, session, rate, *row in connection.execute(_SESSIONS, since):
        parts.setdefault((host, session), []).append((report_sums.summed(row), rates[rate]))
    return {whose: _values(each) for whose, each in parts.items()}


def _values(parts: list[Part]) -> dict[str, Any]:
    """`total_usd` is None where nobody knows the price of a model, `host_usd` where the host does not say all costs."""
    priced = all(rated.prices for _, rated in parts)
    told = all(part.costed == part.units for part, _ in parts)
    values: dict[str, Any] = {
        "total_usd": sum(part.atto(rated.prices) for part, rated in parts) / SCALE if priced else None,
        "host_usd": sum(part.cost or 0 for part, _ in parts) / NANO if told else None,
        "requests": sum(part.requests for part, _ in parts),
        "updated_ms": max(part.last for part, _ in parts),
    }
    for name, classes in _COUNTS.items():
        values[name] = sum(part.counts[each] for part, _ in parts for each in classes)
    return values


def _sweep(folder: str, kept: set[str]) -> None:
    """Take away the files of sessions that are over."""
    with contextlib.suppress(OSError):
        for name in os.listdir(folder):
            path = os.path.join(folder, name)
            if name.endswith(".json") and path not in kept:
                private.remove(path)
    private.sweep(folder)
