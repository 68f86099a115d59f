"""A process whose worker does one task: a child that prints without end. Says what its board was told, and how much it grew.

python tests/worker/flood.py FOLDER BYTES WIDTH
"""

import asyncio
import json
import os
import resource
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from tests.worker.stage import Stage

from agent_connector.drive.events import Job, RunEvent
from agent_connector.drive.run import run
from agent_connector.testing.boards import MemoryBoard
from agent_connector.worker.config import Log
from agent_connector.worker.state import State
from agent_connector.worker.values import Assignment, Emit, Result, Stop

LOUD = 'line=$(head -c "$2" /dev/zero | tr "\\0" x); yes "$line" | head -c "$1"'


class Host:
    """A host that says nothing but lines."""

    def __init__(self, size: int, width: int) -> None:
        self.size, self.width = size, width

    def argv(self, job: Job) -> list[str]:
        return ["sh", "-c", LOUD, "sh", str(self.size), str(self.width)]

    def environment(self, job: Job) -> dict[str, str]:
        return {}

    def read(self, line: str) -> Sequence[RunEvent]:
        return ()


class Counting(MemoryBoard):
    """Keeps no log: what is in memory is the worker's."""

    def __init__(self) -> None:
        super().__init__()
        self.kinds, self.size = Counter[str](), 0
        self.last: Mapping[str, Any] = {}

    async def log_append(self, run_id: str, events: Sequence[Mapping[str, Any]], **more: Any) -> int:
        self.kinds.update(event["type"] for event in events)
        self.size += sum(len(str(event["payload"])) for event in events)
        self.last = events[-1]
        return await super().log_append(run_id, [{**event, "payload": {}} for event in events], **more)


def peak() -> int:
    """Bytes; macOS counts in bytes, others in KiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def main(folder: Path, size: int, width: int) -> None:
    done(folder, width, width)  # what one run takes, however little it says
    before = peak()
    told = done(folder, size, width)
    state = sum(path.stat().st_size for path in folder.glob("state.db*"))
    print(json.dumps({**told, "grown": peak() - before, "state": state}))


def done(folder: Path, size: int, width: int) -> dict[str, Any]:
    """One task, done: what was heard of its host, and what the board was told."""
    board, heard = Counting(), [0]
    stage = Stage(folder, board, log=Log(flush_interval_ms=20))

    async def prints(given: Assignment, emit: Emit, stop: Stop) -> Result:
        def line(channel: str, text: str) -> None:
            heard[0] += len(text) + 1
            emit("line", channel, {"text": text})

        job, way = Job("", cwd=str(folder)), {"PATH": os.environ["PATH"]}
        host: Any = Host(size, width)
        await asyncio.to_thread(run, host, job, way, on_line=line, stop=stop.event, seconds=3_600, stall=600)
        return Result("succeeded", "printed", host="cat", cost_usd=0.0)

    async def work() -> None:
        with State(stage.config.state_path) as state:
            await stage.worker(cast("Any", prints), state).run_once()

    task = board.add("print")
    asyncio.run(work())
    status = board.now(task.id).status
    return {"status": status, "heard": heard[0], "kinds": board.kinds, "size": board.size, "last": board.last}


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
