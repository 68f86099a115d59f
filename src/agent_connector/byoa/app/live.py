"""What an app works with: the sessions of an account, their turns, and what a turn says as it says it."""

from collections.abc import AsyncGenerator, AsyncIterator, Generator, Sequence
from dataclasses import dataclass

from agent_connector.byoa.app import codes, sessions, turns
from agent_connector.byoa.app.people import Account, AppError
from agent_connector.byoa.app.sessions import SessionRecord
from agent_connector.byoa.app.setup import Setup
from agent_connector.byoa.app.store.base import Tx
from agent_connector.byoa.app.turns import TurnRecord
from agent_connector.byoa.protocol import Change, Chat, End, Outcome, Reason, Setting, Stop, Workspace, printable
from agent_connector.byoa.protocol.fields import dump, encodable
from agent_connector.byoa.protocol.limits import CHAT_BYTES, POLL_MESSAGES

READING_AT_ONCE = 1.0


@dataclass(frozen=True, slots=True)
class Started:
    """The host has begun. `number` counts the events of a turn from 1: read on after it."""

    number: int


@dataclass(frozen=True, slots=True)
class Delta:
    number: int
    text: str


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool that the agent uses: its name and at most a fixed label, never its input."""

    number: int
    name: str
    title: str | None = None


@dataclass(frozen=True, slots=True)
class Ended:
    """The last event of every turn, once."""

    number: int
    outcome: Outcome
    reason: Reason | None = None


Event = Started | Delta | Tool | Ended


class Turn:
    """One prompt and its answer. Lives in the store: it goes on when nobody reads it, and can be read again."""

    def __init__(self, setup: Setup, record: TurnRecord) -> None:
        self._setup = setup
        self._record = record

    @property
    def id(self) -> str:
        return self._record.id

    @property
    def session_id(self) -> str:
        return self._record.session

    @property
    def text(self) -> str:
        """What was asked."""
        return self._record.text

    @property
    def sender(self) -> str:
        return self._record.sender

    @property
    def created(self) -> float:
        return self._record.created

    @property
    def outcome(self) -> Outcome | None:
        """As it was when this object was made; None for a turn that was open."""
        return self._record.outcome

    def __aiter__(self) -> AsyncIterator[Event]:
        return self.events()

    async def events(self, after: int = 0) -> AsyncGenerator[Event]:
        """Every event with a number above `after`, waiting for those to come, to the end of the turn."""
        setup = self._setup
        with setup.store.bell.listen(f"turn {self.id}") as listener:
            while True:
                found, away_at = await setup.store.run(lambda tx, after=after: self._read(tx, after))
                for number, value in found:
                    event = _event(number, value)
                    yield event
                    if isinstance(event, Ended):
                        return
                    after = number
                if found:
                    continue
                timer = setup.clock.later(max(0.0, away_at - setup.clock.now()) + READING_AT_ONCE, listener.wake)
                try:
                    await listener.rung()
                finally:
                    timer.cancel()

    async def so_far(self, after: int = 0) -> list[Event]:
        """The events that are there already with a number above `after`; waits for none."""
        found, _ = await self._setup.store.run(lambda tx: self._read(tx, after))
        return [_event(number, value) for number, value in found]

    def _read(self, tx: Tx, after: int) -> tuple[list[tuple[int, dict[str, str]]], float]:
        found = turns.events_after(tx, self.id, after)
        if found:
            return found, 0.0
        away_at = sessions.sweep(tx, self.session_id, self._setup.hold, self._setup.clock.now())
        return turns.events_after(tx, self.id, after), away_at

    async def answer(self) -> str:
        """The text of the whole answer, when the turn is over."""
        return "".join([event.text async for event in self if isinstance(event, Delta)])

    async def stop(self) -> None:
        """Ask for its end; it comes as an event. Nothing happens to a turn that is over."""
        stop = Stop(codes.new_id(self._setup.random, "m"), self.id)

        def work(tx: Tx) -> None:
            if turns.is_open(tx, self.id):
                sessions.send(tx, self.session_id, stop)

        await self._setup.store.run(work)


class Asked:
    """A prompt. `await` it to send it and get its `Turn`, or iterate over it to send it and read the answer."""

    def __init__(self, session: "Session", text: str, sender: str) -> None:
        self._session = session
        self._text = text
        self._sender = sender

    def __await__(self) -> Generator[object, None, Turn]:
        return self._session._ask(self._text, self._sender).__await__()  # pyright: ignore[reportPrivateUsage]

    async def __aiter__(self) -> AsyncGenerator[Event]:
        turn = await self
        async for event in turn:
            yield event


class Session:
    """One conversation of an account in a host, as it was told last."""

    def __init__(self, setup: Setup, account: Account, record: SessionRecord) -> None:
        self._setup = setup
        self._account = account
        self._record = record

    @property
    def id(self) -> str:
        return self._record.id

    @property
    def connection_id(self) -> str:
        return self._record.connection

    @property
    def host(self) -> str:
        return self._record.info.host

    @property
    def machine(self) -> str:
        return self._record.machine

    @property
    def title(self) -> str | None:
        return self._record.info.title

    @property
    def workspace(self) -> Workspace:
        """What the person's policy shares with this app."""
        return self._record.info.workspace

    @property
    def settings(self) -> Sequence[Setting]:
        return self._record.info.settings

    @property
    def can_stop(self) -> bool:
        """Without it a stopped turn ends here, and the host goes on until it is done."""
        return "abort" in self._record.info.can

    @property
    def state(self) -> str:
        """`idle`, `busy` or `blocked` (the host waits for its person), or `away` when nobody has polled for long."""
        return "away" if self._record.away else self._record.state

    @property
    def seen(self) -> float:
        """When it polled last."""
        return self._record.polled

    def chat(self, text: str, sender: str | None = None) -> Asked:
        """Ask something on behalf of `sender` (a name; the account's when absent).

        async for event in session.chat("What is new?"): ...     sends, and reads to the end
        turn = await session.chat("What is new?")                 sends; read `turn` now, or later by its id
        """
        _check_text(text)
        sender = self._account.name if sender is None else sender
        if not printable(sender) or len(sender) > 200:
            raise AppError("the sender's name is not 1 to 200 printable characters")
        return Asked(self, text, sender)

    async def _ask(self, text: str, sender: str) -> Turn:
        setup = self._setup
        message = Chat(codes.new_id(setup.random, "m"), text, sender)
        now = setup.clock.now()
        await setup.store.run(lambda tx: sessions.chat(tx, self.id, message, setup.hold, now))
        return Turn(setup, TurnRecord(message.id, self.id, text, sender, now, None, None))

    async def turns(self, most: int = 50) -> list[Turn]:
        """The last turns of this app in this session, oldest first."""
        records = await self._setup.store.run(lambda tx: turns.of_session(tx, self.id, most))
        return [Turn(self._setup, record) for record in records]

    async def stop(self) -> None:
        """Stop every turn of this app that is open in this session."""
        setup = self._setup

        def work(tx: Tx) -> None:
            for turn in turns.open_of(tx, self.id):
                sessions.send(tx, self.id, Stop(codes.new_id(setup.random, "m"), turn))

        await setup.store.run(work)

    async def set(self, setting: str, value: str) -> None:
        """Choose a value that the session offers."""
        offered = next((one for one in self.settings if one.id == setting), None)
        if offered is None or value not in offered.values:
            names = ", ".join(f"{one.id} ({', '.join(one.values)})" for one in self.settings) or "nothing"
            raise AppError(f"{setting} = {value} is not offered", where=self.id, remedy=f"It offers {names}.")
        change = Change(codes.new_id(self._setup.random, "m"), setting, value)
        await self._setup.store.run(lambda tx: sessions.send(tx, self.id, change))

    async def end(self) -> None:
        """Be done with this session: its turns end, and it is not listed any more. A new conversation is a new session."""
        message = End(codes.new_id(self._setup.random, "m"))

        def work(tx: Tx) -> None:
            sessions.send(tx, self.id, message)
            sessions.end(tx, self.id)

        await self._setup.store.run(work)


def _check_text(text: str) -> None:
    if not encodable(text):
        raise AppError("the text holds half a surrogate pair")
    if "\0" in text:
        raise AppError("the text holds a NUL character")
    if len(text.encode()) > CHAT_BYTES or len(dump(text)) > POLL_MESSAGES:
        raise AppError(f"the text is larger than {CHAT_BYTES // 1024} KiB")


def _event(number: int, value: dict[str, str]) -> Event:
    match value["type"]:
        case "started":
            return Started(number)
        case "delta":
            return Delta(number, value["text"])
        case "tool":
            return Tool(number, value["name"], value.get("title"))
        case _:
            reason = value.get("reason")
            return Ended(number, Outcome(value["outcome"]), None if reason is None else Reason(reason))
