"""Pages out of templates, forms as they come in, and the ways back."""

import os
from collections.abc import Mapping
from urllib.parse import parse_qsl, urlsplit

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from notes_app.people import People, Person

FORM_BYTES = 1024 * 1024
TEMPLATES = Environment(
    loader=FileSystemLoader(os.path.join(os.path.dirname(os.path.abspath(__file__)), "templates")),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


def show(template: str, status: int = 200, **values: object) -> Response:
    return HTMLResponse(TEMPLATES.get_template(template).render(**values), status)


def problem(request: Request, error: Exception) -> Response:
    """What cannot be done, as a page with a way back."""
    status = error.status_code if isinstance(error, HTTPException) else 500
    words = error.detail if isinstance(error, HTTPException) else ""
    headers = error.headers if isinstance(error, HTTPException) else None
    response = show("message.html", status, person=None, words=words)
    response.headers.update(headers or {})
    return response


def see(path: str) -> Response:
    return RedirectResponse(path, 303)


def safe(path: str) -> str:
    """A path of this app to go on to; anything else is the first page."""
    parts = urlsplit(path) if path.startswith("/") and path.isprintable() else None
    if parts is None or parts.scheme or parts.netloc or path.startswith("//") or "\\" in path:
        return "/"
    return path


def here(request: Request) -> str:
    """This page, to come back to."""
    return request.url.path + (f"?{request.url.query}" if request.url.query else "")


async def form_of(request: Request, person: Person | None) -> Mapping[str, str]:
    """The fields of a form that one of our pages sent, as long as this person was signed in."""
    body = bytearray()
    async for piece in request.stream():
        body += piece
        if len(body) > FORM_BYTES:
            raise HTTPException(413, "That is too much for one form.", {"Connection": "close"})
    try:
        fields = dict(parse_qsl(body.decode("utf-8"), keep_blank_values=True, max_num_fields=20))
    except ValueError:
        raise HTTPException(400, "This is not a form of this app.") from None
    if person is not None and fields.get("mark") != person.mark:
        raise HTTPException(403, "This page is too old, or not from here. Go back, load it again, and try once more.")
    return fields


async def asked(people: People, request: Request) -> tuple[Person, Mapping[str, str]]:
    """Who sent a form that changes something, and what is in it."""
    person = people.person(request)
    if person is None:
        raise HTTPException(401, "You are not signed in any more.")
    return person, await form_of(request, person)
