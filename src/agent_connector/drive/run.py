"""Run a host without a person, read its stream to the end, and leave nothing of it running."""

import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import IO

from agent_connector.drive import process
from agent_connector.drive.events import Called, Finished, Job, Returned, RunEvent, Said, Started
from agent_connector.hosts.contract import Headless

TAIL = 32_768  # characters that are kept of stderr and of the last lines of stdout
DRAIN = 2.0  # seconds for the readers, once nothing writes any more


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run did: its events in order, and how its process ended. `exit_code` is None when it was ended by us."""

    events: tuple[RunEvent, ...]
    exit_code: int | None
    timed_out: bool
    seconds: float
    stdout: str  # the last of it
    stderr: str

    @property
    def started(self) -> Started | None:
        """The session, where the host reports one."""
        return next((event for event in self.events if isinstance(event, Started)), None)

    @property
    def finished(self) -> Finished | None:
        """The host's own last word on the run."""
        return next((event for event in reversed(self.events) if isinstance(event, Finished)), None)

    @property
    def said(self) -> tuple[str, ...]:
        """What the model said to the person."""
        return tuple(event.text for event in self.events if isinstance(event, Said))

    @property
    def called(self) -> tuple[Called, ...]:
        return tuple(event for event in self.events if isinstance(event, Called))

    @property
    def returned(self) -> tuple[Returned, ...]:
        return tuple(event for event in self.events if isinstance(event, Returned))


@dataclass(slots=True)
class _Stream:
    """A pipe that is read in a thread of its own: every line goes to `take`, the last ones are kept."""

    take: Callable[[str], None]
    tail: str = ""
    thread: threading.Thread = field(init=False)

    def start(self, pipe: IO[bytes]) -> "_Stream":
        self.thread = threading.Thread(target=self._read, args=(pipe,), daemon=True)
        self.thread.start()
        return self

    def _read(self, pipe: IO[bytes]) -> None:
        with pipe:
            for raw in pipe:
                line = raw.decode("utf-8", "replace")
                self.tail = (self.tail + line)[-TAIL:]
                self.take(line.rstrip("\r\n"))


def run(
    headless: Headless,
    job: Job,
    variables: Mapping[str, str],
    *,
    seconds: float = 120.0,
    linger: float = 0.0,
    marks: Sequence[str] = (),
    on_event: Callable[[RunEvent], None] | None = None,
) -> Outcome:
    """Run `job` in the environment `variables` plus what the host needs, for at most `seconds`.

    Servers that a host has just left may have something to write down: they have `linger` seconds to end by themselves.
    Whatever happens, everything that the host started is ended before this returns (see `process.end` for `marks`).
    """
    events: list[RunEvent] = []

    def take(line: str) -> None:
        for event in headless.read(line):
            events.append(event)
            if on_event:
                on_event(event)

    began = time.monotonic()
    child = process.start(headless.argv(job), cwd=job.cwd, environment={**variables, **headless.environment(job)})
    assert child.stdout and child.stderr  # noqa: S101 - both are pipes by construction
    out, err = _Stream(take).start(child.stdout), _Stream(lambda line: None).start(child.stderr)
    exit_code: int | None = None
    took = seconds
    try:
        exit_code = child.wait(timeout=seconds)
        took = time.monotonic() - began
        process.settle(child, marks=marks, seconds=linger)
    except subprocess.TimeoutExpired:
        pass
    finally:
        process.end(child, marks=marks)
    out.thread.join(DRAIN)
    err.thread.join(DRAIN)
    return Outcome(tuple(events), exit_code, exit_code is None, took, out.tail, err.tail)
