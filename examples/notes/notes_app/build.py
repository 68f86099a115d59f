"""The whole app: databases, tools, pages, and `Byoa` in front of them."""

import os

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from agent_connector.byoa.app import Byoa, SqliteStore
from notes_app.chat import Chat
from notes_app.guard import Guard
from notes_app.notes import Notes
from notes_app.pages import problem
from notes_app.people import People
from notes_app.site import Site
from notes_app.tools import tools_of

HERE = os.path.dirname(os.path.abspath(__file__))


def create(data: str, origin: str, *, new_passwords: bool = False) -> tuple[ASGIApp, dict[str, str]]:
    """The app at `origin`, and the passwords that were made just now, by name."""
    file = os.path.join(data, "notes.db")
    people, notes = People(file, origin), Notes(file)
    passwords = people.furnish(new_passwords)
    byoa = Byoa(
        SqliteStore(os.path.join(data, "byoa.db")),
        people.account_of,
        id="notes",
        name="Notes",
        origin=origin,
        mcp=tools_of(notes),
        hold=5,  # a session says whether it is busy with each poll: the page is at most so far behind
        sign_in="/sign-in",
        trusted_proxies=["127.0.0.1"] if origin.startswith("https:") else [],
    )
    chat = Chat(people, byoa, notes)
    site = Starlette(
        routes=[
            Mount("/static", StaticFiles(directory=os.path.join(HERE, "static"))),
            *Site(people, notes, chat, origin).routes(),
            *chat.routes(),
        ],
        exception_handlers={HTTPException: problem},
    )
    return Guard(byoa.wrap(site), origin), passwords
