"""What a board costs: polls beside ever more parked tasks, log events, calls over HTTP.

The floor of a poll is the same poll with 1,000 parked tasks; it must cost the same with 100,000. The floor of the log is
one INSERT of the same rows by the database's own driver; that of a call is a bare Starlette door that reads a row.
`python -m bench.board [--quick]`.
"""

import argparse
import asyncio
import json
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from typing import Any

import psycopg
from bench._postgres import server
from sqlalchemy import text

from agent_connector.board import runs, tasks
from agent_connector.board.engine import Tx
from agent_connector.board.store import Store, open_store

FEW, MANY = 1_000, 100_000
FLAT = 1.5  # how much dearer a poll may be with a hundred times as many parked tasks
LEAST_LOG = 0.10  # of the rate of bare INSERTs
BATCH = 100  # events
EVENT = {"ts": "2026-01-01T00:00:00Z", "type": "line", "channel": "stdout", "payload": {"text": "x" * 80}}
PARKED = """INSERT INTO board_tasks (id, board, title, description, status, priority, created_at, updated_at)
SELECT 'p' || n, 'main', 'a parked task', '', 'parked', 0, n, CAST(n AS BIGINT) * :last / :n FROM """
ON_POSTGRES = PARKED + "generate_series(1, :n) n"
SERIES = "WITH RECURSIVE s(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < :n) "
ON_SQLITE = f"{SERIES}{PARKED}s"
BARE = "INSERT INTO bare VALUES (%s, %s, %s, %s, %s, %s)"
POLLS: dict[str, dict[str, Any]] = {
    "first poll (by status)": {"status": ("todo", "ready")},
    "of one board": {"board": "main", "status": ("todo",)},
    "later poll (by time)": {"since": MANY - 5},
}


def park(store: Store, count: int) -> None:
    """Parked tasks, and twenty that wait."""

    def fill(tx: Tx) -> None:
        tx.connection.execute(text(ON_POSTGRES if tx.postgres else ON_SQLITE), {"n": count, "last": MANY})
        for number in range(20):
            tasks.add(tx, title=f"task {number}", by="x")

    store.write(fill)
    with store.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.exec_driver_sql("ANALYZE")


def polls(few: Store, many: Store, rounds: int) -> dict[str, tuple[float, float]]:
    """The ratio of many to few, and the milliseconds with many, by the kind of poll."""
    found = dict[str, tuple[float, float]]()
    for name, poll in POLLS.items():
        pairs = [
            [timed(store, poll) for store in ((few, many) if number % 2 else (many, few))][:: 1 if number % 2 else -1]
            for number in range(rounds)
        ]
        ratio = statistics.median(second / first for first, second in pairs)
        found[name] = ratio, statistics.median(second for _, second in pairs) * 1000
    return found


def timed(store: Store, poll: dict[str, Any]) -> float:
    start = time.perf_counter()
    for _ in range(5):
        store.read(tasks.page, **poll)
    return (time.perf_counter() - start) / 5


def logged(store: Store, batches: int, first: int) -> float:
    """Events a second into a run's log, as a worker sends them."""
    task = store.write(tasks.add, title="t", by="x")
    run = store.write(runs.create, task.id, connector="c")
    start = time.perf_counter()
    for batch in range(batches):
        events = [{**EVENT, "seq": first + batch * BATCH + number} for number in range(BATCH)]
        store.write(runs.append, run.id, events)
    return batches * BATCH / (time.perf_counter() - start)


@contextmanager
def bare(url: str) -> Iterator[Callable[[int], float]]:
    """The same rows by the driver alone: one INSERT and commit a batch."""
    rows = [("r", number, EVENT["ts"], "line", "stdout", json.dumps(EVENT["payload"])) for number in range(BATCH)]
    create = "CREATE TABLE bare (run_id TEXT, seq BIGINT, ts TEXT, type TEXT, channel TEXT, payload TEXT, PRIMARY KEY (run_id, seq))"
    placed = [0]

    def measure(connect: Callable[[], Any], insert: str, batches: int) -> float:
        with closing(connect()) as connection:
            start = time.perf_counter()
            for _ in range(batches):
                placed[0] += BATCH
                held = [(row[0], row[1] + placed[0], *row[2:]) for row in rows]
                connection.cursor().executemany(insert, held)
                connection.commit()
            return batches * BATCH / (time.perf_counter() - start)

    if url.startswith("sqlite"):
        path = url.removeprefix("sqlite:///") + ".bare"

        def lite() -> sqlite3.Connection:
            connection = sqlite3.connect(path)
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA synchronous=FULL")
            return connection

        with closing(lite()) as connection:
            connection.execute(create)
        yield lambda batches: measure(lite, BARE.replace("%s", "?"), batches)
    else:
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(create)  # type: ignore[arg-type]
        yield lambda batches: measure(lambda: psycopg.connect(url), BARE, batches)


def called(store: Store, count: int) -> tuple[float, float]:
    """Tool calls a second by 8 at once through the server, and the ratio to a bare door that reads the same page."""
    import httpx2
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import JSONResponse, Response
    from starlette.routing import Route

    from agent_connector.board.app import application
    from agent_connector.board.client import BoardClient
    from agent_connector.testing.board_stage import ADDRESS, FREE, minted

    key = minted(store, f"bench{time.monotonic_ns()}@example.com")

    async def door(request: Request) -> Response:
        found, _ = await store.reading(tasks.page, status=("todo",))
        return JSONResponse({"tasks": [task.wire() for task in found]})

    async def rate(call: Callable[[], Any]) -> float:
        async def some() -> None:
            for _ in range(count // 8):
                await call()

        await call()
        start = time.perf_counter()
        await asyncio.gather(*(some() for _ in range(8)))
        return count // 8 * 8 / (time.perf_counter() - start)

    async def both() -> tuple[float, float]:
        app = application(store, rates=FREE)
        plain = Starlette(routes=[Route("/", door)])
        async with (
            app.router.lifespan_context(app),
            BoardClient(ADDRESS, key, transport=httpx2.ASGITransport(app)) as board,
            httpx2.AsyncClient(transport=httpx2.ASGITransport(plain), base_url=ADDRESS) as http,
        ):
            pairs = [
                (await rate(lambda: board.tasks(status=["todo"])), await rate(lambda: http.get("/"))) for _ in range(3)
            ]
        return statistics.median(ours for ours, _ in pairs), statistics.median(ours / base for ours, base in pairs)

    return asyncio.run(both())


def measure(name: str, urls: Sequence[str], quick: bool) -> bool:
    """All of one database; `urls` are two empty ones."""
    few, many = (open_store(url) for url in urls)
    kept = True
    try:
        park(few, FEW)
        park(many, MANY)
        for poll, (ratio, milliseconds) in polls(few, many, 9 if quick else 41).items():
            kept = row(f"{name}: {poll}", ratio, f"<= {FLAT:.2f}", ratio <= FLAT, f"{milliseconds:.2f} ms") and kept
        batches, rounds = (10, 3) if quick else (40, 7)
        with bare(urls[0]) as floor:
            pairs = [(logged(many, batches, 0), floor(batches)) for _ in range(rounds)]
        ratio = statistics.median(ours / base for ours, base in pairs)
        rate = statistics.median(ours for ours, _ in pairs)
        kept = row(f"{name}: log", ratio, f">= {LEAST_LOG:.2f}", ratio >= LEAST_LOG, f"{rate:.0f} events/s") and kept
        rate, ratio = called(many, 80 if quick else 400)
        row(f"{name}: calls over MCP", ratio, "", True, f"{rate:.0f} calls/s")
    finally:
        few.close()
        many.close()
    return kept


def row(name: str, ratio: float, promised: str, good: bool, told: str) -> bool:
    print(f"  {name:<38}{ratio:>7.3f}  {promised:>8}  {told:>16}{'' if good else '  MISSED'}", flush=True)
    return good


def main() -> int:
    options = argparse.ArgumentParser()
    options.add_argument("--quick", action="store_true")
    quick = options.parse_args().quick
    print(f"board: {MANY:,} parked tasks against {FEW:,}; a run's log against bare INSERTs; calls against a bare door")
    print(f"{'':40}{'ratio':>7}  {'promised':>8}")
    with tempfile.TemporaryDirectory() as folder:
        kept = measure("sqlite", [f"sqlite:///{folder}/{number}.db" for number in (1, 2)], quick)
    with server() as fresh:
        if fresh is None:
            print("  PostgreSQL is missing: run `python tools/services.py install`")
        else:
            kept = measure("postgresql", [fresh("few"), fresh("many")], quick) and kept
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
