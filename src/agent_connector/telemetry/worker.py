"""A thread that counts beside a program's own work: for servers that measure themselves, and for the bridge."""

import atexit
import contextlib
import queue
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from agent_connector.telemetry.counters import Counters
from agent_connector.telemetry.fault import Faults
from agent_connector.telemetry.messages import Meter
from agent_connector.telemetry.origin import Origin
from agent_connector.telemetry.rows import Rows, calendar, writer

Job = Callable[[], object]
_WAITING = 2000  # jobs; what comes beyond is not counted, so that nothing here can hold a server's memory
_HURRY = 200  # from here on by the heuristic
_LAST = 3.0  # seconds at the program's end; in a second half of as many, by the heuristic


class Worker:
    """Feeds a meter from a bounded queue. Use `seen` from any thread."""

    def __init__(self, root: str, origin: Origin, layer: str, book: str = "", definitions: bool = True) -> None:
        self.counters = Counters(root)
        self.faults = Faults(root, origin.connector)
        rows = Rows(origin, writer(root, origin.connector, layer, book), definitions)
        self.meter = Meter(rows, self.counters.usual, self.counters.careful, calendar())
        self.jobs: queue.Queue[Job | None] = queue.Queue(_WAITING)
        self.late = False
        self.thread = threading.Thread(target=self._work, name="agent-connector-telemetry", daemon=True)
        self.thread.start()
        atexit.register(self.close)

    def seen(self, way: bytes, objects: Callable[[], Iterable[Mapping[str, Any]]]) -> None:
        """Messages went by. `objects` is called in the worker's thread."""
        moment = now()
        self._put(lambda: self.meter.objects(way, moment, objects()))

    def close(self) -> None:
        """Count what is still waiting, for a moment. What could not be counted is noted for `doctor`."""
        atexit.unregister(self.close)
        if not self.thread.is_alive():
            return
        with contextlib.suppress(queue.Full):
            self.jobs.put(None, timeout=_LAST)
        self.thread.join(_LAST)
        if self.thread.is_alive():
            self.late = True
            self.thread.join(_LAST)
        if self.thread.is_alive():
            self.faults.note(TimeoutError())

    def _put(self, job: Job) -> None:
        try:
            self.jobs.put_nowait(job)
        except queue.Full as error:
            self.faults.note(error)

    def _work(self) -> None:
        while (job := self.jobs.get()) is not None:
            self.counters.hurry = self.late or self.jobs.qsize() > _HURRY
            try:
                job()
            except Exception as error:  # noqa: BLE001  # the top of this thread: what comes by is anybody's
                self.faults.note(error)
        self.meter.end(now())


def now() -> int:
    """Microseconds of the monotonic clock."""
    return time.monotonic_ns() // 1000
