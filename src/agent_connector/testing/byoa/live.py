"""A scripted app behind the pairer's real driver: requests as they come, polls held until the app has something to say.

port = LivePort(ScriptedApp("https://notes.example"))
driver = Driver(pairer, host, port)
turn = port.chat("What is new?")
await port.until(lambda: port.app.turns[turn].end)
"""

import asyncio
import time
from collections.abc import Callable
from typing import TypeVar

from agent_connector.byoa.core.effects import Outcome, Request
from agent_connector.testing.byoa.scripted_app import AppSession, ScriptedApp

LOOK_EVERY = 0.01
T = TypeVar("T")


class LivePort:
    """An `HttpPort`. Whoever asks to be paired is approved at once, unless `approves` is off."""

    def __init__(self, app: ScriptedApp, *, approves: bool = True) -> None:
        self.app = app
        self.approves = approves
        self._held: dict[int, asyncio.Future[Outcome]] = {}

    async def send(self, request: Request) -> Outcome:
        await asyncio.sleep(0)
        if self.approves and request.url.endswith("/pair_poll"):
            self.app.approve()
        answer = self.app.answer(request, time.monotonic())
        if answer is not None:
            return answer
        self._held[request.id] = asyncio.get_running_loop().create_future()
        try:
            return await self._held[request.id]
        except asyncio.CancelledError:
            self.app.hung_up(request.id)
            raise
        finally:
            del self._held[request.id]

    async def close(self) -> None:
        """Nothing is open."""

    # What a test does as the app.

    def chat(self, text: str, session: AppSession | None = None) -> str:
        turn = self.app.chat(text, session=session)
        self.push()
        return turn

    def stop(self, turn: str) -> None:
        self.app.stop(turn)
        self.push()

    def set(self, setting: str, value: str) -> None:
        self.app.set(setting, value)
        self.push()

    def push(self) -> None:
        """Answer the held polls that have something to say."""
        for id, response in self.app.due(time.monotonic()):
            if id in self._held and not self._held[id].done():
                self._held[id].set_result(response)

    async def until(self, condition: Callable[[], T]) -> T:
        """Wait for `condition`, which is looked at again and again; gives what it gave."""
        while not (found := condition()):
            self.push()
            await asyncio.sleep(LOOK_EVERY)
        return found
