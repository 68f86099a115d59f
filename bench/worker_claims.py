"""How fast workers draw tasks from one board: 1, 4 and 16 of them, on SQLite and PostgreSQL, beside a job queue.

The peer is `procrastinate` on the same PostgreSQL. To take a task a worker of ours asks for the poll set, claims one
(lease and fence) and moves it to running; theirs fetches a job. To be done with it ours moves it on and gives the lease
back, theirs finishes the job. Both in one process, at the database itself. `python -m bench.worker_claims [--quick]`.
"""

import argparse
import asyncio
import logging
import random
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from typing import Any

from bench._postgres import server

from agent_connector.board import leases, tasks
from agent_connector.board.engine import Tx
from agent_connector.board.store import Store, open_store

WORKERS = (1, 4, 16)
LEAST = 0.08  # of the peer's; about half of what is seen at the worst count of workers
Fresh = Callable[[str], str]


def ours(url: str, workers: int, count: int) -> float:
    """Tasks a second, from the poll set to done."""
    store = open_store(url)
    try:
        store.write(lambda tx: [tasks.add(tx, title=f"task {number}", by="x") for number in range(count)])
        start = time.perf_counter()
        done = [0] * workers
        threads = [threading.Thread(target=draw, args=(store, number, done)) for number in range(workers)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        seconds = time.perf_counter() - start
    finally:
        store.close()
    assert sum(done) == count, f"{sum(done)} of {count} tasks were done"
    return count / seconds


def draw(store: Store, number: int, done: list[int]) -> None:
    """One worker with room for one task: it polls, and takes the first that it gets, in an order of its own."""
    me = {"connector": f"bench-{number}", "instance": "i"}
    while True:
        found, _ = store.read(tasks.page, status=("todo",))
        if not found:
            return
        random.shuffle(found)
        for task in found:
            claim = store.write(leases.claim, task.id, **me, seconds=120)
            if not claim.claimed or claim.fence is None:
                continue
            mine = store.write(begin, task.id, claim.fence)  # or done by another since the page was read
            if mine:
                store.write(finish, task.id, claim.fence)
                done[number] += 1
            store.write(leases.release, task.id, **me, fence=claim.fence)
            if mine:
                break


def begin(tx: Tx, id: str, fence: int) -> bool:
    leases.check(tx, id, fence)
    if tasks.get(tx, id).status != "todo":
        return False
    tasks.set_status(tx, id, "running", by="x")
    return True


def finish(tx: Tx, id: str, fence: int) -> None:
    leases.check(tx, id, fence)
    tasks.set_status(tx, id, "done", by="x")


async def theirs(url: str, workers: int, count: int) -> float:
    """Jobs a second, fetched and finished."""
    import procrastinate
    from procrastinate import jobs

    logging.getLogger("procrastinate").setLevel(logging.ERROR)
    app = procrastinate.App(connector=procrastinate.PsycopgConnector(conninfo=url, min_size=workers, max_size=workers))
    done = 0

    @app.task(name="nothing")
    def nothing() -> None: ...

    async def worker() -> None:
        nonlocal done
        manager: Any = app.job_manager
        me = await manager.register_worker()
        while (job := await manager.fetch_job(queues=None, worker_id=me)) is not None:
            await manager.finish_job(job, jobs.Status.SUCCEEDED, delete_job=False)
            done += 1

    async with app.open_async():
        await app.schema_manager.apply_schema_async()
        await nothing.batch_defer_async(*({} for _ in range(count)))
        start = time.perf_counter()
        await asyncio.gather(*(worker() for _ in range(workers)))
        seconds = time.perf_counter() - start
    assert done == count, f"{done} of {count} jobs were done"
    return count / seconds


def measured(fresh: Fresh | None, workers: int, count: int, rounds: int) -> dict[str, list[float]]:
    """Each in turn, again and again, on a fresh database."""
    rates: dict[str, list[float]] = {"sqlite": [], "postgresql": [], "procrastinate": []}
    for number in range(rounds):
        with tempfile.TemporaryDirectory() as folder:
            rates["sqlite"].append(ours(f"sqlite:///{folder}/board.db", workers, count))
        if fresh is None:
            continue
        pair = [
            ("postgresql", lambda: ours(fresh("ours"), workers, count)),
            ("procrastinate", lambda: asyncio.run(theirs(fresh("theirs"), workers, count))),
        ]
        for name, run in pair if number % 2 else pair[::-1]:
            rates[name].append(run())
    return rates


def main() -> int:
    options = argparse.ArgumentParser()
    options.add_argument("--quick", action="store_true")
    quick = options.parse_args().quick
    count, rounds = (150, 1) if quick else (600, 3)
    kept = True
    with server() as fresh:
        print("worker_claims: tasks a second from the poll set to done, beside procrastinate on the same PostgreSQL")
        print(f"{'workers':>9}  {'sqlite/s':>8}  {'postgresql/s':>12}  {'peer/s':>7}  {'ratio':>6}  {'promised':>8}")
        for workers in WORKERS:
            rates = measured(fresh, workers, count, rounds)
            sqlite = statistics.median(rates["sqlite"])
            if fresh is None:
                print(f"{workers:>9}  {sqlite:>8.0f}  PostgreSQL is missing: run `python tools/services.py install`")
                continue
            both = list(zip(rates["postgresql"], rates["procrastinate"], strict=True))
            ratio = statistics.median(mine / peer for mine, peer in both)
            good = ratio >= LEAST
            kept = kept and good
            mine, peer = (statistics.median(rates[name]) for name in ("postgresql", "procrastinate"))
            missed = "" if good else "  MISSED"
            print(
                f"{workers:>9}  {sqlite:>8.0f}  {mine:>12.0f}  {peer:>7.0f}  {ratio:>6.2f}  {f'>= {LEAST:.2f}':>8}{missed}"
            )
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
