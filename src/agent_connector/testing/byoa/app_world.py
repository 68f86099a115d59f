"""The real pairer and an app of yours on one event loop: time stands still until it is told to go on, no socket is opened.

clock = AppClock()
byoa = Byoa(SqliteStore(), account_of, id="notes", name="Notes", origin=ORIGIN, clock=clock)
world = AppWorld(byoa.wrap(app), ORIGIN, clock)
await pair_by_page(world, cookies={"session": "..."})
session, handle = await world.attach()
turn = await (await byoa.sessions_of(account))[0].chat("What is new?")
await world.until(lambda: session.prompts)
session.answer("Nothing.")
await world.settled()
assert await turn.answer() == "Nothing."
"""

import asyncio
import heapq
import itertools
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from agent_connector.byoa.core.effects import Failure, Request
from agent_connector.byoa.core.handle import Handle
from agent_connector.byoa.protocol import WELL_KNOWN, parse_discovery, parse_origin
from agent_connector.byoa.protocol.limits import PAIRING_BODY
from agent_connector.testing.byoa.asgi import AsgiApp, http_over
from agent_connector.testing.byoa.fakes import FakeHost, FakeSession, MemoryFiles, PlainSession, ScriptedClock
from agent_connector.testing.byoa.world import World

ROUNDS = 30  # of the loop: more than any chain of callbacks between two requests is long


@dataclass(order=True)
class _Timer:
    at: float
    number: int
    call: Callable[[], None] = field(compare=False)
    cancelled: bool = field(default=False, compare=False)

    def cancel(self) -> None:
        self.cancelled = True


class AppClock:
    """The clock of the app, moved by the world that the app is in."""

    def __init__(self) -> None:
        self.source = ScriptedClock()
        self._timers: list[_Timer] = []
        self._count = itertools.count()

    def now(self) -> float:
        return self.source.wall()

    def later(self, seconds: float, call: Callable[[], None]) -> _Timer:
        timer = _Timer(self.now() + seconds, next(self._count), call)
        heapq.heappush(self._timers, timer)
        return timer

    def strike(self) -> None:
        """Call what is due."""
        while self._timers and (self._timers[0].at <= self.now() or self._timers[0].cancelled):
            timer = heapq.heappop(self._timers)
            if not timer.cancelled:
                timer.call()


class AppWorld(World):
    """`patience`: seconds that `settled` really waits, for an app that works in threads or asks a real database; or what
    waits until the app is quiet."""

    def __init__(
        self,
        app: AsgiApp,
        origin: str,
        clock: AppClock,
        *,
        host: FakeHost | None = None,
        files: MemoryFiles | None = None,
        address: str = "127.0.0.1",
        patience: float | Callable[[], Awaitable[None]] = 0.0,
    ) -> None:
        super().__init__(host=host, files=files)
        self.asgi_app = app
        self.origin = origin
        self.address = address
        self.patience = patience
        self.app_clock = clock
        self.clock = clock.source
        self.pairer = self._pairer()
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._crashes: list[BaseException] = []
        self._poll = ""

    async def attach(self, session: PlainSession | None = None) -> tuple[PlainSession, Handle]:
        """Attach a session and let it register."""
        opened = session or FakeSession()
        opened.handle = self.pairer.attach(opened)
        await self.go(2)
        return opened, opened.handle

    async def go(self, seconds: float) -> None:
        """Let time pass, a tick a second."""
        await self.settled()
        end = self.clock.now + seconds
        while self.clock.now < end:
            self.clock.advance(min(1.0, end - self.clock.now))
            self.app_clock.strike()
            self.carry_out(self.pairer.tick(self.clock.now))
            await self.settled()

    async def until(self, condition: Callable[[], object], seconds: float = 120) -> None:
        """Let time pass until `condition` holds."""
        await self.settled()
        end = self.clock.now + seconds
        while not condition():
            assert self.clock.now < end, f"it did not come true in {seconds} s"
            await self.go(1)

    async def settled(self) -> None:
        """Everything is answered but the polls that the app holds."""
        poll = self._poll or await self._poll_url()
        while True:
            for _ in range(ROUNDS):
                self.carry_out(self.pairer.effects())
                await asyncio.sleep(0)
            await (self.patience() if callable(self.patience) else asyncio.sleep(self.patience))
            if self._crashes:
                raise self._crashes.pop()
            if effects := self.pairer.effects():  # of what came meanwhile
                self.carry_out(effects)
                continue
            busy = [
                self._tasks[id] for id, request in self.waiting.items() if id in self._tasks and request.url != poll
            ]
            if not busy:
                return
            await asyncio.wait(busy, return_when=asyncio.FIRST_COMPLETED)

    async def status_text(self) -> str:
        command = self.pairer.status()
        await self.settled()
        return self.text(command)

    def move_to(self, app: AsgiApp) -> None:
        """The app's process is replaced: what it held is gone."""
        self.asgi_app = app
        for id in list(self._tasks):
            task = self._tasks.pop(id)
            task.cancel()
            self._arrive(id, Failure("connection reset"))

    def restart(self) -> None:
        for task in self._tasks.values():
            task.cancel()
        self._tasks.clear()
        super().restart()

    async def close(self) -> None:
        """End what is on its way."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _poll_url(self) -> str:
        request = Request(0, "GET", f"{self.origin}{WELL_KNOWN}", (), b"", PAIRING_BODY)
        answer = await http_over(self.asgi_app).send(request)
        assert not isinstance(answer, Failure) and answer.status == 200, f"no discovery: {answer}"
        self._poll = parse_discovery(answer.body, parse_origin(self.origin)).endpoints.poll
        return self._poll

    def _send(self, request: Request) -> None:
        self.sent.append((self.clock.now, request))
        self.waiting[request.id] = request
        outcome = self.fault(request)
        if outcome is None and not request.url.startswith(f"{self.origin}/"):
            outcome = Failure("no such host")
        if outcome is not None:
            self._arrive(request.id, outcome)
            return
        task = asyncio.get_running_loop().create_task(self._ask(request))
        self._tasks[request.id] = task
        task.add_done_callback(self._done)

    async def _ask(self, request: Request) -> None:
        port = http_over(self.asgi_app, client=(self.address, 50_000))
        outcome = await port.send(request)
        self._tasks.pop(request.id, None)
        self._arrive(request.id, outcome)

    def _done(self, task: asyncio.Task[None]) -> None:
        problem = None if task.cancelled() else task.exception()
        if problem is not None:
            self._crashes.append(problem)

    def _hang_up(self, id: int) -> None:
        self.waiting.pop(id, None)
        task = self._tasks.pop(id, None)
        if task is not None:
            task.cancel()
