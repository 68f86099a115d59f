"""The device grant and its page: what protects a person who is sent a link by somebody else (section 3 of the wire)."""

import asyncio
import json
import re

import pytest

from agent_connector.byoa.app import Account
from agent_connector.testing.byoa import pair_by_page
from agent_connector.testing.byoa.pages import invite

ORIGIN = "https://notes.example"
ADA, BOB = Account("1", "Ada"), Account("2", "Bob")
SIGNED_IN = {"Remote-User": "ada"}
CLIENT = {"host": "opencode", "host_version": "1.2", "connector": "raw 1", "machine_name": "ada-laptop"}


async def start(scene, **client):
    page = await scene.post("/byoa/pair/start", {"client": {**CLIENT, **client}})
    assert page.status == 200, page.text
    return json.loads(page.text)


async def ask(scene, grant):
    """What the pairer is told: the error word, or the token."""
    page = await scene.post("/byoa/pair/poll", {"device_code": grant["device_code"]})
    answer = json.loads(page.text)
    return answer["token"] if page.status == 200 else answer["error"]


async def decide(scene, grant, letters=None, decision="approve", person="ada", **headers):
    browser = scene.browser(person)
    page = await browser.get(grant["verification_uri_complete"])
    typed = {"letters": grant["user_code"][-4:] if letters is None else letters, "decision": decision}
    return await browser.submit(page, page.form("letters"), typed, **headers)


async def works(scene, token):
    return (await scene.post("/byoa/sessions", b"{}", token)).status == 400  # 401 for a token that does not


def test_the_page_shows_who_asks_and_never_the_code(play):
    async def story(scene):
        scene.world.address = "192.0.2.7"
        page = await pair_by_page(scene.world, headers=SIGNED_IN)
        for shown in ("fake-host 1.0", "test machine", "192.0.2.7", "UTC", "less than a minute ago", "Ada", ORIGIN):
            assert shown in page.text
        text = "\n".join(said.text for said in next(iter(scene.world.said.values())))
        code = re.search(r"code  ([A-Z]{4}-[A-Z]{4})", text)[1]
        assert code[-4:] not in page.text and code[:4] not in page.text
        assert "paired with Notes (https://notes.example) as Ada" in text
        (connection,) = await scene.byoa.connections_of(ADA)
        assert (connection.machine, connection.address, connection.new) == ("test machine", "192.0.2.7", True)
        assert scene.announced == [connection]

    play(story)


def test_the_page_cannot_be_framed_and_runs_nothing(play):
    async def story(scene):
        grant = await start(scene)
        page = await scene.browser().get(grant["verification_uri_complete"])
        policy = page.headers["content-security-policy"]
        assert "default-src 'none'" in policy and "frame-ancestors 'none'" in policy and "script" not in policy
        assert page.headers["x-frame-options"] == "DENY" and page.headers["x-content-type-options"] == "nosniff"
        assert page.headers["referrer-policy"] == "same-origin" and page.headers["cache-control"] == "no-store"
        assert "<script" not in page.text and "style=" not in page.text
        style = await scene.browser("").get("/byoa/byoa.css")
        assert style.headers["content-type"].startswith("text/css") and "prefers-color-scheme" in style.text

    play(story)


def test_names_of_the_other_side_are_text(play):
    async def story(scene):
        grant = await start(scene, machine_name="<b onclick=x>'\"&amp;")
        page = await scene.browser().get(grant["verification_uri_complete"])
        assert "<b " not in page.text and "&lt;b onclick=x&gt;" in page.text

    play(story)


def test_case_and_dashes_do_not_count_but_letters_do(play):
    async def story(scene):
        grant = await start(scene)
        wrong = await decide(scene, grant, "BBBB")
        assert wrong.status == 422 and 'role="alert"' in wrong.text and grant["user_code"][-4:] not in wrong.text
        assert await ask(scene, grant) == "authorization_pending"
        right = await decide(scene, grant, f" -{grant['user_code'][-4:].lower()} ")
        assert right.status == 200 and await works(scene, await ask(scene, grant))

    play(story)


def test_without_a_click_on_connect_nothing_is_connected(play):
    async def story(scene):
        for decision in ("deny", "", "yes"):
            grant = await start(scene)
            await decide(scene, grant, decision=decision)
            assert await ask(scene, grant) == "access_denied"
        await pair_by_page(scene.world, headers=SIGNED_IN, approve=False)
        assert await scene.byoa.connections_of(ADA) == []

    play(story)


def test_a_plain_link_asks_for_the_first_half(play):
    async def story(scene):
        grant = await start(scene)
        browser = scene.browser()
        page = await browser.get(grant["verification_uri"])
        assert "first four" in page.text and "ada-laptop" not in page.text
        page = await browser.submit(page, page.form("code"), {"code": grant["user_code"][:4].lower()})
        assert "ada-laptop" in page.text
        page = await browser.get("/byoa/pair?code=ZZZZ")
        assert page.status == 404 and "No agent waits" in page.text

    play(story)


def test_nobody_who_is_not_signed_in_sees_or_decides(play):
    async def story(scene):
        grant = await start(scene)
        page = await scene.browser("").get(grant["verification_uri_complete"])
        assert page.status == 401 and "ada-laptop" not in page.text
        ours = await scene.browser().get(grant["verification_uri_complete"])
        typed = {"letters": grant["user_code"][-4:], "decision": "approve"}
        assert (await scene.browser("").submit(ours, ours.form("letters"), typed)).status == 401
        assert await ask(scene, grant) == "authorization_pending"
        assert (await scene.browser("").get("/byoa/connections")).status == 401

    play(story)


def test_the_way_to_the_sign_in_page_keeps_the_first_half_only(play):
    async def story(scene):
        page = await scene.browser("").send("GET", f"{ORIGIN}/byoa/pair?code=bcdf-ghjk&next=//evil.example")
        assert (page.status, page.headers["location"]) == (303, "/login?next=%2Fbyoa%2Fpair%3Fcode%3DBCDF")

    play(story, sign_in="/login")


def test_a_form_made_for_another_is_worth_nothing(play):
    async def story(scene):
        grant = await start(scene)
        typed = {"letters": grant["user_code"][-4:], "decision": "approve"}
        hers = await scene.browser("bob").get(grant["verification_uri_complete"])
        for page in (hers, await scene.browser().get("/byoa/connections")):
            form = hers.form("letters")
            form.fields["mark"] = page.forms[0].fields["mark"] if page.forms else ""
            assert (await scene.browser().submit(hers, form, typed)).status == 403
        ours = await scene.browser().get(grant["verification_uri_complete"])
        for headers in ({"Origin": "https://evil.example"}, {"Origin": "null"}, {"Sec_Fetch_Site": "cross-site"}):
            assert (await scene.browser().submit(ours, ours.form("letters"), typed, **headers)).status == 403
        scene.clock.source.advance(3601)
        assert (await scene.browser().submit(ours, ours.form("letters"), typed)).status == 403

    play(story)


def test_a_page_at_another_name_is_not_shown(play):
    async def story(scene):
        for host in ("evil.example", "notes.example:444", "notes.example.evil.example"):
            page = await scene.browser().send("GET", f"https://{host}/byoa/connections")
            assert page.status == 421 and "Ada" not in page.text

    play(story)


def test_an_account_decides_only_the_one_it_opened_last(play):
    async def story(scene):
        first, second = await start(scene), await start(scene)
        browser = scene.browser()
        old = await browser.get(first["verification_uri_complete"])
        await browser.get(second["verification_uri_complete"])
        await scene.browser("bob").get(first["verification_uri_complete"])  # open, but not for Ada
        typed = {"letters": first["user_code"][-4:], "decision": "approve"}
        assert (await browser.submit(old, old.form("letters"), typed)).status == 410
        assert await ask(scene, first) == "authorization_pending"
        await scene.browser("bob").get(second["verification_uri_complete"])  # another account takes nothing away
        page = await decide(scene, second)
        assert page.status == 200

    play(story)


def test_an_address_has_five_waiting_and_a_network_counts_as_one(play):
    async def story(scene):
        client = json.dumps({"client": CLIENT}).encode()
        sent = {"Content-Type": "application/json"}

        async def from_address(address):
            return (await scene.browser("", address).send("POST", f"{ORIGIN}/byoa/pair/start", client, sent)).status

        assert [await from_address("192.0.2.1") for _ in range(6)] == [200] * 5 + [429]
        assert await from_address("192.0.2.2") == 200
        assert [await from_address(f"2001:db8::{n}") for n in range(1, 7)] == [200] * 5 + [429]
        assert await from_address("::ffff:192.0.2.1") == 429
        scene.clock.source.advance(601)
        assert await from_address("192.0.2.1") == 200

    play(story)


def test_guesses_are_limited_by_grant_account_and_address(play, monkeypatch):
    monkeypatch.setattr("agent_connector.byoa.app.grants.GUESSES_OF_ADDRESS", 12)

    async def story(scene):
        grant = await start(scene)
        statuses = [(await decide(scene, grant, "BBBB")).status for _ in range(5)]
        assert statuses == [422] * 4 + [200]  # refused for good
        assert await ask(scene, grant) == "access_denied"
        browser = scene.browser()
        assert [(await browser.get("/byoa/pair?code=ZZZZ")).status for _ in range(6)] == [404] * 5 + [429]
        good = await start(scene)
        assert (await browser.get(good["verification_uri_complete"])).status == 429
        # another account at the same address still has a few
        bob = scene.browser("bob")
        assert [(await bob.get("/byoa/pair?code=ZZZZ")).status for _ in range(3)] == [404, 404, 429]
        scene.clock.source.advance(901)
        fresh = await start(scene)
        assert (await decide(scene, fresh)).status == 200

    play(story)


def test_an_account_out_of_guesses_cannot_connect_even_with_the_right_letters(play):
    async def story(scene):
        for wrong in (4, 4, 2):
            grant = await start(scene)
            assert [(await decide(scene, grant, "BBBB")).status for _ in range(wrong - 1)] == [422] * (wrong - 1)
            browser = scene.browser()
            page = await browser.get(grant["verification_uri_complete"])
            await browser.submit(page, page.form("letters"), {"letters": "BBBB", "decision": "approve"})
        typed = {"letters": grant["user_code"][-4:], "decision": "approve"}
        answer = await browser.submit(page, page.form("letters"), typed)
        assert answer.status == 429 and "too many wrong codes" in answer.text
        assert await ask(scene, grant) == "authorization_pending"

    play(story)


def test_a_grant_runs_out(play):
    async def story(scene):
        grant = await start(scene)
        browser = scene.browser()
        page = await browser.get(grant["verification_uri_complete"])
        scene.clock.source.advance(601)
        assert await ask(scene, grant) == "expired_token"
        typed = {"letters": grant["user_code"][-4:], "decision": "approve"}
        assert (await browser.submit(page, page.form("letters"), typed)).status == 410
        assert (await browser.get(grant["verification_uri_complete"])).status == 404
        assert await ask(scene, {"device_code": "never-given"}) == "expired_token"

    play(story)


def test_who_asks_too_often_is_slowed_down(play):
    async def story(scene):
        grant = await start(scene)
        said = []
        for seconds in (0, 5, 1, 10, 5, 15):
            scene.clock.source.advance(seconds)
            said.append(await ask(scene, grant))
        pending, slow = "authorization_pending", "slow_down"
        assert said == [pending, pending, slow, pending, slow, pending]

    play(story)


def test_a_lost_token_is_made_again_until_one_is_used(play):
    async def story(scene):
        grant = await start(scene)
        await decide(scene, grant)
        first, second = await ask(scene, grant), await ask(scene, grant)
        assert first != second and not await works(scene, first)
        assert await works(scene, second)
        assert await ask(scene, grant) == "expired_token" and await works(scene, second)
        assert len(scene.announced) == len(await scene.byoa.connections_of(ADA)) == 1

    play(story)


def test_the_pairer_survives_lost_answers_while_pairing(play):
    async def story(scene):
        seen = []

        def lose(request):
            seen.append(request.url)
            return request.url.endswith("/pair/poll") and seen.count(request.url) in (1, 3)

        scene.world.lose_answer = lose
        invitation = await invite(scene.world)
        browser = scene.browser()
        page = await browser.get(invitation.link)
        await browser.submit(page, page.form("letters"), {"letters": invitation.code[-4:], "decision": "approve"})
        await scene.world.until(lambda: scene.world.said[invitation.command][-1].done)
        await scene.world.attach()
        assert len(await scene.byoa.sessions_of(ADA)) == 1

    play(story)


def test_a_code_approved_twice_is_used_once(play):
    async def story(scene):
        grant = await start(scene)
        browser = scene.browser()
        page = await browser.get(grant["verification_uri_complete"])
        typed = {"letters": grant["user_code"][-4:], "decision": "approve"}
        both = await asyncio.gather(*(browser.submit(page, page.form("letters"), typed) for _ in range(2)))
        assert sorted(answer.status for answer in both) == [200, 410]

    play(story)


def test_the_list_shows_what_is_new_and_ends_what_is_not_wanted(play):
    async def story(scene):
        await pair_by_page(scene.world, headers=SIGNED_IN)
        token = scene.token
        browser = scene.browser()
        page = await browser.get("/byoa/connections")
        assert "fake-host 1.0 on test machine" in page.text and "was connected to your account" in page.text
        page = await browser.submit(page, page.form("seen"), {"seen": "1"})
        assert page.status == 200 and "was connected to your account" not in page.text
        other = await scene.browser("bob").get("/byoa/connections")
        assert "fake-host" not in other.text
        form = page.form("revoke")
        assert (await scene.browser("bob").submit(page, form, dict(form.buttons))).status == 403
        page = await browser.submit(page, form, dict(form.buttons))
        assert page.status == 200 and "None." in page.text
        assert not await works(scene, token)

    play(story)


@pytest.mark.parametrize("table", ["byoa_grants", "byoa_connections"])
def test_secrets_are_kept_as_hashes(play, table):
    async def story(scene):
        grant = await start(scene)
        await decide(scene, grant)
        token = await ask(scene, grant)
        rows = await scene.store.run(lambda tx: tx.rows(f"SELECT * FROM {table}"))  # noqa: S608
        kept = " ".join(str(value) for row in rows for value in row)
        for secret in (token, grant["device_code"], grant["user_code"][-4:], grant["user_code"]):
            assert secret not in kept
        assert len(token) >= 43 and len(grant["device_code"]) >= 22

    play(story)


def test_nothing_secret_is_logged(play, caplog):
    caplog.set_level(0)

    async def story(scene):
        host, session = await scene.live()
        await session.chat("a private question")
        await scene.world.until(lambda: host.prompts)
        assert scene.token not in caplog.text and "private" not in caplog.text

    play(story)
