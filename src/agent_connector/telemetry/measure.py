"""The measuring process: reads the pump's frames from stdin, counts, appends rows, and ends with the pump.

It runs at the lowest priority and may die: the pump does not notice. Started by `runtime/serve.py` as
`python -I measure.py root=... connector=... host=... family=... store=... definitions=1`.
"""

import os
import signal
import sys
import time
from collections.abc import Sequence

if __name__ == "__main__":  # isolated, so the package is not on the path
    sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))

from agent_connector.telemetry import live
from agent_connector.telemetry.counters import Counters
from agent_connector.telemetry.fault import Faults
from agent_connector.telemetry.lines import Lines, Message
from agent_connector.telemetry.messages import Meter
from agent_connector.telemetry.origin import origin
from agent_connector.telemetry.rows import Rows, calendar, project_book, writer

READ = 1 << 18
BEHIND = 1 << 19  # bytes that wait in the pipe: when they do for as long as
LATE = 0.5  # seconds, then we are behind, and messages above
SMALL = 2048  # bytes are counted by the heuristic
REST = 0.005  # a breath between reads, so that the pump's writes wake nobody
RATE, BURST = 32 << 20, 4 << 20  # bytes a second that we take in the long run, and at once
LAST_WORD = 10.0  # seconds that a question to a vendor may outlive everything else
STINT = 0.02  # seconds of counting in one go, after which we stay out of the way for twice as long


class Pace:
    """Keeps a flood from taking the machine: what we do not take, the pump shortens, and we count by its size."""

    def __init__(self) -> None:
        self.allowance = float(BURST)
        self.last = time.monotonic()
        self.since = 0.0

    def behind(self) -> bool:
        """True when much has been waiting for a while, and more may come."""
        if waiting() < BEHIND or gone():
            self.since = 0.0
            return False
        now = time.monotonic()
        self.since = self.since or now
        return now - self.since > LATE

    def rest(self, taken: int, busy: float) -> None:
        """Sleep as long as `taken` bytes and `busy` seconds of work ask for; not once the pump is gone."""
        now = time.monotonic()
        self.allowance = min(self.allowance + (now - self.last) * RATE, BURST) - taken
        self.last = now
        pause = max(-self.allowance / RATE, busy * 2 if busy > STINT else 0.0, REST if taken < READ else 0.0)
        if pause and not gone():
            time.sleep(pause)


def main(arguments: Sequence[str]) -> int:
    """Count what comes by until the pump is gone."""
    outlive()
    step_back()
    options = {name: value for name, _, value in (word.partition("=") for word in arguments)}
    root = options["root"]
    fallback = f"{os.getppid():x}-{time.time_ns() // 1_000_000:x}"
    whence = origin(
        options["connector"], options.get("host", ""), options.get("family", ""), os.environ, os.getcwd(), fallback
    )
    book = project_book(os.getcwd()) if options.get("store") == "project" else ""
    rows = Rows(whence, writer(root, whence.connector, "serve", book), options.get("definitions") != "0")
    counters = Counters(root)
    meter = Meter(rows, counters.usual, counters.careful, calendar())
    count(meter, counters, Faults(root, whence.connector))
    live.done(root, options.get("pump", ""))
    if counters.sampler:
        counters.sampler.wait(LAST_WORD)
    return 0


def count(meter: Meter, counters: Counters, faults: Faults) -> None:
    """Feed the meter until the pipe closes. A message that trips it costs its own row, not those that follow."""
    lines, pace = Lines(), Pace()
    while data := os.read(0, READ):
        start = time.monotonic()
        for seen in lines.feed(data):
            counters.hurry = isinstance(seen, Message) and len(seen.data) > SMALL and pace.behind()
            try:
                meter.see(seen)
            except Exception as error:  # noqa: BLE001  # the top of this process: what comes by is anybody's
                faults.note(error)
        pace.rest(len(data), time.monotonic() - start)
    meter.end(time.monotonic_ns() // 1000)


def gone() -> bool:
    """True when the pump has closed its end."""
    if sys.platform == "win32":
        return False
    import select

    poll = select.poll()
    poll.register(0, 0)
    return bool(poll.poll(0))


def waiting() -> int:
    """Bytes in the pipe, 0 where the system does not tell."""
    if sys.platform == "win32":
        return 0
    import fcntl
    import termios

    try:
        return int.from_bytes(fcntl.ioctl(0, termios.FIONREAD, b"\0\0\0\0"), sys.byteorder)
    except OSError:
        return 0


def outlive() -> None:
    """Some hosts end all that they and their servers started, one by one: what waits in the pipe is still counted."""
    for name in ("SIGTERM", "SIGINT", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)


def step_back() -> None:
    """Leave the machine to others, and let go of what the host's descriptors we inherited."""
    if sys.platform == "linux":
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    elif sys.platform != "win32":
        os.nice(19)
    os.closerange(3, 1024)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
