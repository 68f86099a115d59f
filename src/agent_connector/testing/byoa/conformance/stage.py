"""The pairer that the suite plays against an app: its requests, its pairings, its sessions, and the app's person."""

from dataclasses import dataclass, field

from agent_connector.byoa import protocol as wire
from agent_connector.byoa.core.effects import Failure, Outcome, Request, Response
from agent_connector.byoa.core.ports import HttpPort
from agent_connector.byoa.protocol.limits import DOOR_BODY, MCP_BODY, PAIRING_BODY
from agent_connector.byoa.protocol.mcp import request
from agent_connector.testing.byoa.conformance.person import Clock, Person, RealClock
from agent_connector.testing.byoa.conformance.report import Failed, NotApplicable, expect

HOST = "conformance"
CLIENT = wire.Client(HOST, "1.0", "agent-connector conformance", "conformance suite")
SLOWER = 5.0
ENDINGS = (wire.Refusal.DENIED, wire.Refusal.EXPIRED)


@dataclass
class Pairing:
    """A grant, and when it may be asked about again."""

    grant: wire.Grant
    interval: float
    due: float = 0.0


@dataclass
class Session:
    info: wire.SessionInfo
    token: str
    id: str
    cursor: wire.Cursor


@dataclass
class Stage:
    """`cookie`: of a signed-in person, to look at the approval page with."""

    origin: wire.Origin
    http: HttpPort
    clock: Clock = field(default_factory=RealClock)
    person: Person = field(default_factory=Person)
    cookie: str = ""
    found: wire.Discovery | None = None
    first: Pairing | None = None
    second: Pairing | None = None  # to be refused
    tokens: list[str] = field(default_factory=list[str])
    session: Session | None = None
    turn: str = ""
    seq: int = 0
    count: int = 0
    requests: int = 0
    redirects: list[str] = field(default_factory=list[str])

    # Requests.

    async def send(
        self,
        method: str,
        url: str,
        body: bytes = b"",
        token: str | None = None,
        *,
        accept: str = wire.JSON,
        headers: tuple[tuple[str, str], ...] = (),
        limit: int = DOOR_BODY,
        seconds: float = 30,
    ) -> Outcome:
        self.requests += 1
        own = {name for name, _ in headers}
        carried = tuple(pair for pair in wire.carried(token, accept) if pair[0] not in own)
        outcome = await self.http.send(Request(self.requests, method, url, (*carried, *headers), body, limit, seconds))
        if isinstance(outcome, Response) and 300 <= outcome.status < 400:
            self.redirects.append(f"{method} {url} answers {outcome.status}")
        return outcome

    async def ask(self, url: str, body: bytes, token: str | None = None, *, seconds: float = 30) -> Response:
        """POST, and a whole answer, or the check has failed."""
        outcome = await self.send("POST", url, body, token, seconds=seconds)
        if isinstance(outcome, Failure):
            raise Failed(f"no answer from {url}: {outcome.what}")
        return outcome

    async def refuses(self, url: str, body: bytes, token: str | None, *statuses: int) -> str:
        """What was seen of a refusal with one of `statuses`."""
        answer = await self.ask(url, body, token)
        expect(answer.status in statuses, f"{url} answers {answer.status}, not {' or '.join(map(str, statuses))}")
        return f"{answer.status}"

    async def refuses_size(self, url: str, size: int, token: str | None = None) -> str:
        """More than `size` bytes: a refusal, or a connection that is closed before they are read."""
        outcome = await self.send("POST", url, b'{"x":"' + b"a" * size + b'"}', token)
        if isinstance(outcome, Failure):
            return "closes the connection"
        expect(400 <= outcome.status < 500, f"{url} answers {outcome.status} to more than {size} bytes")
        return f"{outcome.status}"

    # What the checks before have found.

    @property
    def discovery(self) -> wire.Discovery:
        if self.found is None:
            raise NotApplicable("there is no discovery")
        return self.found

    @property
    def doors(self) -> wire.Endpoints:
        return self.discovery.endpoints

    @property
    def token(self) -> str:
        if not self.tokens:
            raise NotApplicable("no pairing was approved")
        return self.tokens[0]

    @property
    def live(self) -> Session:
        if self.session is None:
            raise NotApplicable("no session is registered")
        return self.session

    @property
    def running(self) -> str:
        if not self.turn:
            raise NotApplicable("no message has come")
        return self.turn

    # Pairing.

    async def start(self) -> Pairing:
        answer = await self.ask(self.doors.pair_start, CLIENT.dump())
        expect(answer.status == 200, f"pair_start answers {answer.status}")
        expect(len(answer.body) <= PAIRING_BODY, f"pair_start answers {len(answer.body)} bytes")
        grant = wire.parse_grant(answer.body, self.origin)
        return Pairing(grant, grant.interval)

    async def polled(self, pairing: Pairing, *, early: bool = False) -> wire.Paired | wire.Refusal:
        """Ask about a pairing when it is time; `early`: at once."""
        if not early:
            await self.clock.sleep(max(0.0, pairing.due - self.clock.now()))
        answer = await self.ask(self.doors.pair_poll, wire.PairPoll(pairing.grant.device_code).dump())
        if answer.status == 200:
            pairing.due = self.clock.now() + pairing.interval
            return wire.parse_paired(answer.body)
        expect(answer.status == 400, f"pair_poll answers {answer.status}")
        word = wire.parse_refusal(answer.body)
        pairing.interval += SLOWER if word is wire.Refusal.SLOW_DOWN else 0
        pairing.due = self.clock.now() + pairing.interval
        return word

    async def answered(self, pairing: Pairing) -> wire.Paired | wire.Refusal:
        """Ask at once about a pairing that is decided; an app that finds this too soon is asked again in time."""
        word = await self.polled(pairing, early=True)
        return await self.polled(pairing) if word is wire.Refusal.SLOW_DOWN else word

    async def decided(self, pairing: Pairing) -> wire.Paired | wire.Refusal:
        """Ask until the person has decided, or their patience is at an end."""
        until = self.clock.now() + self.person.patience
        while True:
            answer = await self.polled(pairing)
            if isinstance(answer, wire.Paired) or answer in ENDINGS:
                return answer
            expect(self.clock.now() < until, f"nobody decided in {self.person.patience:.0f} s")

    async def approved(self, pairing: Pairing) -> wire.Paired:
        await self.person.approve(link(pairing.grant), pairing.grant.user_code)
        answer = await self.decided(pairing)
        if not isinstance(answer, wire.Paired):
            raise Failed(f"the pairing was to be approved, and the poll says {answer}")
        return answer

    # Sessions.

    def described(self, key: str, title: str | None = None) -> wire.SessionInfo:
        return wire.SessionInfo(
            wire.session_key(self.origin, HOST, key),
            HOST,
            "1.0",
            title or f"conformance {key}",
            wire.Workspace("conformance"),
            (wire.Setting("model", "Model", ("small", "large"), "small"),),
            ("abort", "settings"),
        )

    async def register(self, info: wire.SessionInfo, token: str, holding: tuple[str, ...] = ()) -> Session:
        answer = await self.ask(self.doors.register, wire.Register(info, holding).dump(), token)
        expect(answer.status == 200, f"register answers {answer.status}")
        found = wire.parse_registered(answer.body)
        return Session(info, token, found.session_id, found.cursor)

    async def poll(self, session: Session, cursor: wire.Cursor | None = None, state: str = "idle") -> Response:
        """One poll, however long the app holds it."""
        body = wire.Poll(session.id, session.cursor if cursor is None else cursor, state).dump()
        return await self.ask(self.doors.poll, body, session.token, seconds=self.discovery.hold + 15)

    async def messages(self, session: Session, cursor: wire.Cursor | None = None) -> wire.Messages | None:
        """What one poll gives; None for 204."""
        answer = await self.poll(session, cursor)
        if answer.status == 204:
            return None
        expect(answer.status == 200, f"poll answers {answer.status}")
        return wire.parse_messages(answer.body)

    async def until(self, session: Session, kind: type[wire.Message]) -> wire.Message:
        """Poll, acknowledging all that comes, until a message of this kind is there."""
        until = self.clock.now() + self.person.patience
        while True:
            found = await self.messages(session)
            if found is not None:
                session.cursor = found.cursor
                for message in found.messages:
                    if isinstance(message, kind):
                        return message
            else:
                await self.clock.sleep(0 if self.discovery.hold else self.discovery.interval)
            expect(self.clock.now() < until, f"no {kind.__name__.lower()} came in {self.person.patience:.0f} s")

    async def chat(self, session: Session, text: str) -> str:
        """Have the person send `text`, and receive it; gives the turn."""
        await self.person.chat(session.info.title or "", text)
        message = await self.until(session, wire.Chat)
        if not isinstance(message, wire.Chat):
            raise Failed("no chat came")
        expect(message.text.strip() == text, f"{text!r} was to be sent, and {message.text[:80]!r} came")
        return message.id

    async def tell(self, session: Session, turn: str, seq: int, *events: wire.TurnEvent) -> Response:
        return await self.ask(self.doors.events, wire.Batch(session.id, turn, seq, events).dump(), session.token)

    async def taken(self, session: Session, turn: str, seq: int, *events: wire.TurnEvent) -> int:
        """The `next` that the app answers."""
        answer = await self.tell(session, turn, seq, *events)
        expect(answer.status == 200, f"events answers {answer.status} to batch {seq}")
        return wire.parse_taken(answer.body).next

    async def statuses(self, token: str | None) -> dict[str, int]:
        """What every door says to this token."""
        info = self.described("statuses")
        asked = {
            "register": (self.doors.register, wire.Register(info).dump()),
            "poll": (self.doors.poll, wire.Poll("none", "", "idle").dump()),
            "events": (self.doors.events, wire.Batch("none", "none", 0, (wire.Started(),)).dump()),
        }
        found = {name: (await self.ask(url, body, token)).status for name, (url, body) in asked.items()}
        if self.doors.mcp is not None:
            outcome = await self.mcp(self.doors.mcp, request(1, "tools/list", {}), token)
            found["mcp"] = outcome.status
        return found

    async def mcp(
        self, url: str, body: bytes, token: str | None, headers: tuple[tuple[str, str], ...] = ()
    ) -> Response:
        outcome = await self.send("POST", url, body, token, accept=wire.JSON_OR_STREAM, headers=headers, limit=MCP_BODY)
        if isinstance(outcome, Failure):
            raise Failed(f"no answer from {url}: {outcome.what}")
        return outcome


def link(grant: wire.Grant) -> str:
    return grant.verification_uri_complete or grant.verification_uri
