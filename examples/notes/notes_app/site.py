"""Sign-in and notes: pages and forms that need no script."""

import asyncio
from collections.abc import Sequence
from urllib.parse import quote

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from notes_app.chat import Chat
from notes_app.notes import Note, Notes, TooLong
from notes_app.pages import asked, form_of, here, safe, see, show
from notes_app.people import LIFE, People, Person


class Site:
    def __init__(self, people: People, notes: Notes, chat: Chat, origin: str) -> None:
        self._people = people
        self._notes = notes
        self._chat = chat
        self._origin = origin

    def routes(self) -> Sequence[BaseRoute]:
        return [
            Route("/", self.list),
            Route("/notes", self.add, methods=["POST"]),
            Route("/notes/{id:int}", self.note),
            Route("/notes/{id:int}", self.edit, methods=["POST"]),
            Route("/sign-in", self.sign_in),
            Route("/sign-in", self.take_sign_in, methods=["POST"]),
            Route("/sign-out", self.sign_out, methods=["POST"]),
        ]

    # Notes.

    async def list(self, request: Request) -> Response:
        person = self._people.person(request)
        if person is None:
            return see(f"/sign-in?next={quote(here(request), safe='')}")
        words = request.query_params.get("q", "")
        found = self._notes.search(person.account.id, words)
        return await self._show(request, person, "notes.html", notes=found, words=words)

    async def note(self, request: Request) -> Response:
        person = self._people.person(request)
        if person is None:
            return see(f"/sign-in?next={quote(here(request), safe='')}")
        return await self._show(request, person, "note.html", note=self._found(request, person))

    async def add(self, request: Request) -> Response:
        person, fields = await asked(self._people, request)
        try:
            id = self._notes.add(person.account.id, fields.get("title", ""), fields.get("body", ""))
        except TooLong as error:
            raise HTTPException(422, str(error)) from None
        return see(f"{safe(fields.get('back', '/'))}#note-{id}")

    async def edit(self, request: Request) -> Response:
        person, fields = await asked(self._people, request)
        note = self._found(request, person)
        if "delete" in fields:
            self._notes.remove(person.account.id, note.id)
            return see("/")
        try:
            self._notes.edit(person.account.id, note.id, fields.get("title", ""), fields.get("body", ""))
        except TooLong as error:
            raise HTTPException(422, str(error)) from None
        return see(f"/#note-{note.id}")

    def _found(self, request: Request, person: Person) -> Note:
        note = self._notes.get(person.account.id, request.path_params["id"])
        if note is None:
            raise HTTPException(404, "There is no such note.")
        return note

    async def _show(self, request: Request, person: Person, template: str, **values: object) -> Response:
        return show(
            template,
            200,
            person=person,
            here=here(request),
            stamp=self._notes.stamp(person.account.id),
            panel=await self._chat.panel(request, person),
            origin=self._origin,
            **values,
        )

    # Signing in and out.

    async def sign_in(self, request: Request) -> Response:
        goal = safe(request.query_params.get("next", "/"))
        return see(goal) if self._people.person(request) else self._ask(goal)

    async def take_sign_in(self, request: Request) -> Response:
        fields = await form_of(request, None)
        goal = safe(fields.get("next", "/"))
        name, password = fields.get("name", ""), fields.get("password", "")
        cookie = await asyncio.to_thread(self._people.sign_in, name, password)
        if cookie is None:
            return self._ask(goal, name, 401)
        response = see(goal)
        response.set_cookie(
            self._people.cookie, cookie, int(LIFE), httponly=True, samesite="lax", secure=self._people.secure
        )
        return response

    def _ask(self, goal: str, name: str = "", status: int = 200) -> Response:
        return show("sign-in.html", status, person=None, goal=goal, name=name, wrong=status != 200)

    async def sign_out(self, request: Request) -> Response:
        person, _ = await asked(self._people, request)
        self._people.sign_out(person)
        response = see("/sign-in")
        response.delete_cookie(self._people.cookie, httponly=True, samesite="lax", secure=self._people.secure)
        return response
