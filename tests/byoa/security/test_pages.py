"""Attacks on the person and on the app: phishing, guessing, borrowed sessions, names that lead here by another's DNS."""

import asyncio
import json

import pytest
from tests.byoa.app.conftest import ADA, BOB, ORIGIN

from agent_connector.testing.byoa import FakeSession, pair_by_page
from agent_connector.testing.byoa.conformance.stage import CLIENT

SIGNED_IN = {"Remote-User": "ada"}


async def start(scene, address="127.0.0.1", **headers):
    page = await scene.browser("", address).send(
        "POST", f"{ORIGIN}/byoa/pair/start", CLIENT.dump(), {"Content-Type": "application/json", **headers}
    )
    return json.loads(page.text) if page.status == 200 else page.status


async def poll(scene, grant):
    page = await scene.post("/byoa/pair/poll", {"device_code": grant["device_code"]})
    return json.loads(page.text)


def test_attack_a_link_that_somebody_else_sends(play):
    """The victim is signed in and clicks; the letters stand in the attacker's terminal, and the page says whose it is."""

    async def story(scene):
        grant = await start(scene, "203.0.113.9", **{"X-Forwarded-For": "127.0.0.1"})
        victim = scene.browser("ada", "198.51.100.1")
        page = await victim.get(grant["verification_uri_complete"])
        assert "203.0.113.9" in page.text and CLIENT.machine_name in page.text and "198.51.100.1" not in page.text
        form = page.form("letters")
        assert form.fields["letters"] == "", "the letters are filled in already"
        for letters in ("", grant["user_code"][:4], "    "):
            answer = await victim.submit(page, form, {"letters": letters, "decision": "approve"})
            assert answer.status == 422
        assert await poll(scene, grant) == {"error": "authorization_pending"}
        assert await scene.byoa.connections_of(ADA) == []

    play(story)


@pytest.mark.parametrize("extra", ["&letters=%s&decision=approve", "&decision=approve", "#%s"])
def test_attack_a_link_that_would_approve_by_itself(play, extra):
    async def story(scene):
        grant = await start(scene)
        last = grant["user_code"][-4:]
        link = grant["verification_uri_complete"] + (extra % last if "%s" in extra else extra)
        page = await scene.browser().send("GET", link)
        assert f'value="{last}"' not in page.text
        assert await poll(scene, grant) == {"error": "authorization_pending"}

    play(story)


def test_attack_a_page_of_another_site_sends_the_form(play):
    """Neither a plain form nor a script there: without our mark, or with our mark and their origin."""

    async def story(scene):
        grant = await start(scene)
        page = await scene.browser().get(grant["verification_uri_complete"])
        form = page.form("letters")
        typed = {"letters": grant["user_code"][-4:], "decision": "approve"}
        elsewhere = {"Origin": "https://evil.example", "Sec_Fetch_Site": "cross-site"}
        assert (await scene.browser().submit(page, form, typed, **elsewhere)).status == 403
        assert (await scene.browser().submit(page, form, typed, Content_Type="text/plain")).status == 415
        form.fields.pop("mark")
        assert (await scene.browser().submit(page, form, typed)).status == 403
        assert await poll(scene, grant) == {"error": "authorization_pending"}

    play(story)


@pytest.mark.parametrize("until", ["", "x", "-1", "9" * 30, "١٢٣", "1.2.3"])
def test_attack_marks_that_are_none(play, until):
    async def story(scene):
        grant = await start(scene)
        page = await scene.browser().get(grant["verification_uri_complete"])
        form = page.form("letters")
        form.fields["mark"] = f"{until}.{'0' * 64}"
        answer = await scene.browser().submit(page, form, {"letters": grant["user_code"][-4:], "decision": "approve"})
        assert answer.status == 403

    play(story)


def test_attack_session_fixation_and_stolen_cookies(play):
    """Our pages set no cookie and take none for a token; what a thief of the app's cookie connects, its owner sees and ends."""

    async def story(scene):
        grant = await start(scene)
        thief = scene.browser("ada", "203.0.113.9")
        pages = [
            await thief.get(grant["verification_uri_complete"]),
            await thief.get("/byoa/connections"),
            await scene.browser("").send("GET", f"{ORIGIN}/byoa/pair"),
        ]
        assert not any("set-cookie" in page.headers for page in pages) and thief.cookies == {}
        await thief.submit(
            pages[0], pages[0].form("letters"), {"letters": grant["user_code"][-4:], "decision": "approve"}
        )
        token = (await poll(scene, grant))["token"]
        assert (await scene.post("/byoa/sessions", b"{}", token)).status == 400
        assert [one.account for one in scene.announced] == [ADA], "a new connection is announced"
        as_cookie = {"Cookie": f"token={token}; Authorization={token}", "Content-Type": "application/json"}
        assert (await scene.browser("").send("POST", f"{ORIGIN}/byoa/sessions", b"{}", as_cookie)).status == 401
        owner = scene.browser()
        page = await owner.get("/byoa/connections")
        form = page.form("revoke")
        await owner.submit(page, form, dict(form.buttons))
        assert (await scene.post("/byoa/sessions", b"{}", token)).status == 401

    play(story)


def test_attack_dns_rebinding(play):
    """A name of the attacker's that leads to this app: no page is shown at it, and nothing names it as our origin."""

    async def story(scene):
        scene.world.address = "127.0.0.1"
        for path in ("/byoa/pair", "/byoa/connections", "/byoa/byoa.css"):
            page = await scene.browser().send("GET", f"https://rebound.example{path}")
            assert page.status == 421
        named = {"Content-Type": "application/json"}
        page = await scene.browser().send("POST", "https://rebound.example/byoa/pair/start", CLIENT.dump(), named)
        assert "rebound.example" not in page.text
        discovery = await scene.browser().send("GET", "https://rebound.example/.well-known/byoa")
        assert "rebound.example" not in discovery.text and f"{ORIGIN}/byoa/pair/start" in discovery.text
        assert not any(name.startswith("access-control") for name in discovery.headers)
        trusted = {"X-Forwarded-Host": "notes.example"}
        page = await scene.browser().send("GET", "https://rebound.example/byoa/connections", b"", trusted)
        assert page.status == 421, "anybody may say for which host he asks"

    play(story)


def test_attack_guessing_from_many_addresses(play):
    """Headers that name another address do not give an attacker more pending grants or more guesses."""

    async def story(scene):
        found = [
            await start(scene, **{"X-Forwarded-For": f"192.0.2.{n}", "Forwarded": f"for=192.0.2.{n}"}) for n in range(7)
        ]
        assert [one for one in found if isinstance(one, int)] == [429, 429]
        guesses = [
            (
                await scene.browser().send(
                    "GET", f"{ORIGIN}/byoa/pair?code=ZZZ{letter}", b"", {"X-Forwarded-For": f"10.0.0.{n}"}
                )
            ).status
            for n, letter in enumerate("BCDFGHJKLMNP")
        ]
        assert guesses == [404] * 10 + [429] * 2

    play(story)


def test_attack_guessing_device_codes(play):
    """They have 256 bits; a guess tells nothing, costs the app one look, and changes nothing for who waits."""

    async def story(scene):
        grant = await start(scene)
        answers = {json.dumps(await poll(scene, {"device_code": f"{n:043d}"})) for n in range(200)}
        assert answers == {'{"error": "expired_token"}'}
        assert await poll(scene, grant) == {"error": "authorization_pending"}
        near = grant["device_code"][:-1]
        assert await poll(scene, {"device_code": near}) == {"error": "expired_token"}

    play(story)


def test_attack_a_code_used_by_two(play):
    """Of two pairers that hold one device code only the last token works, and after its first use no other is made."""

    async def story(scene):
        grant = await start(scene)
        page = await scene.browser().get(grant["verification_uri_complete"])
        await scene.browser().submit(
            page, page.form("letters"), {"letters": grant["user_code"][-4:], "decision": "approve"}
        )
        stolen, mine = (await poll(scene, grant))["token"], (await poll(scene, grant))["token"]
        assert (await scene.post("/byoa/sessions", b"{}", stolen)).status == 401
        assert (await scene.post("/byoa/sessions", b"{}", mine)).status == 400
        assert await poll(scene, grant) == {"error": "expired_token"}
        assert len(await scene.byoa.connections_of(ADA)) == 1

    play(story)


def test_attack_ids_of_another_connection(play):
    """Bob is paired too, and knows every id of Ada's: at no door and in no call of the app do they open anything."""

    async def story(scene):
        host, session = await scene.live()
        turn = await session.chat("a private question")
        await scene.world.until(lambda: host.prompts)
        grant = await start(scene)
        page = await scene.browser("bob").get(grant["verification_uri_complete"])
        await scene.browser("bob").submit(
            page, page.form("letters"), {"letters": grant["user_code"][-4:], "decision": "approve"}
        )
        token = (await poll(scene, grant))["token"]
        asked = {"session_id": session.id, "cursor": "0", "state": "idle"}
        assert (await scene.post("/byoa/sessions/poll", asked, token)).status == 410
        batch = {"session_id": session.id, "turn": turn.id, "seq": 0, "events": [{"type": "ended", "outcome": "done"}]}
        assert (await scene.post("/byoa/sessions/events", batch, token)).status == 410
        workspace = {"key": "k" * 43, "host": "h", "workspace": {}, "settings": [], "can": []}
        mine = json.loads(
            (await scene.post("/byoa/sessions", {"session": workspace, "holding": [turn.id]}, token)).text
        )
        batch["session_id"] = mine["session_id"]
        assert (await scene.post("/byoa/sessions/events", batch, token)).status == 400
        assert await scene.byoa.session(BOB, session.id) is None and await scene.byoa.turn(BOB, turn.id) is None
        assert not await scene.byoa.revoke(BOB, (await scene.byoa.connections_of(ADA))[0].id)
        host.answer("a private answer")
        await scene.world.settled()
        assert await turn.answer() == "a private answer"

    play(story)


def test_attack_a_flood_of_polls(play):
    """However often one session polls at once: one poll is held, all others are told so, and a message comes once."""

    async def story(scene):
        await pair_by_page(scene.world, headers=SIGNED_IN)
        await scene.world.attach(FakeSession())
        (session,) = await scene.byoa.sessions_of(ADA)
        body = {"session_id": session.id, "cursor": "0", "state": "idle"}
        flood = [asyncio.ensure_future(scene.post("/byoa/sessions/poll", body, scene.token)) for _ in range(200)]
        for _ in range(100):
            await asyncio.sleep(0)
        assert sum(not task.done() for task in flood) <= 1
        assert {task.result().status for task in flood if task.done()} == {409}
        for task in flood:
            task.cancel()
        await asyncio.gather(*flood, return_exceptions=True)

    play(story)


def test_attack_a_flood_of_events(play, monkeypatch):
    """A pairer that never stops talking fills a bounded part of the store, and is told to stop."""
    monkeypatch.setattr("agent_connector.byoa.app.turns.TURN_BYTES", 50_000)

    async def story(scene):
        _, session = await scene.live()
        turn = await session.chat("go on")
        events = [{"type": "delta", "text": "x" * 20}] * 500
        statuses = [
            (
                await scene.post(
                    "/byoa/sessions/events",
                    {"session_id": session.id, "turn": turn.id, "seq": seq, "events": events},
                    scene.token,
                )
            ).status
            for seq in range(6)
        ]
        assert statuses == [200, 200, 413, 413, 413, 413]
        many = [{"type": "delta", "text": ""}] * 1001
        batch = {"session_id": session.id, "turn": turn.id, "seq": 2, "events": many}
        assert (await scene.post("/byoa/sessions/events", batch, scene.token)).status == 400

    play(story)


def test_attack_names_that_a_pairer_sends(play):
    """Host, machine and title with markup, bidi and line breaks: refused, or shown as text."""

    async def story(scene):
        client = json.loads(CLIENT.dump())
        for name in ("a\u202eb", "a\nb", "a\x1b[2J", "a" * 201, "", " ", "\u200b"):
            client["client"]["machine_name"] = name
            assert (await scene.post("/byoa/pair/start", client)).status == 400
        client["client"]["machine_name"] = "{{7*7}}<script>alert(1)</script>'\""
        grant = json.loads((await scene.post("/byoa/pair/start", client)).text)
        page = await scene.browser().get(grant["verification_uri_complete"])
        assert "<script" not in page.text and "{{7*7}}" in page.text

    play(story)
