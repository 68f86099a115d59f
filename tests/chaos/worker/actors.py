"""What plays in the chaos tests, each in a process of its own: a board, and workers whose runs are pretended."""

import asyncio
import os
import random
import signal
import tempfile
import time
from pathlib import Path
from typing import Any

from agent_connector.board.app import Rates, application
from agent_connector.board.client import BoardClient
from agent_connector.board.serve import bind
from agent_connector.board.store import open_store
from agent_connector.redaction import Redactor
from agent_connector.worker.clock import SystemClock
from agent_connector.worker.config import Config, Ergonomics, Log
from agent_connector.worker.loop import Worker
from agent_connector.worker.state import State
from agent_connector.worker.values import Assignment, Emit, Result, Stop

FAST = Rates((1e6, 1e6), (1e6, 1e6), (1e6, 1e6))
LEASE = 3  # seconds


def warm() -> None:
    """Whatever is slow at the first time."""
    with tempfile.TemporaryDirectory() as folder:
        store = open_store(f"sqlite:///{folder}/board.db")
        application(store)
        store.close()


def board(database: str, port: int) -> None:
    import uvicorn

    store = open_store(database)
    with bind("127.0.0.1", port) as listener:
        config = uvicorn.Config(application(store, rates=FAST), log_level="warning", access_log=False)
        asyncio.run(uvicorn.Server(config).serve([listener]))


def config_for(folder: Path, name: str, **more: Any) -> Config:
    told: dict[str, Any] = {
        "connector_id": name,
        "running_status": "doing",
        "done_status": "done",
        "failed_status": "failed",
        "poll_interval_ms": 300,
        "lease_seconds": LEASE,
        "kill_grace_ms": 500,
        "log": Log(batch_size=7, flush_interval_ms=60),
    }
    ergonomics = Ergonomics(str(folder / "STOP"), max_concurrency=more.pop("max_concurrency", 2))
    return Config(str(folder), str(folder / f"{name}.db"), ergonomics, **(told | more))


def worker(folder: str, url: str, key: str, name: str, lines: int, seconds: float, running: bool) -> None:
    """A worker until it is told to end. Its runs say `lines` lines in about `seconds`, and note when they began and ended."""
    chance = random.Random(os.getpid())
    play = Path(folder)

    async def run(given: Assignment, emit: Emit, stop: Stop) -> Result:
        mine = f"{given.task.id} {os.getpid()} {time.monotonic_ns()}"
        note(play, "begin", mine)
        for number in range(lines):
            emit("line", "stdout", {"text": f"{mine} {number}"})
            await asyncio.sleep(chance.uniform(0, 2) * seconds / lines)
            if stop.reason is not None:
                note(play, "end", mine)
                return Result("cancelled", "", stop.reason)
        note(play, "end", mine)
        return Result("succeeded", f"did {given.task.title}", host="pretended", cost_usd=0.01, cost_source="estimated")

    async def work() -> None:
        end = asyncio.Event()
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, end.set)
        config = config_for(play, name, **({} if running else {"running_status": None}))
        with State(config.state_path) as state:
            async with BoardClient(url, key, seconds=5) as client:

                def say(line: str) -> None:
                    note(play, "said", f"{name}: {line}")

                await Worker(config, client, run, state, SystemClock(), Redactor([key]), say=say).run_forever(end)

    asyncio.run(work())


def note(play: Path, what: str, text: str) -> None:
    """A line of the play's diary, which all processes write to: time, what, text."""
    line = f"{time.monotonic():.6f}\t{what}\t{text}\n".encode()
    handle = os.open(play / "diary", os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    try:
        os.write(handle, line)
    finally:
        os.close(handle)
