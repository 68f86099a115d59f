"""The doors as any program may knock at them: whose is whose, sizes, numbers, one poll at a time (section 5 of the wire)."""

import asyncio
import json

import pytest

from agent_connector.byoa import protocol as wire
from agent_connector.byoa.app import Account, Ended, Outcome, Reason
from agent_connector.byoa.core.effects import Request
from agent_connector.testing.byoa import http_over

ORIGIN = "https://notes.example"
ADA = Account("1", "Ada")
KEY = "A" * 43
SESSION = {"key": KEY, "host": "opencode", "workspace": {}, "settings": [], "can": []}


async def token_of(scene, person="ada"):
    """Pair with nothing but requests."""
    client = {"host": "opencode", "host_version": "1", "connector": "raw", "machine_name": "lab"}
    grant = json.loads((await scene.post("/byoa/pair/start", {"client": client})).text)
    browser = scene.browser(person)
    page = await browser.get(grant["verification_uri_complete"])
    answer = await browser.submit(
        page, page.form("letters"), {"letters": grant["user_code"][-4:], "decision": "approve"}
    )
    assert answer.status == 200
    paired = await scene.post("/byoa/pair/poll", {"device_code": grant["device_code"]})
    return json.loads(paired.text)["token"]


async def registered(scene, token, holding=(), **session):
    page = await scene.post("/byoa/sessions", {"session": {**SESSION, **session}, "holding": list(holding)}, token)
    assert page.status == 200, page.text
    answer = wire.parse_registered(page.text.encode())
    return answer.session_id, answer.cursor


async def poll(scene, token, session, cursor, state="idle"):
    page = await scene.post("/byoa/sessions/poll", {"session_id": session, "cursor": cursor, "state": state}, token)
    return page.status, wire.parse_messages(page.text.encode()) if page.status == 200 else None


async def tell(scene, token, session, turn, seq, *events):
    page = await scene.post(
        "/byoa/sessions/events", {"session_id": session, "turn": turn, "seq": seq, "events": list(events)}, token
    )
    return page.status, wire.parse_taken(page.text.encode()).next if page.status == 200 else None


STARTED, DONE = {"type": "started"}, {"type": "ended", "outcome": "done"}


def delta(text):
    return {"type": "delta", "text": text}


def test_nothing_opens_without_a_token(play):
    async def story(scene):
        for path in ("/byoa/sessions", "/byoa/sessions/poll", "/byoa/sessions/events", "/byoa/revoke"):
            for token in ("", "guessed-token-guessed-token"):
                page = await scene.post(path, {"session": SESSION, "holding": []}, token)
                assert (page.status, page.headers["www-authenticate"]) == (401, "Bearer")

    play(story)


def test_sessions_and_turns_of_others_are_out_of_reach(play):
    async def story(scene):
        ada, bob = await token_of(scene), await token_of(scene, "bob")
        session, _ = await registered(scene, ada)
        other, _ = await registered(scene, bob)
        assert session != other
        turn = await (await scene.byoa.session(ADA, session)).chat("for Ada")
        assert (await poll(scene, bob, session, "0"))[0] == 410
        assert (await tell(scene, bob, session, turn.id, 0, delta("forged")))[0] == 410
        assert (await tell(scene, bob, other, turn.id, 0, delta("forged")))[0] == 400
        assert (await tell(scene, ada, session, "m_unknown", 0, delta("?")))[0] == 400
        assert (await poll(scene, ada, "s_unknown", "0"))[0] == 410
        _, found = await poll(scene, ada, session, "0")
        assert [message.text for message in found.messages] == ["for Ada"]

    play(story)


def test_what_was_not_acknowledged_comes_again_and_the_rest_does_not(play):
    async def story(scene):
        token = await token_of(scene)
        session, cursor = await registered(scene, token)
        api = await scene.byoa.session(ADA, session)
        first = await api.chat("one")
        _, found = await poll(scene, token, session, cursor)
        again = await poll(scene, token, session, cursor)
        assert again == (200, found)
        second = await api.chat("two")
        assert await registered(scene, token) == (session, cursor)  # nothing was acknowledged
        _, rest = await poll(scene, token, session, found.cursor)
        assert [message.id for message in rest.messages] == [second.id]
        assert (await poll(scene, token, session, cursor))[0] == 200  # an older cursor takes nothing back
        assert await registered(scene, token, [first.id]) == (session, found.cursor)
        assert (await scene.byoa.turn(ADA, first.id)).outcome is None
        await registered(scene, token)
        assert (await scene.byoa.turn(ADA, first.id)).outcome is Outcome.ERROR
        assert (await scene.byoa.turn(ADA, second.id)).outcome is None  # never acknowledged: it still goes out

    play(story)


@pytest.mark.parametrize("cursor", ["7", "-1", "x", "", 7, "9" * 400])
def test_a_cursor_that_was_never_given_means_register_again(play, cursor):
    async def story(scene):
        token = await token_of(scene)
        session, _ = await registered(scene, token)
        assert (await poll(scene, token, session, cursor))[0] == 410

    play(story)


def test_the_newer_of_two_polls_goes_on(play):
    async def story(scene):
        token = await token_of(scene)
        session, _ = await registered(scene, token)
        older = asyncio.create_task(poll(scene, token, session, "0"))
        await scene.world.settled()
        newer = asyncio.create_task(poll(scene, token, session, "0"))
        await scene.world.settled()
        assert await older == (409, None) and not newer.done()
        await (await scene.byoa.session(ADA, session)).chat("hello")
        await scene.world.settled()
        assert (await newer)[0] == 200

    play(story)


def test_a_poll_is_held_for_as_long_as_discovery_says(play):
    async def story(scene):
        token = await token_of(scene)
        session, _ = await registered(scene, token)
        held = asyncio.create_task(poll(scene, token, session, "0", "blocked"))
        await scene.world.go(24)
        assert not held.done() and (await scene.byoa.session(ADA, session)).state == "blocked"
        await scene.world.go(1)
        assert await held == (204, None)

    play(story)


def test_a_batch_is_taken_once_and_nothing_after_the_end(play):
    async def story(scene):
        token = await token_of(scene)
        session, _ = await registered(scene, token)
        turn = await (await scene.byoa.session(ADA, session)).chat("go")
        await poll(scene, token, session, "0")
        assert await tell(scene, token, session, turn.id, 0, STARTED, delta("a")) == (200, 1)
        assert await tell(scene, token, session, turn.id, 0, delta("again")) == (200, 1)
        assert await tell(scene, token, session, turn.id, 1, delta("b"), DONE, delta("after the end")) == (200, 2)
        assert await tell(scene, token, session, turn.id, 2, delta("late"), {"type": "ended", "outcome": "error"}) == (
            200,
            3,
        )
        assert await turn.answer() == "ab"
        assert [event async for event in turn.events(after=3)] == [Ended(4, Outcome.DONE)]

    play(story)


def test_the_apps_own_end_stands(play):
    async def story(scene):
        token = await token_of(scene)
        session, _ = await registered(scene, token)
        turn = await (await scene.byoa.session(ADA, session)).chat("go")
        _, found = await poll(scene, token, session, "0")
        await registered(scene, token)
        held = asyncio.create_task(poll(scene, token, session, found.cursor))
        await scene.world.settled()
        await registered(scene, token)  # nobody holds the turn any more
        assert await tell(scene, token, session, turn.id, 0, STARTED, DONE) == (200, 1)
        assert [event async for event in turn] == [Ended(1, Outcome.ERROR, Reason.SESSION_CLOSED)]
        held.cancel()
        await asyncio.gather(held, return_exceptions=True)

    play(story)


def test_larger_bodies_are_refused_unread(play):
    async def story(scene):
        token = await token_of(scene)
        big = b'{"x":"' + b"x" * 70_000 + b'"}'
        assert (await scene.post("/byoa/pair/start", big)).status == 413
        assert (await scene.post("/byoa/pair/poll", big)).status == 413
        for path in ("/byoa/sessions", "/byoa/sessions/poll", "/byoa/sessions/events"):
            assert (await scene.post(path, b"x" * (1024 * 1024 + 1), token)).status == 413
        assert (await scene.post("/byoa/mcp", b"x" * (8 * 1024 * 1024 + 1), token)).status == 404  # it has none

    play(story)


@pytest.mark.parametrize("length", [b"65537", b"1" * 5000, b"-1", b"x"])
def test_a_body_that_says_it_is_too_large_is_not_read_at_all(play, length):
    async def story(scene):
        assert await trickle(scene, b"x", 1, (b"content-length", length)) == (413, 0)

    play(story)


def test_a_body_without_a_length_is_bounded_too(play):
    async def story(scene):
        status, read = await trickle(scene, b"x" * 10_000, 1000)
        assert status == 413 and read <= 8

    play(story)


def test_a_slow_body_is_given_up(play):
    async def story(scene):
        assert (await trickle(scene, b"", 1000))[0] == 408

    play(story, body_seconds=0.02)


async def trickle(scene, piece, count, *headers):
    """A body in pieces; an empty piece is one that does not come. Gives the status, and how many pieces were read."""
    read, status = 0, 0

    async def receive():
        nonlocal read
        if not piece:
            await asyncio.Event().wait()
        read += 1
        return {"type": "http.request", "body": piece, "more_body": read < count}

    async def send(message):
        nonlocal status
        status = message.get("status", status)

    scope = http_over(scene.byoa)._scope(Request(1, "POST", f"{ORIGIN}/byoa/pair/start", (), b"", 0))
    scope["headers"] = [(b"content-type", b"application/json"), (b"host", b"notes.example"), *headers]
    await scene.byoa(scope, receive, send)
    return status, read


@pytest.mark.parametrize("body", [b"", b"[]", b"{", b'{"client":{}}', b"\xff", b'{"client":{"host":"a\\u202eb"}}'])
def test_bad_bodies_are_refused_and_not_repeated(play, body):
    async def story(scene):
        page = await scene.post("/byoa/pair/start", body)
        assert page.status == 400 and json.loads(page.text)["error"] == "invalid_request"
        assert "\u202e" not in page.text

    play(story)


def test_a_form_of_another_site_starts_no_pairing(play):
    async def story(scene):
        client = {"host": "opencode", "host_version": "1", "connector": "raw", "machine_name": "lab"}
        page = await scene.post("/byoa/pair/start", {"client": client}, Content_Type="text/plain")
        assert page.status == 415

    play(story)


def test_a_turn_is_bounded(play, monkeypatch):
    monkeypatch.setattr("agent_connector.byoa.app.turns.TURN_BYTES", 3000)

    async def story(scene):
        token = await token_of(scene)
        session, _ = await registered(scene, token)
        turn = await (await scene.byoa.session(ADA, session)).chat("go")
        await poll(scene, token, session, "0")
        assert await tell(scene, token, session, turn.id, 0, delta("x" * 2000)) == (200, 1)
        assert (await tell(scene, token, session, turn.id, 1, delta("x" * 2000)))[0] == 413
        assert await tell(scene, token, session, turn.id, 1, {"type": "ended", "outcome": "error"}) == (200, 2)
        assert await turn.answer() == "x" * 2000

    play(story)


def test_a_connection_makes_no_endless_sessions(play, monkeypatch):
    monkeypatch.setattr("agent_connector.byoa.app.sessions.NEW_A_DAY", 3)

    async def story(scene):
        token = await token_of(scene)
        for letter in "BCD":
            await registered(scene, token, key=letter * 43)
        page = await scene.post("/byoa/sessions", {"session": {**SESSION, "key": "E" * 43}, "holding": []}, token)
        assert page.status == 429 and int(page.headers["retry-after"]) > 0
        await registered(scene, token, key="B" * 43)

    play(story)


def test_discovery_is_what_a_pairer_can_read(play):
    async def story(scene):
        page = await scene.browser("").get("/.well-known/byoa")
        found = wire.parse_discovery(page.text.encode(), wire.parse_origin(ORIGIN))
        assert (found.app, found.hold, found.endpoints.mcp) == (wire.App("notes", "Notes"), 25, None)
        assert found.endpoints.poll == f"{ORIGIN}/byoa/sessions/poll"

    play(story)


def test_other_paths_and_methods(play):
    async def story(scene):
        browser = scene.browser()
        assert (await browser.get("/byoa/nothing")).status == 404
        wrong = await browser.get("/byoa/pair/start")
        assert (wrong.status, wrong.headers["allow"]) == (405, "POST")

    play(story)
