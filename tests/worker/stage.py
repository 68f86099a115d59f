"""A worker at a board in memory, its runs scripted."""

import asyncio
import random
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

from agent_connector.redaction.redactor import Redactor
from agent_connector.testing.boards import MemoryBoard
from agent_connector.worker.clock import SystemClock
from agent_connector.worker.config import Config, Ergonomics, Log
from agent_connector.worker.loop import Worker
from agent_connector.worker.state import State
from agent_connector.worker.values import Assignment, Emit, Result, Stop

DONE = Result("succeeded", "I did it.", host="claude-code", provider="anthropic", model="m", cost_usd=0.5)


class Runner:
    """Does what `script` says for each task in turn; without one everything succeeds."""

    def __init__(self, *script: Result | Callable[[Assignment, Emit, Stop], Coroutine[Any, Any, Result]]) -> None:
        self.script = list(script)
        self.given: list[Assignment] = []

    async def __call__(self, given: Assignment, emit: Emit, stop: Stop) -> Result:
        self.given.append(given)
        emit("said", "host", {"text": f"working on {given.task.title}"})
        step = self.script.pop(0) if self.script else DONE
        return step if isinstance(step, Result) else await step(given, emit, stop)


class Quick(SystemClock):
    """A second is two milliseconds long."""

    def now(self) -> float:
        return super().now() * 500

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds / 500)


class Stage:
    def __init__(self, folder: Path, board: MemoryBoard | None = None, **config: Any) -> None:
        self.folder = folder
        self.board = board or MemoryBoard()
        ergonomics = Ergonomics(str(folder / "STOP"), **config.pop("ergonomics", {}))
        told: dict[str, Any] = {
            "running_status": "doing",
            "done_status": "done",
            "failed_status": "failed",
            "connector_id": "w1",
            "log": Log(flush_interval_ms=20),
        }
        self.config = Config(str(folder), str(folder / "state.db"), ergonomics, **(told | config))
        self.said: list[str] = []

    def worker(self, runner: Runner, state: State, clock: SystemClock | None = None) -> Worker:
        return Worker(
            self.config,
            self.board,
            runner,
            state,
            clock or SystemClock(),
            Redactor(["a-very-secret-key"]),
            say=self.said.append,
            chance=random.Random(1),
        )

    def rounds(self, runner: Runner, count: int = 1) -> list[str]:
        """What a fresh process takes in so many rounds."""

        async def go() -> list[str]:
            with State(self.config.state_path) as state:
                worker = self.worker(runner, state)
                return [task for _ in range(count) for task in (await worker.run_once()).taken]

        return asyncio.run(asyncio.wait_for(go(), 20))
