"""What the pairer asks: discovery, pairing, the three doors (sections 2, 3 and 5 of the wire). Thin: the rules are in
`grants`, `sessions` and `turns`."""

from collections.abc import Callable
from typing import TypeVar

from starlette.requests import Request
from starlette.responses import Response

from agent_connector.byoa.app import codes, connections, grants, sessions, turns
from agent_connector.byoa.app.people import Connection
from agent_connector.byoa.app.setup import Setup
from agent_connector.byoa.app.store.base import Tx
from agent_connector.byoa.app.store.bell import Listener
from agent_connector.byoa.app.web import (
    Refused,
    bearer,
    bytes_response,
    is_json,
    json_response,
    read_body,
    unauthorized,
)
from agent_connector.byoa.protocol import (
    Grant,
    Paired,
    Poll,
    ProtocolError,
    Refusal,
    Registered,
    Taken,
    dump_refusal,
    parse_batch,
    parse_pair_poll,
    parse_pair_start,
    parse_poll,
    parse_register,
)
from agent_connector.byoa.protocol.limits import DOOR_BODY, PAIRING_BODY, PAIRING_INTERVAL

T = TypeVar("T")
TRY_AGAIN = {"Retry-After": "60"}


class Doors:
    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self._store = setup.store

    async def discovery(self, request: Request) -> Response:
        return bytes_response(self._setup.discovery.dump(), headers={"Cache-Control": "no-cache"})

    # pairing

    async def pair_start(self, request: Request) -> Response:
        client = parse_pair_start(await self._pairing_body(request))
        setup, come = self._setup, self._setup.proxies.come(request)
        started = await self._store.run(
            lambda tx: grants.start(tx, client, come, setup.clock.now(), setup.random),
        )
        if started is None:
            raise Refused(429, "too_many_pending", TRY_AGAIN)
        page = f"{setup.origin}{setup.prefix}/pair"
        grant = Grant(
            started.device_code,
            started.user_code,
            page,
            grants.LIFE,
            PAIRING_INTERVAL,
            f"{page}?code={started.user_code[:4]}",
        )
        return bytes_response(grant.dump())

    async def pair_poll(self, request: Request) -> Response:
        device_code = parse_pair_poll(await self._pairing_body(request)).device_code
        setup = self._setup
        answer = await self._store.run(lambda tx: grants.poll(tx, device_code, setup.clock.now(), setup.random))
        if isinstance(answer, Refusal):
            return bytes_response(dump_refusal(answer), 400)
        connection = answer.connection
        paired = Paired(answer.token, connection.id, connection.account.name, setup.discovery.app)
        if answer.first:
            await setup.announce(connection)
        return bytes_response(paired.dump())

    async def revoke(self, request: Request) -> Response:
        token = bearer(request)

        def work(tx: Tx) -> None:
            connection = _authorized(tx, token)
            connections.revoke(tx, connection.account, connection.id, self._setup.clock.now())

        await self._store.run(work)
        return Response(status_code=204)

    async def _pairing_body(self, request: Request) -> bytes:
        if not is_json(request):  # else a page of another site could send it with a plain form
            raise Refused(415, "not_json")
        return await read_body(request, PAIRING_BODY, self._setup.body_seconds)

    # doors

    async def register(self, request: Request) -> Response:
        token, asked = await self._asked(request, parse_register)
        setup = self._setup

        def work(tx: Tx) -> tuple[str, int] | None:
            connection = _authorized(tx, token)
            return sessions.register(tx, connection, asked, setup.hold, setup.clock.now(), setup.random)

        answer = await self._store.run(work)
        if answer is None:
            raise Refused(429, "too_many_sessions", TRY_AGAIN)
        id, cursor = answer
        return bytes_response(Registered(id, str(cursor)).dump())

    async def poll(self, request: Request) -> Response:
        token, asked = await self._asked(request, parse_poll)
        poll = codes.new_id(self._setup.random, "p")
        with self._store.bell.listen(f"session {asked.session_id}") as listener:
            found = await self._store.run(lambda tx: self._begin(tx, token, asked, poll))
            if found is None and self._setup.hold:
                found = await self._hold(listener, lambda tx, last: self._look(tx, token, asked, poll, last))
        return Response(status_code=204) if found is None else bytes_response(found.dump())

    async def _hold(
        self, listener: Listener, look: Callable[[Tx, bool], sessions.Found | None]
    ) -> sessions.Found | None:
        """Look at every ring, and once more when the time is up."""
        over = False

        def time_is_up() -> None:
            nonlocal over
            over = True
            listener.wake()

        timer = self._setup.clock.later(self._setup.hold, time_is_up)
        try:
            found = None
            while found is None and not over:
                await listener.rung()
                found = await self._store.run(lambda tx, last=over: look(tx, last))
            return found
        finally:
            timer.cancel()

    def _begin(self, tx: Tx, token: str, asked: Poll, poll: str) -> sessions.Found | None:
        self._own(tx, token, asked.session_id)
        if not sessions.begin_poll(tx, asked, poll, self._setup.clock.now()):
            raise Refused(410, "unknown_cursor")
        return self._messages(tx, asked.session_id, poll, last=not self._setup.hold)

    def _look(self, tx: Tx, token: str, asked: Poll, poll: str, last: bool) -> sessions.Found | None:
        _authorized(tx, token)
        tx.alone(f"session {asked.session_id}")
        if not sessions.is_held(tx, asked.session_id, poll):
            raise Refused(409, "superseded")
        return self._messages(tx, asked.session_id, poll, last)

    def _messages(self, tx: Tx, session: str, poll: str, last: bool) -> sessions.Found | None:
        found = sessions.waiting(tx, session)
        if found is not None or last:
            sessions.end_poll(tx, session, poll)
        return found

    async def events(self, request: Request) -> Response:
        token, batch = await self._asked(request, parse_batch)

        def work(tx: Tx) -> int | turns.Fault:
            self._own(tx, token, batch.session_id)
            return turns.take(tx, batch, self._setup.clock.now())

        answer = await self._store.run(work)
        if answer is turns.Fault.NOT_YOURS:
            raise Refused(400, "unknown_turn")
        if isinstance(answer, turns.Fault):
            raise Refused(413, "turn_too_large")
        return bytes_response(Taken(answer).dump())

    async def _asked(self, request: Request, parse: Callable[[bytes], T]) -> tuple[str, T]:
        """The token, and the body as it was meant. The token is looked at by the work itself, in its transaction, but
        whoever has none is told so, and not what is wrong with the body."""
        token = bearer(request)
        try:
            return token, parse(await read_body(request, DOOR_BODY, self._setup.body_seconds))
        except (ProtocolError, Refused):
            await self._store.run(lambda tx: _authorized(tx, token))
            raise

    def _own(self, tx: Tx, token: str, session: str) -> None:
        connection = _authorized(tx, token)
        if not sessions.belongs(tx, connection, session, self._setup.hold, self._setup.clock.now()):
            raise Refused(410, "unknown_session")


def _authorized(tx: Tx, token: str) -> Connection:
    connection = connections.of_token(tx, token)
    if connection is None:
        raise unauthorized()
    return connection


def refusal(problem: ProtocolError) -> Response:
    """A body that is not what the wire says; the field is named, its content is not."""
    return json_response({"error": "invalid_request", "error_description": str(problem)}, 400)
