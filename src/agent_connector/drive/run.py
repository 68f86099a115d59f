"""Run a host without a person, read its stream to the end, and leave nothing of it running."""

import threading
from collections.abc import Mapping, Sequence

from agent_connector.drive import process
from agent_connector.drive.events import Job, RunEvent
from agent_connector.drive.lines import WHOLE
from agent_connector.drive.outcome import EVENTS, Outcome
from agent_connector.drive.process import GRACE, Starter
from agent_connector.drive.reader import OnEvent, OnLine, Reader, Take
from agent_connector.drive.watch import End, Limits, watch
from agent_connector.hosts.contract import Headless
from agent_connector.hosts.dialects.stream_json import record

__all__ = ["Outcome", "run"]


def run(
    headless: Headless,
    job: Job,
    variables: Mapping[str, str],
    *,
    seconds: float = 120.0,
    stall: float | None = None,
    start: Starter = process.start,
    stop: threading.Event | None = None,
    grace: float = GRACE,
    linger: float = 0.0,
    marks: Sequence[str] = (),
    end: End | None = None,
    on_event: OnEvent | None = None,
    on_line: OnLine | None = None,
    keep: int = EVENTS,
) -> Outcome:
    """Run `job` in the environment `variables` plus what the host needs, for at most `seconds`.

    It is ended before that when `stop` is set, or when it printed no line for `stall` seconds. What is no record of the
    host goes to `on_line("stdout" or "stderr", line)`, long lines in pieces (see `lines`); both callbacks are called
    from other threads, one at a time. Servers that a host has just left may have something to write down: they have
    `linger` seconds to end by themselves. Whatever happens, everything that the host started is ended before this
    returns: by `end(process, grace)` where the starter has a way of its own, then by `process.end` (see there for `marks`).
    """
    reader = Reader(_taker(headless), on_event, on_line, keep, job)
    environment = {**variables, **headless.environment(job)}
    child = start(headless.argv(job), job.cwd, environment)
    if child.stdin is not None:  # nobody talks to it
        child.stdin.close()
    return watch(child, reader, Limits(seconds, stall, grace, linger, tuple(marks), end), stop)


def _taker(headless: Headless) -> Take:
    """What a line of the host's stream is: events, the type of a record that says nothing, or None: text."""
    prints_text = getattr(headless, "TEXT", False)

    def take(line: str) -> Sequence[RunEvent] | str | None:
        if events := headless.read(line):
            return events
        if prints_text or not line.lstrip().startswith("{"):
            return None
        said = record(line)
        return str(said.get("type") or said.get("event") or said.get("role") or "") if said else None

    return _whole(take) if getattr(headless, "OBJECT", False) else take


def _whole(take: Take) -> Take:
    """The lines from `{` to `}` are taken as one; those of an object without an end are let go."""
    held: list[str] = []
    size = 0

    def gather(line: str) -> Sequence[RunEvent] | str | None:
        nonlocal size
        if not held and line != "{":
            return take(line)
        held.append(line)
        size += len(line)
        if line != "}" and size < WHOLE:
            return ()
        text = "\n".join(held)
        held.clear()
        size = 0
        return take(text) if line == "}" else ()

    return gather
