"""One app and one session: the three doors (section 5). `link.state` says where it stands."""

from collections.abc import Callable
from enum import Enum, auto
from typing import Protocol

from agent_connector.byoa.core.effects import Outcome, Response
from agent_connector.byoa.core.exchange import Backoff, Exchange, Verdict, judge, told
from agent_connector.byoa.core.outbox import Outbox
from agent_connector.byoa.protocol import (
    Chat,
    Cursor,
    Endpoints,
    Message,
    Poll,
    ProtocolError,
    Register,
    SessionInfo,
    TurnEvent,
    parse_messages,
    parse_registered,
    parse_taken,
)
from agent_connector.byoa.protocol.limits import DOOR_BODY, HOLDING

SEEN_MOST = 4096
WAITING_MOST = 200  # turns whose events the app does not take: then it is not asked for more
FLYING_MOST = 20  # batches on their way at once
SOONEST_POLL = 1.0  # an app that answers an empty poll at once is not asked in a loop


class LinkState(Enum):
    OUT = auto()  # not registered: registers when due
    REGISTERING = auto()
    READY = auto()  # registered: polls when due
    POLLING = auto()
    ENDED = auto()  # the app is done with this session: nothing until the key changes
    RETIRED = auto()  # the conversation is over: what is in the outboxes still leaves


class AppSide(Protocol):
    """What a link needs of its app; `PairedApp` is one."""

    @property
    def origin(self) -> str: ...
    @property
    def token(self) -> str: ...
    @property
    def endpoints(self) -> Endpoints: ...
    @property
    def hold(self) -> float: ...
    @property
    def interval(self) -> float: ...
    def revoked(self) -> None: ...
    def moved(self) -> None: ...


class Link:
    def __init__(
        self,
        exchange: Exchange,
        app: AppSide,
        describe: Callable[[], SessionInfo],
        state_of_host: Callable[[], str],
        receive: Callable[["Link", Message], None],
        refuse: Callable[["Link", str], None],
    ) -> None:
        self.app = app
        self.key = describe().key
        self.state = LinkState.OUT
        self.trouble = ""
        self.superseded = False
        self.outboxes: dict[str, Outbox] = {}
        self._exchange = exchange
        self._describe = describe
        self._state_of_host = state_of_host
        self._receive = receive
        self._refuse = refuse
        self._registered: SessionInfo | None = None
        self._session_id: str | None = None
        self._cursor: Cursor = ""
        self._due = 0.0
        self._asked_at = 0.0
        self._backoff = Backoff()
        self._conflicts = Backoff()
        self._request: int | None = None
        self._seen: dict[str, None] = {}

    @property
    def over(self) -> bool:
        """Retired, and nothing is left to send."""
        return self.state is LinkState.RETIRED and not self.outboxes

    @property
    def troubles(self) -> list[str]:
        found = (self.trouble, *(box.trouble for box in self.outboxes.values()))
        return list(dict.fromkeys(trouble for trouble in found if trouble))

    def tick(self) -> None:
        now = self._exchange.now
        if self._due <= now:
            ready = self.state is LinkState.READY
            if self.state is LinkState.OUT or (ready and self._describe() != self._registered):
                self._register()
            elif ready and len(self.outboxes) < WAITING_MOST:
                self._poll()
        self.flush()

    def tell(self, turn: str, event: TurnEvent) -> None:
        box = self.outboxes.get(turn)
        if box is not None:
            box.put(event)

    def retire(self) -> None:
        self._exchange.cancel(self._request)
        self._request = None
        self.state = LinkState.RETIRED
        if self._session_id is None:
            self.outboxes.clear()

    def close(self) -> None:
        """Nothing more is sent or asked, not even what waits: the app took our right to."""
        for id in (self._request, *(box.request for box in self.outboxes.values())):
            self._exchange.cancel(id)
        self.outboxes.clear()
        self.state = LinkState.RETIRED

    # register

    def _register(self) -> None:
        session = self._describe()
        # A turn whose end the app has not taken yet is still held: else the app would record an end of its own.
        body = Register(session, tuple(self.outboxes)[:HOLDING]).dump()
        self.state = LinkState.REGISTERING

        def then(outcome: Outcome) -> None:
            self._request = None
            self.state = LinkState.OUT
            if isinstance(outcome, Response) and judge(outcome) is Verdict.OK:
                self._take_registration(outcome.body, session)
            else:
                self._trouble_at_door(outcome)
            self.tick()

        self._request = self._send(self.app.endpoints.register, body, then)

    def _take_registration(self, body: bytes, session: SessionInfo) -> None:
        try:
            answer = parse_registered(body)
        except ProtocolError as problem:
            self._unreadable(problem)
            return
        self._session_id, self._cursor = answer.session_id, answer.cursor
        self._registered = session
        self.trouble = ""
        self._due = self._exchange.now
        self.state = LinkState.READY

    # poll

    def _poll(self) -> None:
        body = Poll(self._session_id or "", self._cursor, self._state_of_host()).dump()
        self.state = LinkState.POLLING
        self._asked_at = self._exchange.now

        def then(outcome: Outcome) -> None:
            self._request = None
            self.state = LinkState.READY
            match judge(outcome):
                case Verdict.OK if isinstance(outcome, Response):
                    self._take_messages(outcome.body)
                case Verdict.NOTHING:
                    self._settled()
                    self._due = self._next_poll()
                case Verdict.SUPERSEDED:
                    self.superseded = True
                    self.trouble = "another program polls this session"
                    self._due = self._exchange.now + self._conflicts.after()
                case _:
                    self._trouble_at_door(outcome)
            self.tick()  # a message that comes now need not wait for the next second

        self._request = self._send(self.app.endpoints.poll, body, then)

    def _take_messages(self, body: bytes) -> None:
        try:
            answer = parse_messages(body)
        except ProtocolError as problem:
            self._unreadable(problem)
            return
        self._settled()
        self._cursor = answer.cursor
        fresh = [message for message in answer.messages if self._is_new(message.id)]
        if not fresh:
            self._due = self._next_poll()
        for message in fresh:
            if isinstance(message, Chat):
                self.outboxes[message.id] = Outbox(message.id)
            self._receive(self, message)

    def _is_new(self, id: str) -> bool:
        """An answer that was lost is given again, and so is what was received and not yet acknowledged."""
        if id in self._seen:
            return False
        self._seen[id] = None
        if len(self._seen) > SEEN_MOST:
            del self._seen[next(iter(self._seen))]
        return True

    def _next_poll(self) -> float:
        return self._asked_at + (SOONEST_POLL if self.app.hold else self.app.interval)

    # events

    def flush(self) -> None:
        if self._session_id is None:
            return
        flying = sum(box.request is not None for box in self.outboxes.values())
        due = [box for box in self.outboxes.values() if box.ready and box.due <= self._exchange.now]
        for box in due[: max(0, FLYING_MOST - flying)]:
            self._send_batch(box, self._session_id)

    def _send_batch(self, box: Outbox, session_id: str) -> None:
        def then(outcome: Outcome) -> None:
            box.request = None
            self._batch_answered(box, session_id, outcome)
            if box.done:
                self.outboxes.pop(box.turn, None)
            self.flush()

        box.request = self._send(self.app.endpoints.events, box.batch(session_id).dump(), then)

    def _batch_answered(self, box: Outbox, session_id: str, outcome: Outcome) -> None:
        match judge(outcome):
            case Verdict.OK if isinstance(outcome, Response):
                try:
                    parse_taken(outcome.body)
                except ProtocolError as problem:
                    box.trouble = f"{self.app.origin} cannot be understood: {problem}"
                    box.due = self._exchange.later(box.backoff, outcome)
                    return
                box.taken()
            case Verdict.REFUSED:
                if box.refused():
                    self._refuse(self, box.turn)
            case Verdict.GONE:
                self._batch_gone(box, session_id)
            case Verdict.REVOKED:
                self.app.revoked()
            case verdict:
                if verdict is Verdict.MISSING:
                    self.app.moved()
                box.trouble = told(outcome, self.app.origin)
                box.due = self._exchange.later(box.backoff, outcome)

    def _batch_gone(self, box: Outbox, session_id: str) -> None:
        if self.state in (LinkState.RETIRED, LinkState.ENDED):
            # registering again would bring back a session that is over
            box.done = True
            return
        box.due = self._exchange.now + box.backoff.after()
        if session_id == self._session_id and self.state is not LinkState.REGISTERING:
            self._exchange.cancel(self._request)
            self._out()

    # shared

    def _send(self, url: str, body: bytes, then: Callable[[Outcome], None]) -> int:
        return self._exchange.send("POST", url, then, limit=DOOR_BODY, body=body, token=self.app.token)

    def _trouble_at_door(self, outcome: Outcome) -> None:
        """Every answer to register or poll that is neither what was asked nor a rule of that door alone."""
        match judge(outcome):
            case Verdict.REVOKED:
                self.app.revoked()
                return
            case Verdict.GONE:
                self._out()
                self._due = self._exchange.now + self._backoff.after()
                return
            case Verdict.MISSING:
                self.app.moved()
            case _:
                pass
        self.trouble = told(outcome, self.app.origin)
        self._due = self._exchange.later(self._backoff, outcome)

    def _out(self) -> None:
        self._request = None
        self._session_id = None
        self.state = LinkState.OUT
        self._due = self._exchange.now

    def _unreadable(self, problem: ProtocolError) -> None:
        self.trouble = f"{self.app.origin} cannot be understood: {problem}"
        self._due = self._exchange.now + self._backoff.after(self._exchange.random.bytes(1)[0])

    def _settled(self) -> None:
        self.trouble = ""
        self.superseded = False
        self._backoff.reset()
        self._conflicts.reset()
        self._due = self._exchange.now
