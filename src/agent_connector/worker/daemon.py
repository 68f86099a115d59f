"""The worker put together: board, memory, runner and loop, from the configuration to the last word.

The first interrupt ends it in order: running agents are stopped, their results told. The second ends it at once; what was
in work is found in its memory at the next start, and no agent outlives it.
"""

import asyncio
import os
import re
import signal
from collections.abc import Callable, Generator, Mapping
from contextlib import AbstractAsyncContextManager, contextmanager, suppress
from dataclasses import dataclass
from types import FrameType
from typing import Any

from agent_connector.board.client import BoardClient
from agent_connector.drive.hosts import FACETS
from agent_connector.redaction import Redactor
from agent_connector.worker import killswitch, private_home
from agent_connector.worker.clock import SystemClock
from agent_connector.worker.config import Config
from agent_connector.worker.credentials import Credentials
from agent_connector.worker.loop import Round, Worker
from agent_connector.worker.state import State
from agent_connector.worker.values import Runner

AT_ONCE = 130  # the exit code of a program that an interrupt has ended
HUNG_UP = getattr(signal, "SIGHUP", None)
SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGBREAK", "SIGHUP") if hasattr(signal, name))
_LOOK = 1.0  # seconds
_SECRET = re.compile(r"(?:^|_)(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Crew:
    """Who does the runs: the runner, the hosts that it can use, and the folder of the tasks' private homes."""

    runner: Runner
    hosts: tuple[str, ...]
    runs: str


Hire = Callable[[], AbstractAsyncContextManager[Crew]]


def secrets(held: Credentials, variables: Mapping[str, str]) -> tuple[str, ...]:
    """The values that are never to be seen: the board's key, every model's key, whatever a variable calls a secret."""
    keys = {name for facet in FACETS().values() for name in (*facet.KEYS, *getattr(facet, "ACP_KEYS", ()))}
    return (held.mcp_key, *(value for name, value in variables.items() if name in keys or _SECRET.search(name)))


async def serve(
    config: Config,
    held: Credentials,
    hire: Hire,
    redactor: Redactor,
    say: Callable[[str], None],
    *,
    once: bool,
    until: Callable[[], bool] | None = None,
) -> Round:
    """Work until an interrupt, until `until` is true, or, with `once`, until what is there is done.

    Raises BoardError with `once` alone.
    """
    stop = asyncio.Event()
    with State(config.state_path) as state, _interrupts(stop, say), _looking(until, stop):
        async with (
            hire() as crew,
            BoardClient(held.base_url, held.mcp_key, allow_insecure=config.allow_insecure) as board,
        ):
            waiting = frozenset(map(private_home.folder_name, state.waiting_tasks()))
            private_home.prune(crew.runs, keep=waiting)  # whoever is asked may take their time
            worker = Worker(config, board, crew.runner, state, SystemClock(), redactor, say=say, hosts=crew.hosts)
            say(f"{config.holder} works for {held.base_url} in {config.sandbox_dir}")
            if killswitch.engaged(config.ergonomics.kill_switch_file) is not None:
                say("the kill switch is set, so nothing is begun; to go on: agent-connector worker resume")
            return await (_round(worker, stop) if once else worker.run_forever(stop))


async def _round(worker: Worker, stop: asyncio.Event) -> Round:
    """One round, which an interrupt cuts short."""
    work, interrupt = asyncio.create_task(worker.run_once()), asyncio.create_task(stop.wait())
    try:
        await asyncio.wait((work, interrupt), return_when=asyncio.FIRST_COMPLETED)
        if work.done():
            return work.result()
        work.cancel()
        await asyncio.wait((work,))
        return await worker.run_forever(stop)  # which only ends what runs: the event is set
    finally:
        interrupt.cancel()


@contextmanager
def _looking(until: Callable[[], bool] | None, stop: asyncio.Event) -> Generator[None]:
    """Sets `stop` once `until` is true, which is asked every now and then."""

    async def look(is_time: Callable[[], bool]) -> None:
        while not is_time():
            await asyncio.sleep(_LOOK)
        stop.set()

    task = None if until is None else asyncio.create_task(look(until))
    try:
        yield
    finally:
        if task is not None:
            task.cancel()


@contextmanager
def _interrupts(stop: asyncio.Event, say: Callable[[str], None]) -> Generator[None]:
    loop = asyncio.get_running_loop()

    def first() -> None:
        if not stop.is_set():
            stop.set()
            say("stopping: running agents are being ended; once more ends it at once")

    def interrupted(number: int, frame: FrameType | None) -> None:
        if stop.is_set() and number != HUNG_UP:  # which both the terminal and the shell send
            os._exit(AT_ONCE)
        loop.call_soon_threadsafe(first)

    before: dict[Any, Any] = {number: signal.getsignal(number) for number in SIGNALS}
    if HUNG_UP is not None and before[HUNG_UP] == signal.SIG_IGN:
        del before[HUNG_UP]  # `nohup`: it is to go on
    for number in before:
        with suppress(NotImplementedError):  # on Windows the loop wakes up by itself
            loop.add_signal_handler(number, first)  # has a signal that another thread was given wake the loop ...
        signal.signal(number, interrupted)  # ... but what is done about it does not wait for the loop
    try:
        yield
    finally:
        for number, handler in before.items():
            with suppress(NotImplementedError):
                loop.remove_signal_handler(number)
            signal.signal(number, handler)
