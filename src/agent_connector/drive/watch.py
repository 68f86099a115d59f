"""Wait for a program to end, or end it: when it is told to stop, takes too long, or says nothing for too long."""

import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from agent_connector.drive import process
from agent_connector.drive.events import RunEvent
from agent_connector.drive.outcome import Outcome, Why
from agent_connector.drive.reader import Reader

STEP = 0.05  # seconds until a stop is noticed
DRAIN = 2.0  # seconds without a word after which nothing more is waited for, once the program is over
LATE = 10.0  # and for all that is still to be handed on


End = Callable[["subprocess.Popen[bytes]", float], None]


@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds, and by what everything of the run is known (see `process.end`)."""

    seconds: float
    stall: float | None
    grace: float
    linger: float
    marks: tuple[str, ...]
    end: "End | None" = None  # how its starter ends it, before what is left is ended as `process.end` does


@dataclass(frozen=True, slots=True)
class Talk:
    """For a program that one talks to: is it over, how it is asked to let go, and that nothing more will be said."""

    over: threading.Event
    cancel: Callable[[], None]
    leave: Callable[[], None]
    stall: Callable[[float | None], float | None]  # the limit as it is now
    rest: Callable[[], Sequence[RunEvent]]  # what is left to be told at the end


def watch(
    child: "subprocess.Popen[bytes]",
    reader: Reader,
    limits: Limits,
    stop: threading.Event | None,
    talk: Talk | None = None,
) -> Outcome:
    """To the end of the run, whatever that is; nothing of it lives afterwards."""
    began = time.monotonic()
    if child.stdout is None or child.stderr is None:
        raise ValueError("a starter gives both outputs as pipes")
    reader.start(child.stdout, child.stderr)
    ended = False
    try:
        why = _wait(child, reader, limits, stop, talk, began)
        took = time.monotonic() - began
        exit_code = _let_go(child, why, limits, talk)
        if exit_code is not None:
            process.settle(child, marks=limits.marks, seconds=limits.linger)
    finally:
        ended = _end(child, limits)
        if talk:
            talk.leave()
    reader.drain(DRAIN, LATE)
    reader.close(talk.rest if talk else tuple)
    return reader.tally.outcome(exit_code, why, took, (str(reader.tails["stdout"]), str(reader.tails["stderr"])), ended)


def _end(child: "subprocess.Popen[bytes]", limits: Limits) -> bool:
    if limits.end:
        limits.end(child, limits.grace)
    return process.end(child, marks=limits.marks, grace=limits.grace)


def _wait(
    child: "subprocess.Popen[bytes]",
    reader: Reader,
    limits: Limits,
    stop: threading.Event | None,
    talk: Talk | None,
    began: float,
) -> Why:
    pause = talk.over if talk else stop or threading.Event()
    while child.poll() is None:
        stall = talk.stall(limits.stall) if talk else limits.stall
        if talk and talk.over.is_set():
            return "exited"
        if reader.failed or (stop and stop.is_set()):
            return "stopped"
        if time.monotonic() - began >= limits.seconds:
            return "timeout"
        if stall is not None and reader.quiet >= stall:
            return "stall"
        pause.wait(STEP)
    return "exited"


def _let_go(child: "subprocess.Popen[bytes]", why: Why, limits: Limits, talk: Talk | None) -> int | None:
    """The exit code of a program that came to its own end."""
    if talk:
        if why != "exited":
            talk.cancel()
            talk.over.wait(limits.grace)
        talk.leave()
        try:
            child.wait(limits.grace)
        except subprocess.TimeoutExpired:
            return None
    return child.poll() if why == "exited" else None
