"""An app in memory that speaks the wire as its page says, and reads every request as strictly as an app may."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field

from agent_connector.byoa.core.effects import Request, Response
from agent_connector.byoa.protocol import (
    App,
    Change,
    Chat,
    Delta,
    Discovery,
    End,
    Ended,
    Endpoints,
    Grant,
    Message,
    Messages,
    Outcome,
    Paired,
    Reason,
    Refusal,
    Registered,
    SessionInfo,
    Stop,
    Taken,
    ToolStep,
    TurnEvent,
    dump_refusal,
    parse_batch,
    parse_origin,
    parse_pair_poll,
    parse_pair_start,
    parse_poll,
    parse_register,
)
from agent_connector.byoa.protocol.limits import AWAY_AFTER_HOLD
from agent_connector.testing.byoa.scripted_mcp import ScriptedMcp

CLOSED = Ended(Outcome.ERROR, Reason.SESSION_CLOSED)


@dataclass
class AppTurn:
    """A turn as the app recorded it."""

    events: list[TurnEvent] = field(default_factory=list[TurnEvent])
    end: Ended | None = None
    next: int = 0

    @property
    def text(self) -> str:
        return "".join(event.text for event in self.events if isinstance(event, Delta))

    @property
    def tools(self) -> list[str]:
        return [event.name for event in self.events if isinstance(event, ToolStep)]


@dataclass
class AppSession:
    id: str
    info: SessionInfo
    log: list[Message] = field(default_factory=list[Message])
    acknowledged: int = 0
    state: str = "idle"
    holding: tuple[str, ...] = ()
    registrations: int = 0
    held: tuple[int, float] | None = None  # the poll that waits, and until when
    polled_at: float = 0.0
    turns: dict[str, AppTurn] = field(default_factory=dict[str, AppTurn])


class ScriptedApp:
    """`answer(request, now)` gives the response, or None while a poll is held; `due(now)` gives held polls that are over."""

    def __init__(
        self,
        origin: str = "https://notes.example",
        id: str = "notes",
        name: str = "Notes",
        *,
        hold: float = 25,
        mcp: ScriptedMcp | None = None,
    ) -> None:
        self.origin = origin
        self.app = App(id, name)
        self.mcp = mcp
        self.grants: dict[str, Refusal | None] = {}  # device code -> what a poll is told; None: approved
        self.shown: dict[str, str] = {}  # user code -> device code
        self.tokens: set[str] = set()
        self.sessions: dict[str, AppSession] = {}
        self.requests: list[Request] = []
        self.prefix = "/byoa"  # where the doors are: changed by a deploy
        self._hold = hold
        self._count = 0

    @property
    def discovery(self) -> Discovery:
        doors = ("pair_start", "pair_poll", "revoke", "register", "poll", "events")
        urls = {name: f"{self.origin}{self.prefix}/{name}" for name in doors}
        mcp = f"{self.origin}{self.prefix}/mcp" if self.mcp is not None else None
        return Discovery(self.app, Endpoints(**urls, mcp=mcp), self._hold)

    # What a test does as the app, its page or its person.

    def approve(self, code: str | None = None) -> None:
        self.grants[self.shown[code] if code else list(self.grants)[-1]] = None

    def deny(self) -> None:
        self.grants[list(self.grants)[-1]] = Refusal.DENIED

    def revoke(self) -> None:
        self.tokens.clear()

    @property
    def session(self) -> AppSession:
        """The session that registered last."""
        return list(self.sessions.values())[-1]

    @property
    def turns(self) -> dict[str, AppTurn]:
        return {id: turn for session in self.sessions.values() for id, turn in session.turns.items()}

    def chat(self, text: str, sender: str = "Ada", session: AppSession | None = None) -> str:
        target = session or self.session
        id = self._id("turn")
        target.turns[id] = AppTurn()
        target.log.append(Chat(id, text, sender))
        return id

    def stop(self, turn: str) -> None:
        self.session.log.append(Stop(self._id("stop"), turn))

    def set(self, setting: str, value: str) -> None:
        self.session.log.append(Change(self._id("set"), setting, value))

    def leave(self) -> None:
        self.session.log.append(End(self._id("end")))

    # The wire.

    def answer(self, request: Request, now: float) -> Response | None:
        self.requests.append(request)
        path = request.url.removeprefix(self.origin)
        if path == "/.well-known/byoa":
            return Response(200, {}, self.discovery.dump())
        handlers: dict[str, Callable[[Request, float], Response | None]] = {
            f"{self.prefix}/pair_start": self._pair_start,
            f"{self.prefix}/pair_poll": self._pair_poll,
        }
        if path in handlers:
            return handlers[path](request, now)
        doors: dict[str, Callable[[Request, float], Response | None]] = {
            f"{self.prefix}/revoke": self._revoke,
            f"{self.prefix}/register": self._register,
            f"{self.prefix}/poll": self._poll,
            f"{self.prefix}/events": self._events,
        }
        if self.mcp is not None:
            doors[f"{self.prefix}/mcp"] = self.mcp.answer
        if path not in doors:
            return Response(404)
        token = dict(request.headers).get("Authorization", "").removeprefix("Bearer ")
        if hashlib.sha256(token.encode()).hexdigest() not in self.tokens:
            return Response(401)
        return doors[path](request, now)

    def due(self, now: float) -> list[tuple[int, Response]]:
        """Held polls that have something to say or have waited long enough; sessions nobody polls are away."""
        found: list[tuple[int, Response]] = []
        for session in self.sessions.values():
            if session.held is not None:
                id, until = session.held
                answer = self._messages(session)
                if answer is not None or until <= now:
                    session.held = None
                    found.append((id, answer or Response(204)))
            elif now - session.polled_at > self._hold + AWAY_AFTER_HOLD:
                self._close(session, ())
        return found

    def drop_polls(self) -> list[int]:
        """The app goes down: polls that it held are gone."""
        ids = [session.held[0] for session in self.sessions.values() if session.held is not None]
        for session in self.sessions.values():
            session.held = None
        return ids

    def hung_up(self, id: int) -> None:
        """The pairer waits for this request no more."""
        for session in self.sessions.values():
            if session.held is not None and session.held[0] == id:
                session.held = None

    def _pair_start(self, request: Request, now: float) -> Response:
        parse_pair_start(request.body)
        device = self._id("device-code")
        letters = "BCDFGHJKLMNPQRSTVWXZ"
        user = f"BCDF-GH{letters[len(self.grants) % 20]}J"
        self.grants[device] = Refusal.PENDING
        self.shown[user] = device
        page = f"{self.origin}/pair"
        return Response(200, {}, Grant(device, user, page, 600, 5, f"{page}?code={user[:4]}").dump())

    def _pair_poll(self, request: Request, now: float) -> Response:
        word = self.grants.get(parse_pair_poll(request.body).device_code, Refusal.EXPIRED)
        if word is not None:
            return Response(400, {}, dump_refusal(word))
        token = hashlib.sha256(self._id(self.origin).encode()).hexdigest()
        self.tokens.add(hashlib.sha256(token.encode()).hexdigest())
        return Response(200, {}, Paired(token, self._id("connection"), "Ada", self.app).dump())

    def _revoke(self, request: Request, now: float) -> Response:
        token = dict(request.headers)["Authorization"].removeprefix("Bearer ")
        self.tokens.discard(hashlib.sha256(token.encode()).hexdigest())
        return Response(204)

    def _register(self, request: Request, now: float) -> Response:
        asked = parse_register(request.body)
        session = self.sessions.setdefault(asked.session.key, AppSession(self._id("session"), asked.session))
        session.info, session.holding, session.polled_at = asked.session, asked.holding, now
        session.registrations += 1
        self._close(session, asked.holding)
        return Response(200, {}, Registered(session.id, str(session.acknowledged)).dump())

    def _close(self, session: AppSession, holding: tuple[str, ...]) -> None:
        """End what was acknowledged and is held by nobody."""
        for message in session.log[: session.acknowledged]:
            if isinstance(message, Chat) and message.id not in holding:
                turn = session.turns[message.id]
                turn.end = turn.end or CLOSED

    def _poll(self, request: Request, now: float) -> Response | None:
        asked = parse_poll(request.body)
        session = self._by_id(asked.session_id)
        if session is None:
            return Response(410)
        if session.held is not None:
            return Response(409)
        session.acknowledged = max(session.acknowledged, int(asked.cursor))
        session.state, session.polled_at = asked.state, now
        answer = self._messages(session)
        if answer is None and self._hold:
            session.held = (request.id, now + self._hold)
            return None
        return answer or Response(204)

    def _messages(self, session: AppSession) -> Response | None:
        fresh = session.log[session.acknowledged :]
        return Response(200, {}, Messages(str(len(session.log)), tuple(fresh)).dump()) if fresh else None

    def _events(self, request: Request, now: float) -> Response:
        batch = parse_batch(request.body)
        session = self._by_id(batch.session_id)
        if session is None:
            return Response(410)
        turn = session.turns.get(batch.turn)
        if turn is None:
            return Response(400)
        if batch.seq == turn.next:
            turn.next += 1
            for event in batch.events if turn.end is None else ():
                turn.events.append(event)
                turn.end = event if isinstance(event, Ended) else turn.end
        return Response(200, {}, Taken(turn.next).dump())

    def _by_id(self, id: str) -> AppSession | None:
        return next((session for session in self.sessions.values() if session.id == id), None)

    def _id(self, kind: str) -> str:
        self._count += 1
        return f"{kind}-{self._count}"


def origin_of(url: str) -> str:
    scheme, _, rest = url.partition("://")
    return str(parse_origin(f"{scheme}://{rest.partition('/')[0]}"))
