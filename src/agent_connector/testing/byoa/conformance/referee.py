"""An app that watches whoever pairs with it: records every request, answers some of them wrongly on purpose.

referee = Referee("http://127.0.0.1:4100")          # an ASGI app; `pairer` serves it on a port
referee.faults["poll"].append(Fault(Response(409)))  # instead of the next answer
"""

import asyncio
from collections import defaultdict, deque
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from agent_connector.byoa import protocol as wire
from agent_connector.byoa.app.clock import Clock, SystemClock
from agent_connector.byoa.core.effects import Request, Response
from agent_connector.byoa.protocol.limits import MCP_BODY
from agent_connector.testing.byoa.conformance.report import Failed, NotApplicable
from agent_connector.testing.byoa.scripted_app import AppSession, AppTurn, ScriptedApp
from agent_connector.testing.byoa.scripted_mcp import ScriptedMcp

T = TypeVar("T")
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Scope]]
Send = Callable[[Scope], Awaitable[None]]
HANGING_UP = 1.0
NAMES = {"authorization": "Authorization", "accept": "Accept", "byoa-version": "BYOA-Version"}


def _found(arguments: dict[str, Any]) -> str:
    return "found"


@dataclass(frozen=True, slots=True)
class Fault:
    """What becomes of a request: `response` instead of the app's answer, or the app's own after `delay` seconds.

    `lost`: the app takes the request all the same.
    """

    response: Response | None = None
    lost: bool = False
    delay: float = 0.0


@dataclass(slots=True)
class Seen:
    """One request. `ended` is when it was answered, and None until then; `provoked`: not with the app's own answer."""

    at: float
    door: str
    request: Request
    answer: Response | None = None
    ended: float | None = None
    provoked: bool = False

    def header(self, name: str) -> str:
        return dict(self.request.headers).get(name, "")


class Hands:
    """What a tester can do at the host, beyond having it answer. What is not offered makes the checks that need it n/a."""

    async def prompts(self) -> list[str]:
        """Every prompt that was handed to the host, the oldest first."""
        raise NotApplicable("what the host was given cannot be seen")

    async def deaf(self, deaf: bool) -> None:
        """The host, though idle, begins no prompt that it is given."""
        raise NotApplicable("the host cannot be made deaf")

    async def own_turn(self, secret: str) -> None:
        """The idle host runs a turn of its person, in whose output `secret` stands."""
        raise NotApplicable("nobody types at the host")

    async def joins(self) -> None:
        """The person types while a turn runs, and the host takes it into that turn."""
        raise NotApplicable("nobody types at the host")

    async def bypass(self, bypassed: bool) -> None:
        raise NotApplicable("the host's approvals cannot be switched")

    async def applied(self) -> list[str]:
        """The settings that apps have changed, as `id=value`."""
        raise NotApplicable("changed settings cannot be seen")

    async def new_conversation(self) -> None:
        raise NotApplicable("no new conversation can be opened")


class Referee:
    def __init__(
        self,
        origin: str,
        *,
        hold: float = 25,
        clock: Clock | None = None,
        hands: Hands | None = None,
        join: float = 120,
    ) -> None:
        self.mcp = ScriptedMcp(dict.fromkeys(("search", "add", "edit"), _found))
        self.app = ScriptedApp(origin, "referee", "Referee", hold=hold, mcp=self.mcp)
        self.hold = hold
        self.hands = hands or Hands()
        self.join = join  # seconds until the pairer must have come
        self.seen: list[Seen] = []
        self.faults: dict[str, deque[Fault]] = defaultdict(deque)
        self.violations: list[str] = []
        self._clock = clock or SystemClock()
        self._held: dict[int, asyncio.Future[Response]] = {}
        self._bells: set[asyncio.Event] = set()

    # What a check does.

    def now(self) -> float:
        return self._clock.now()

    def of(self, door: str, since: int = 0) -> list[Seen]:
        return [seen for seen in self.seen[since:] if seen.door == door]

    @property
    def session(self) -> AppSession:
        if not self.app.sessions:
            raise NotApplicable("no session has registered")
        return self.app.session

    def chat(self, text: str) -> str:
        session = self.session
        turn = self.app.chat(text, session=session)
        self.push()
        return turn

    def stop(self, turn: str) -> None:
        self.app.stop(turn)
        self.push()

    def turn(self, id: str) -> AppTurn:
        return self.app.turns[id]

    def push(self) -> None:
        """Answer the held polls that have something to say, or have waited long enough."""
        for id, response in self.app.due(self.now()):
            held = self._held.get(id)
            if held is not None and not held.done():
                held.set_result(response)
        self._ring()

    async def until(self, condition: Callable[[], T | None], seconds: float, what: str) -> T:
        """Wait until `condition` holds; after `seconds`, the check has failed with `what`."""
        end = self.now() + seconds
        while not (found := condition()):
            if self.now() >= end:
                raise Failed(f"{what} in {seconds:.0f} s")
            await self._news(min(1.0, end - self.now()))
        return found

    async def pause(self, seconds: float) -> None:
        end = self.now() + seconds
        while self.now() < end:
            await self._news(end - self.now())

    async def after(self, door: str, count: int, seconds: float) -> list[Seen]:
        """The next `count` requests at a door."""
        before = len(self.seen)
        what = f"fewer than {count} requests at {door}"
        return (await self.until(lambda: self._enough(door, before, count), seconds, what))[:count]

    def _enough(self, door: str, since: int, count: int) -> list[Seen]:
        found = self.of(door, since)
        return found if len(found) >= count else []

    async def _news(self, seconds: float) -> None:
        bell = asyncio.Event()
        self._bells.add(bell)
        timer = self._clock.later(max(0.01, seconds), bell.set)
        try:
            await bell.wait()
        finally:
            timer.cancel()
            self._bells.discard(bell)

    def _ring(self) -> None:
        for bell in self._bells:
            bell.set()

    # The app.

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = await self._read(scope, receive)
        seen = Seen(self.now(), self._door(scope["path"]), request)
        self.seen.append(seen)
        self._ring()
        answer = await self._answer(seen, receive)
        seen.answer, seen.ended = answer, self.now()
        self._ring()
        if answer is None:
            return  # the pairer has hung up
        headers = [(name.encode(), value.encode()) for name, value in answer.headers.items()]
        headers += [(b"content-length", str(len(answer.body)).encode())] if answer.status != 204 else []
        await send({"type": "http.response.start", "status": answer.status, "headers": headers})
        await send({"type": "http.response.body", "body": answer.body})

    async def _read(self, scope: Scope, receive: Receive) -> Request:
        body = bytearray()
        more = True
        while more:
            message = await receive()
            body += message.get("body", b"")
            more = message.get("more_body", False) and len(body) <= MCP_BODY
        pairs: list[tuple[bytes, bytes]] = scope["headers"]
        headers = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in pairs]
        named = tuple((NAMES.get(name, name), value) for name, value in headers)
        url = self.app.origin + scope["path"]
        return Request(len(self.seen), scope["method"], url, named, bytes(body), MCP_BODY)

    def _door(self, path: str) -> str:
        return "discovery" if path == wire.WELL_KNOWN else path.rpartition("/")[2]

    async def _answer(self, seen: Seen, receive: Receive) -> Response | None:
        faults = self.faults[seen.door]
        fault = faults.popleft() if faults else Fault()
        seen.provoked = fault.response is not None
        if fault.delay:
            await self.pause(fault.delay)
        if fault.response is not None and not fault.lost:
            return fault.response
        if seen.door == "poll":
            await self._let_go(seen.request.body)
        answer = self._own(seen.request)
        if answer is None:
            answer = await self._wait(seen.request, receive)
        return fault.response or answer

    async def _let_go(self, body: bytes) -> None:
        """A pairer that hangs up and asks again: the end of the one poll may arrive after the beginning of the other."""
        end = self.now() + HANGING_UP
        while self.now() < end and any(session.held and session.id.encode() in body for session in self._sessions()):
            await self._news(end - self.now())

    def _sessions(self) -> list[AppSession]:
        return list(self.app.sessions.values())

    def _own(self, request: Request) -> Response | None:
        try:
            answer = self.app.answer(request, self.now())
        except (wire.ProtocolError, AssertionError, KeyError, ValueError) as problem:
            self.violations.append(f"{request.url}: {type(problem).__name__} {problem}")
            return Response(400)
        if answer is not None and answer.status == 409:
            self.violations.append("two polls of one session at the same time")
        return answer

    async def _wait(self, request: Request, receive: Receive) -> Response | None:
        held = self._held[request.id] = asyncio.get_running_loop().create_future()
        timer = self._clock.later(self.hold, self.push)
        gone = asyncio.ensure_future(receive())
        try:
            await asyncio.wait([held, gone], return_when=asyncio.FIRST_COMPLETED)
            return held.result() if held.done() else None
        finally:
            self.app.hung_up(request.id)
            self._ring()
            timer.cancel()
            gone.cancel()
            del self._held[request.id]


@dataclass
class ScaledClock:
    """Real time, `times` as fast: for a pairer whose own time can be made to run as fast."""

    times: float = 1.0
    system: SystemClock = field(default_factory=SystemClock)

    def now(self) -> float:
        return self.system.now() * self.times

    def later(self, seconds: float, call: Callable[[], None]) -> Any:
        return self.system.later(seconds / self.times, call)
