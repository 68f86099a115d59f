"""Run any host that speaks the Agent Client Protocol: the same events and the same outcome as `drive.run` gives."""

import json
import queue
import subprocess
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from agent_connector.drive import process
from agent_connector.drive.acp_talk import Conversation, Permit, Server
from agent_connector.drive.events import Called, Job, RunEvent
from agent_connector.drive.outcome import EVENTS, Outcome
from agent_connector.drive.process import GRACE, Starter
from agent_connector.drive.reader import OnEvent, OnLine, Reader
from agent_connector.drive.watch import End, Limits, Talk, watch
from agent_connector.errors import HostError
from agent_connector.hosts.contract import Headless

__all__ = ["Permit", "Server", "run"]

BEGIN = 120.0  # seconds without a word before the prompt is in the agent; some need twenty to load themselves


def run(
    headless: Headless,
    job: Job,
    variables: Mapping[str, str],
    *,
    seconds: float = 120.0,
    stall: float | None = None,
    start: Starter = process.talking,
    stop: threading.Event | None = None,
    grace: float = GRACE,
    linger: float = 0.0,
    marks: Sequence[str] = (),
    end: End | None = None,
    on_event: OnEvent | None = None,
    on_line: OnLine | None = None,
    keep: int = EVENTS,
    permit: Permit | None = None,
    servers: Sequence[Server] = (),
) -> Outcome:
    """As `drive.run`, over ACP. `start` gives a program whose input is a pipe.

    `permit(call)` answers what the agent asks for, in a thread of the run; without it the job's approvals do. When the
    run is to end, the agent is asked to cancel first. `servers` are MCP servers for the session.
    """
    mouth = _Mouth()
    reader: Reader | None = None

    def give(events: Sequence[RunEvent]) -> None:
        assert reader is not None  # noqa: S101 - nobody speaks before it is there
        reader.give(events)

    talk = Conversation(headless, job, servers, permit or _approved(job), mouth.say, give)
    reader = Reader(talk.take, on_event, on_line, keep, job)
    child = start(argv(headless, job), job.cwd, {**variables, **environment(headless, job)})
    if child.stdin is None:
        process.end(child, marks=marks, grace=grace)
        for pipe in filter(None, (child.stdout, child.stderr)):
            pipe.close()
        raise HostError("the starter gives no input to talk to the agent", where=headless.ACP[0])
    mouth.open(child)
    talk.begin()
    limits = Limits(seconds, stall, grace, linger, tuple(marks), end)
    return watch(child, reader, limits, stop, Talk(talk.over, talk.cancel, mouth.close, _stall(talk), talk.rest))


def argv(headless: Headless, job: Job) -> list[str]:
    """The command line; `job.program` takes the place of its first word."""
    if not headless.ACP:
        raise HostError("the host does not speak the Agent Client Protocol", where=headless.PROGRAM)
    special: Callable[[Job], list[str]] | None = getattr(headless, "acp_argv", None)
    first, *rest = special(job) if special else [*headless.ACP, *job.extra]
    return [job.program or first, *rest]


def environment(headless: Headless, job: Job) -> dict[str, str]:
    """The variables beside those of the run."""
    return getattr(headless, "acp_environment", headless.environment)(job)


def _stall(talk: Conversation) -> Callable[[float | None], float | None]:
    return lambda stall: stall if talk.talking else min(BEGIN, BEGIN if stall is None else max(stall, 1.0))


def _approved(job: Job) -> Permit:
    def permit(call: Called) -> bool:
        edits = job.approvals == "edits" and call.kind == "edit"
        return job.approvals == "all" or edits or (call.server or "") in job.approved_servers

    return permit


class _Mouth:
    """Says messages in a thread of its own: an agent that does not listen must not keep us from hearing it."""

    def __init__(self) -> None:
        self._said: queue.SimpleQueue[Mapping[str, Any] | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None

    def open(self, child: "subprocess.Popen[bytes]") -> None:
        self._thread = threading.Thread(target=self._speak, args=(child,), daemon=True)
        self._thread.start()

    def say(self, message: Mapping[str, Any]) -> None:
        self._said.put(message)

    def close(self) -> None:
        """No more will be said."""
        self._said.put(None)

    def _speak(self, child: "subprocess.Popen[bytes]") -> None:
        with suppress(OSError, ValueError):  # the agent is gone
            while child.stdin and (message := self._said.get()) is not None:
                child.stdin.write(json.dumps(message).encode() + b"\n")
                child.stdin.flush()
        with suppress(OSError, ValueError):
            if child.stdin:
                child.stdin.close()
