"""The panel: the sessions of the person's agents, one conversation, and the forms to talk, stop and set."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlencode, urlsplit

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from agent_connector.byoa.app import AppError, Byoa, Delta, Ended, Session, Setting, Started, Tool, Turn
from notes_app.live import Follow, Position, read_cursor, words_of, write_cursor
from notes_app.notes import Notes
from notes_app.pages import asked, safe, see
from notes_app.people import People, Person

SHOWN = 20  # turns


@dataclass(frozen=True, slots=True)
class Told:
    """A turn as far as it has come. `steps` are texts and tools in their order: ("text" | "tool", words)."""

    id: str
    sender: str
    text: str
    at: str
    number: int
    begun: bool
    open: bool
    steps: Sequence[tuple[str, str]]
    end: str


@dataclass(frozen=True, slots=True)
class Panel:
    sessions: Sequence[dict[str, str]]
    chosen: Session | None
    wanted: str  # the session that was asked for, which may be gone
    turns: Sequence[Told]
    settings: Sequence[Setting]
    stream: str  # where the rest of it comes from


class Chat:
    def __init__(self, people: People, byoa: Byoa, notes: Notes) -> None:
        self._people = people
        self._byoa = byoa
        self._notes = notes

    def routes(self) -> Sequence[BaseRoute]:
        return [
            Route("/chat", self.say, methods=["POST"]),
            Route("/chat/stop", self.stop, methods=["POST"]),
            Route("/chat/set", self.set, methods=["POST"]),
            Route("/chat/live", self.live),
        ]

    async def panel(self, request: Request, person: Person) -> Panel:
        sessions = await self._byoa.sessions_of(person.account)
        wanted = request.query_params.get("s", "")
        there = [one for one in sessions if (one.id == wanted if wanted else one.state != "away")]
        chosen = there[0] if there else None
        turns = await chosen.turns(SHOWN) if chosen else []
        told = [await _told(turn) for turn in turns]
        cursor = {one.id: Position(one.number, not one.open) for one in told}
        query = {"s": chosen.id if chosen else wanted, "from": write_cursor(cursor)}
        listed = [described(one) for one in sessions]
        settings = chosen.settings if chosen else ()
        return Panel(listed, chosen, wanted, told, settings, f"/chat/live?{urlencode(query)}")

    async def live(self, request: Request) -> Response:
        """All that happens from here on, to a browser that has a script."""
        person = self._people.person(request)
        if person is None:
            raise HTTPException(401, "You are not signed in.")
        cursor = read_cursor(request.headers.get("last-event-id") or request.query_params.get("from", ""))

        async def look() -> dict[str, object] | None:
            if self._people.person(request) is None:
                return None
            sessions = [described(one) for one in await self._byoa.sessions_of(person.account)]
            return {"sessions": sessions, "stamp": self._notes.stamp(person.account.id)}

        async def turns() -> Sequence[Turn]:
            session = await self._byoa.session(person.account, request.query_params.get("s", ""))
            return await session.turns(SHOWN) if session else []

        async def turn(id: str) -> Turn | None:
            return await self._byoa.turn(person.account, id)

        return StreamingResponse(Follow(look, turns, turn, cursor).stream(), media_type="text/event-stream")

    # Forms.

    async def say(self, request: Request) -> Response:
        person, fields = await asked(self._people, request)
        session = await self._session(person, fields.get("session", ""))
        text = fields.get("text", "").strip()
        if text:
            try:
                await session.chat(text)
            except AppError as error:
                raise HTTPException(422, str(error)) from None
        return _back(fields.get("back", "/"), session.id)

    async def stop(self, request: Request) -> Response:
        person, fields = await asked(self._people, request)
        turn = await self._byoa.turn(person.account, fields.get("turn", ""))
        if turn is None:
            raise HTTPException(404, "There is no such turn.")
        await turn.stop()
        return _back(fields.get("back", "/"), turn.session_id)

    async def set(self, request: Request) -> Response:
        person, fields = await asked(self._people, request)
        session = await self._session(person, fields.get("session", ""))
        try:
            await session.set(fields.get("setting", ""), fields.get("value", ""))
        except AppError as error:
            raise HTTPException(422, str(error)) from None
        return _back(fields.get("back", "/"), session.id)

    async def _session(self, person: Person, id: str) -> Session:
        session = await self._byoa.session(person.account, id)
        if session is None:
            raise HTTPException(404, "This session is gone.")
        return session


STATES = {
    "idle": "waits for something to do",
    "busy": "is at work",
    "blocked": "waits for you, in its own window",
    "away": "was not heard of lately",
}


def described(session: Session) -> dict[str, str]:
    """A session in words, for the page and for its script."""
    place = session.workspace
    folder = [part for part in (place.folder_name, place.branch) if part]
    return {
        "id": session.id,
        "name": f"{session.host} on {session.machine}",
        "place": " · ".join([*folder, *([session.title] if session.title else [])]),
        "state": session.state,
        "means": STATES[session.state],
        "href": f"/?{urlencode({'s': session.id})}#agent",
    }


async def _told(turn: Turn) -> Told:
    steps: list[tuple[str, str]] = []
    number, begun, end = 0, False, ""
    for event in await turn.so_far():
        number = event.number
        match event:
            case Started():
                begun = True
            case Delta(_, text) if steps and steps[-1][0] == "text":
                steps[-1] = ("text", steps[-1][1] + text)
            case Delta(_, text):
                steps.append(("text", text))
            case Tool(_, name, title):
                steps.append(("tool", title or name))
            case Ended():
                end = words_of(event)
    at = time.strftime("%H:%M", time.localtime(turn.created))
    return Told(turn.id, turn.sender, turn.text, at, number, begun, not end, steps, end)


def _back(path: str, session: str) -> Response:
    """The page that the form was on, with the session that it was about."""
    parts = urlsplit(safe(path))
    kept = [pair for pair in parts.query.split("&") if pair and not pair.startswith("s=")]
    return see(f"{parts.path}?{'&'.join([*kept, urlencode({'s': session})])}#text")
