"""What a page gets to hear after it was loaded, as server-sent events: sessions as they change, turns as they go on.

Every event carries a cursor, which the browser sends when it comes back: nothing is lost, and nothing comes twice.
"""

import asyncio
import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field

from agent_connector.byoa.app import Delta, Ended, Event, Outcome, Reason, Started, Tool, Turn

LOOK_SECONDS = 1.0
QUIET_SECONDS = 15.0  # then a comment is sent: a connection that is gone is noticed by that
UNREAD = 100

ENDS = {
    Reason.STOPPED: "Stopped.",
    Reason.TAKEN_OVER: "Interrupted: you typed something yourself, and you come first.",
    Reason.SESSION_CLOSED: "The session is gone.",
    Reason.HOST_ERROR: "The agent failed.",
    Reason.REJECTED: "The agent did not take it.",
}
OUTCOMES = {Outcome.DONE: "Done.", Outcome.ERROR: "It failed.", Outcome.INTERRUPTED: "Interrupted."}


def words_of(end: Ended) -> str:
    return OUTCOMES[end.outcome] if end.reason is None else ENDS[end.reason]


@dataclass(frozen=True, slots=True)
class Position:
    """How far a turn was read; `over` when that was its end."""

    number: int
    over: bool


def write_cursor(positions: dict[str, Position]) -> str:
    """The turns that go on, and the last one, after which others are new: `m_ab:3,m_cd:17.`"""
    last = next(reversed(positions), None)
    told = ((id, at) for id, at in positions.items() if not at.over or id == last)
    return ",".join(f"{id}:{at.number}{'.' * at.over}" for id, at in told)


def read_cursor(text: str) -> dict[str, Position]:
    """What cannot be read is left out: it is read again from its beginning."""
    positions: dict[str, Position] = {}
    for part in text.split(",")[:50]:
        id, _, number = part.partition(":")
        bare = number.removesuffix(".")
        if id.isprintable() and bare.isascii() and bare.isdigit() and len(bare) < 10:
            positions[id] = Position(int(bare), number.endswith("."))
    return positions


@dataclass
class Follow:
    """`look` gives what is to be seen beside the turns, or None when it may not be seen any more."""

    look: Callable[[], Awaitable[dict[str, object] | None]]
    turns: Callable[[], Awaitable[Sequence[Turn]]]
    turn: Callable[[str], Awaitable[Turn | None]]
    positions: dict[str, Position]
    _heard: "asyncio.Queue[tuple[str, Event]]" = field(default_factory=lambda: asyncio.Queue(UNREAD))
    _readers: dict[str, "asyncio.Task[None]"] = field(default_factory=dict[str, "asyncio.Task[None]"])

    async def stream(self) -> AsyncGenerator[str]:
        seen: dict[str, object] | None = None
        quiet = 0.0
        try:
            for id in [id for id, at in self.positions.items() if not at.over]:
                if (turn := await self.turn(id)) is not None:
                    self._read(turn)
            while (now := await self.look()) is not None:
                if now != seen:
                    seen = now
                    yield self._event("look", now)
                for turn in self._new(await self.turns()):
                    self.positions[turn.id] = Position(0, over=False)
                    self._read(turn)
                    yield self._event("turn", {"id": turn.id, "sender": turn.sender, "text": turn.text})
                async for told in self._told():
                    quiet = 0.0
                    yield told
                quiet += LOOK_SECONDS
                if quiet >= QUIET_SECONDS:
                    quiet = 0.0
                    yield ":\n\n"
            yield self._event("over", {})
        finally:
            for reader in self._readers.values():
                reader.cancel()
            await asyncio.gather(*self._readers.values(), return_exceptions=True)

    def _new(self, turns: Sequence[Turn]) -> Sequence[Turn]:
        """Those after the last one that the page knows."""
        known = [index for index, turn in enumerate(turns) if turn.id in self.positions]
        return turns[known[-1] + 1 :] if known else turns

    def _read(self, turn: Turn) -> None:
        async def reading(after: int) -> None:
            async for event in turn.events(after):
                await self._heard.put((turn.id, event))

        self._readers[turn.id] = asyncio.create_task(reading(self.positions[turn.id].number))

    async def _told(self) -> AsyncGenerator[str]:
        """What the turns say until it is time to look again."""
        until = asyncio.get_running_loop().time() + LOOK_SECONDS
        while True:
            try:
                async with asyncio.timeout_at(until):
                    id, event = await self._heard.get()
            except TimeoutError:
                return
            self.positions[id] = Position(event.number, isinstance(event, Ended))
            yield self._event("part", {"turn": id, "number": event.number, **_part(event)})

    def _event(self, name: str, value: Mapping[str, object]) -> str:
        return f"id: {write_cursor(self.positions)}\nevent: {name}\ndata: {json.dumps(value)}\n\n"


def _part(event: Event) -> dict[str, str]:
    match event:
        case Started():
            return {"kind": "started"}
        case Delta(_, text):
            return {"kind": "text", "text": text}
        case Tool(_, name, title):
            return {"kind": "tool", "text": title or name}
        case Ended():
            return {"kind": "end", "text": words_of(event)}
