"""The pairer on asyncio: a tick a second, requests as tasks, effects carried out in order.

An adapter calls `wake()` after every method of a handle; everything runs on one event loop. `submit`, `abort` and
`apply_setting` of a session must return at once and raise nothing: what the host refuses is reported through the handle.
"""

import asyncio
import os
import time
from collections.abc import AsyncIterator, Callable, Mapping

from agent_connector.byoa.core.effects import (
    Abort,
    Answer,
    Apply,
    CallResult,
    Cancel,
    Display,
    Effect,
    Request,
    Say,
    Submit,
)
from agent_connector.byoa.core.handle import Handle
from agent_connector.byoa.core.pairer import Pairer
from agent_connector.byoa.core.ports import CanAbort, CanSet, HostAdapter, HttpPort

TICK = 1.0


class SystemClock:
    def wall(self) -> float:
        return time.time()


class SystemRandom:
    def bytes(self, count: int) -> bytes:
        return os.urandom(count)


class Driver:
    def __init__(
        self, pairer: Pairer, adapter: HostAdapter, http: HttpPort, now: Callable[[], float] = time.monotonic
    ) -> None:
        self.pairer = pairer
        self._adapter = adapter
        self._http = http
        self._now = now
        self._requests: dict[int, asyncio.Task[None]] = {}
        self._said: dict[int, asyncio.Queue[Say]] = {}
        self._calls: dict[int, asyncio.Future[CallResult]] = {}

    async def run(self) -> None:
        """Until it is cancelled; then nothing of it is left."""
        try:
            while True:
                self.tick()
                await asyncio.sleep(TICK)
        finally:
            tasks = list(self._requests.values())
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    def tick(self) -> None:
        """Look at everything now: for a host that is idle only for a moment."""
        self._carry_out(self.pairer.tick(self._now()))

    def wake(self) -> None:
        """Carry out what followed from a method of a handle."""
        self._carry_out(self.pairer.effects())

    async def connect(self, address: str) -> AsyncIterator[Say]:
        """What the command says, as it says it; the last one has `done`."""
        async for say in self._follow(self.pairer.connect(address)):
            yield say

    async def disconnect(self, which: str) -> AsyncIterator[Say]:
        async for say in self._follow(self.pairer.disconnect(which)):
            yield say

    async def status(self) -> str:
        return "\n".join([say.text async for say in self._follow(self.pairer.status())])

    async def call(self, handle: Handle, tool: str, arguments: Mapping[str, object]) -> CallResult:
        """Call a proxied tool; an app that does not answer is an error in the result."""
        number = handle.call(tool, arguments)
        answer = self._calls[number] = asyncio.get_running_loop().create_future()
        self.wake()
        try:
            return await answer
        finally:
            del self._calls[number]

    async def _follow(self, command: int) -> AsyncIterator[Say]:
        queue = self._said[command] = asyncio.Queue()
        self.wake()
        try:
            while True:
                say = await queue.get()
                yield say
                if say.done:
                    return
        finally:
            del self._said[command]

    def _carry_out(self, effects: list[Effect]) -> None:
        for effect in effects:
            match effect:
                case Request(id):
                    self._requests[id] = asyncio.create_task(self._send(effect))
                case Cancel(id):
                    task = self._requests.pop(id, None)
                    if task is not None:
                        task.cancel()
                case Submit(session, prompt):
                    session.submit(prompt)
                case Abort(session) if isinstance(session, CanAbort):
                    session.abort()
                case Apply(session, setting, value) if isinstance(session, CanSet):
                    session.apply_setting(setting, value)
                case Display(band, toast):
                    self._adapter.display(band, toast)
                case Say(command) if command in self._said:
                    self._said[command].put_nowait(effect)
                case Answer(call, result) if call in self._calls:
                    if not self._calls[call].done():
                        self._calls[call].set_result(result)
                case _:
                    pass  # nobody waits for it any more

    async def _send(self, request: Request) -> None:
        outcome = await self._http.send(request)
        self._requests.pop(request.id, None)
        self._carry_out(self.pairer.answered(request.id, outcome, self._now()))
