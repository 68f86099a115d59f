"""The live parts: a run's log as server-sent events, and a hint that something on the board changed.

The id of an event is its `seq`. A browser that was cut off says the last one it has, and gets what came after it; nothing is lost
and nothing comes twice.
"""

import json
from collections.abc import AsyncIterator
from dataclasses import asdict

from sse_starlette import EventSourceResponse, ServerSentEvent
from starlette.requests import Request
from starlette.responses import Response

from agent_connector.board import page_log, page_words, readers, runs, sessions
from agent_connector.board.engine import Tx
from agent_connector.board.page_web import HEADERS, Web
from agent_connector.board.runs import Run
from agent_connector.errors import BoardUnreachable

AGAIN = 5.0  # seconds after which it looks without having been woken
QUIET = 15.0  # seconds without an event after which the log of a run that is over counts as whole
BATCH = 200
TOPICS = ("tasks", "presence", "served")
_OVER = frozenset(("succeeded", "failed", "cancelled", "timed_out"))


class Live:
    """Streams over one store. Each looks again and again whether its reader may still look."""

    def __init__(self, web: Web) -> None:
        self._web = web

    async def log(self, request: Request) -> Response:
        visit = await self._web.visit(request)
        if visit is None:
            return Response(status_code=401, headers=HEADERS)
        id = request.path_params["id"]
        await self._web.store.reading(runs.get, id)  # a page says where there is none
        return _response(self._lines(visit.token, id, _after(request)))

    async def changes(self, request: Request) -> Response:
        visit = await self._web.visit(request)
        if visit is None:
            return Response(status_code=401, headers=HEADERS)
        return _response(self._changes(visit.token))

    async def _lines(self, token: str, id: str, after: int) -> AsyncIterator[ServerSentEvent]:
        quiet, told = 0.0, ""
        with self._web.store.wake.on(f"run:{id}") as signal:
            while True:
                try:
                    found = await self._web.store.reading(_look, token, id, after)
                except BoardUnreachable:  # the browser connects again by itself
                    return
                if found is None:
                    return
                events, run = found
                for event in events:
                    after = event.seq
                    yield ServerSentEvent(json.dumps(asdict(page_log.line(event))), event="line", id=str(after))
                if (state := _state(run)) != told:
                    told = state
                    yield ServerSentEvent(state, event="state")
                if events:
                    quiet = 0.0
                    continue
                if run.status in _OVER and quiet >= QUIET:
                    yield ServerSentEvent("", event="end")
                    return
                quiet = 0.0 if await signal.wait(AGAIN) else quiet + AGAIN

    async def _changes(self, token: str) -> AsyncIterator[ServerSentEvent]:
        with self._web.store.wake.on(*TOPICS) as signal:
            yield ServerSentEvent(comment="here")
            while True:
                woken = await signal.wait(AGAIN * 3)
                try:
                    if await self._web.store.reading(sessions.find, token, "page") is None:
                        return
                except BoardUnreachable:
                    return
                if woken:
                    yield ServerSentEvent("", event="changed")


def _look(tx: Tx, token: str, id: str, after: int) -> tuple[list[readers.Event], Run] | None:
    """What is new, at one moment; None for somebody who is logged in no more."""
    if sessions.find(tx, token, "page") is None:
        return None
    return readers.log(tx, id, after, BATCH), runs.get(tx, id)


def _response(events: AsyncIterator[ServerSentEvent]) -> Response:
    return EventSourceResponse(events, headers=HEADERS | {"x-accel-buffering": "no"}, ping=15)


def _state(run: Run) -> str:
    """What the head of the page shows of a run."""
    return json.dumps(
        {
            "status": page_words.words(run.status),
            "mark": page_words.mark(run.status),
            "cost": page_words.money(run.cost),
            "over": run.status in _OVER,
        }
    )


def _after(request: Request) -> int:
    """The last event that the reader has: what a browser says when it comes again counts before the address."""
    given = request.headers.get("last-event-id") or request.query_params.get("after", "")
    return int(given) if given.isdecimal() and len(given) < 16 else -1
