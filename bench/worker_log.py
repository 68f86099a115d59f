"""From a child to the board: lines a second through all that is between, against a loop that writes them into a table.

A child prints lines; the worker reads, redacts and numbers them, keeps each batch in its outbox, and sends it over MCP to a
board in a process of its own. The floor reads the same child and commits the same batches into SQLite by the driver
alone. `python -m bench.worker_log [--quick]`.
"""

import argparse
import asyncio
import os
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
from tests.board.process import Process

from agent_connector.board import tasks
from agent_connector.board.client import BoardClient
from agent_connector.board.store import Store, open_store
from agent_connector.drive.events import Job, RunEvent
from agent_connector.drive.run import run
from agent_connector.redaction import Redactor
from agent_connector.testing.board_stage import minted
from agent_connector.worker.clock import SystemClock
from agent_connector.worker.config import Config, Ergonomics, Log
from agent_connector.worker.loop import Worker
from agent_connector.worker.state import State
from agent_connector.worker.values import Assignment, Emit, Result, Stop

BATCH = 100
LEAST = 0.01  # of the floor; half of what is seen when it goes badly
LINE = "compiling module {} of the project, with a word here and there\n"


class Cat:
    """A host whose stream is a file."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def argv(self, job: Job) -> list[str]:
        return ["cat", str(self.path)]

    def environment(self, job: Job) -> dict[str, str]:
        return {}

    def read(self, line: str) -> Sequence[RunEvent]:
        return ()


def floor(path: Path, database: Path) -> float:
    """Lines a second: read and committed, nothing else."""
    with (
        closing(sqlite3.connect(database)) as connection,
        subprocess.Popen(["cat", path], stdout=subprocess.PIPE) as child,
    ):
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("CREATE TABLE IF NOT EXISTS bare (seq INTEGER, line TEXT)")
        assert child.stdout
        start, rows = time.perf_counter(), list[tuple[int, str]]()
        count = 0
        for count, line in enumerate(child.stdout, 1):
            rows.append((count, line.decode()))
            if len(rows) == BATCH:
                connection.executemany("INSERT INTO bare VALUES (?, ?)", rows)
                connection.commit()
                rows.clear()
        return count / (time.perf_counter() - start)


def ours(path: Path, folder: Path, store: Store, url: str, key: str, lines: int) -> float:
    """Lines a second, from the start of the child until the board has the last one."""
    task = store.write(tasks.add, title="print", by="x")
    began = [0.0]

    async def runner(given: Assignment, emit: Emit, stop: Stop) -> Result:
        def heard(channel: str, text: str) -> None:
            emit("line", channel, {"text": text})

        began[0] = time.perf_counter()
        job = Job("", cwd=str(folder))
        await asyncio.to_thread(run, Cat(path), job, {"PATH": os.environ["PATH"]}, on_line=heard, stop=stop.event)  # type: ignore[arg-type]
        return Result("succeeded", "printed", host="cat", cost_usd=0.0, cost_source="estimated")

    async def work() -> float:
        log = Log(batch_size=BATCH, max_events=10 * lines)
        config = Config(
            str(folder), str(folder / f"{task.id}.db"), Ergonomics(str(folder / "STOP")), log=log, done_status="done"
        )
        with State(config.state_path) as state:
            async with BoardClient(url, key) as client:
                await Worker(config, client, runner, state, SystemClock(), Redactor([key])).run_once()
        return time.perf_counter() - began[0]

    seconds = asyncio.run(work())
    found = store.read(held, task.id)
    if found != lines:
        raise RuntimeError(f"the board has {found} of {lines} lines")
    return lines / seconds


def held(tx, task: str) -> int:  # type: ignore[no-untyped-def]
    from sqlalchemy import func, select

    from agent_connector.board.schema import events, runs

    mine = select(runs.c.id).where(runs.c.task_id == task)
    query = select(func.count()).select_from(events).where(events.c.run_id.in_(mine), events.c.type == "line")
    return int(tx.connection.scalar(query) or 0)


def main() -> int:
    options = argparse.ArgumentParser()
    options.add_argument("--quick", action="store_true")
    lines, rounds = (4_000, 3) if options.parse_args().quick else (20_000, 5)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        path, database = folder / "lines", f"sqlite:///{folder}/board.db"
        path.write_text("".join(LINE.format(number) for number in range(lines)))
        with closing(open_store(database)) as store:
            key = minted(store, "bench@example.com")
            board = Process(database)
            try:
                pairs = [
                    (ours(path, folder, store, board.url, key, lines), floor(path, folder / "bare.db"))
                    for _ in range(rounds)
                ]
            finally:
                board.kill()
    ratio = statistics.median(mine / bare for mine, bare in pairs)
    rate, base = (statistics.median(column) for column in zip(*pairs, strict=True))
    good = ratio >= LEAST
    print("worker_log: lines a second from a child to the board, beside a loop that commits them into SQLite")
    print(f"{'board':>9} {'floor':>9}  {'ratio':>6}  promised")
    print(f"{rate:>9,.0f} {base:>9,.0f}  {ratio:>6.3f}  >= {LEAST:.2f}{'' if good else '  MISSED'}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
