"""Coming and going: who may look, what a login gives, and that a form comes from our own pages."""

from collections.abc import Callable
from typing import Any

import pytest
from tests.board.site import Site

from agent_connector.board import page, page_do, sessions, tasks, users
from agent_connector.board.store import Store
from agent_connector.testing.board_stage import PASSWORD, hashed

ADA = "ada@example.com"
PLACES = [place.replace("{id:path}", "x").replace("{id}", "x") for place in page.ADDRESSES]
FORMS = [*(f"/do/{name}" for name in page_do.ACTIONS), "/do/mint", "/do/password", "/do/add-person", "/logout"]


def test_nobody_looks_without_a_login(at_site: Callable[..., None], visitor: Any) -> None:
    async def work(site: Site) -> None:
        async with visitor(site) as nobody:
            for place in PLACES:
                answer = await nobody.http.get(place)
                assert answer.status_code == 303 and answer.headers["location"].startswith("/login"), place
            for place in ("/changes", "/runs/x/events"):
                assert (await nobody.http.get(place)).status_code == 401
            for place in FORMS:
                assert (await nobody.http.post(place, data={"csrf": ""})).status_code == 401, place

    at_site(work)


def test_a_login_goes_on_to_where_one_wanted_and_nowhere_else(store: Store, at_site: Callable[..., None], visitor: Any):
    store.write(users.add, ADA, hashed())

    async def work(site: Site) -> None:
        for wanted, goes in (
            ("/login?next=%2Fruns%2Fabc%3Fafter%3D5", "/runs/abc?after=5"),
            ("/login?next=https%3A%2F%2Fevil.example%2F", "/"),
            ("/login?next=%2F%2Fevil.example", "/"),
            ("/login?next=%2F%5Cevil.example", "/"),
            ("/login?next=javascript%3Aalert(1)", "/"),
            ("/login", "/"),
        ):
            async with visitor(site) as ada:
                answer = await ada.log_in(ADA, place=wanted)
                assert (answer.status_code, answer.headers["location"]) == (303, goes), wanted

    at_site(work)


def test_the_cookie_is_for_this_board_alone(store: Store, at_site: Callable[..., None], visitor: Any) -> None:
    store.write(users.add, ADA, hashed())

    async def work(site: Site) -> None:
        for address, name, secure in (
            ("http://127.0.0.1:8700", "board-session-8700", False),
            ("https://127.0.0.1", "__Host-board-session", True),
        ):
            async with visitor(site, address=address) as ada:
                cookie = (await ada.log_in(ADA)).headers["set-cookie"]
                parts = cookie.lower().split("; ")
                assert cookie.startswith(f"{name}=")
                assert {"httponly", "samesite=lax", "path=/"} < set(parts)
                assert ("secure" in parts) is secure
                assert not any(part.startswith("domain") for part in parts)

    at_site(work)


def test_a_wrong_password_says_no_more_than_that(store: Store, at_site: Callable[..., None], visitor: Any) -> None:
    store.write(users.add, ADA, hashed())

    async def work(site: Site) -> None:
        async with visitor(site) as somebody:
            known = await somebody.log_in(ADA, "a wrong password")
            unknown = await somebody.log_in("eve@example.com", "a wrong password")
            assert known.status_code == unknown.status_code == 401
            assert 'role="alert"' in known.text and ADA in known.text and "a wrong password" not in known.text
            assert known.text.replace(ADA, "") == unknown.text.replace("eve@example.com", "")
            for _ in range(4):
                last = await somebody.log_in(ADA, "a wrong password")
            assert last.status_code == 429 and int(last.headers["retry-after"]) > 0

    at_site(work)


def test_logging_out_ends_it_everywhere_the_cookie_went(at_page: Callable[..., None]) -> None:
    async def work(owner: Any, member: Any) -> None:
        cookies = dict(owner.http.cookies)
        assert (await owner.send("/logout", {})).headers["location"] == "/login"
        owner.http.cookies.update(cookies)  # as somebody does who kept it
        assert (await owner.http.get("/")).headers["location"] == "/login"

    at_page(work)


def test_no_form_is_taken_without_its_token(at_page: Callable[..., None], store: Store) -> None:
    before = store.write(tasks.add, title="Mend the gate", by="x@example.com")

    async def work(owner: Any, member: Any) -> None:
        other = (await member.get("/new")).split('name="csrf" value="')[1].split('"')[0]
        fields = {"task": before.id, "title": "x", "body": "x", "status": "done", "name": "x", "path": "x"}
        for place in FORMS:
            for token in ({}, {"csrf": ""}, {"csrf": other}):
                answer = await owner.http.post(place, data={**fields, **token})
                assert answer.status_code == 403, (place, token)
        json = await owner.http.post("/do/move", json={"csrf": other})
        assert json.status_code == 415
        assert (await owner.get("/keys")).count("mcp_") == 0

    at_page(work)
    assert store.read(tasks.get, before.id) == before


@pytest.mark.parametrize("place", ["/login", "/setup"])
def test_a_strangers_form_needs_the_cookie_it_came_with(place: str, store: Store, at_site: Any, visitor: Any) -> None:
    link = store.write(sessions.setup_link)
    fields = {"token": link or "", "email": ADA, "password": PASSWORD}

    async def work(site: Site) -> None:
        async with visitor(site) as eve:
            for csrf in ("", "guessed"):
                assert (await eve.http.post(place, data={**fields, "csrf": csrf})).status_code == 403
            await eve.get(place)
            assert (await eve.http.post(place, data={**fields, "csrf": "guessed"})).status_code == 403

    at_site(work)
    assert store.read(users.count) == 0


def test_the_link_of_the_first_start_makes_the_owner_once(store: Store, at_site: Any, visitor: Any, seen: Any) -> None:
    link = store.write(sessions.setup_link)

    async def work(site: Site) -> None:
        async with visitor(site) as ada:
            assert "no owner yet" in await ada.get("/login")
            form = seen(await ada.get(f"/setup?token={link}")).forms[0][1]
            short = await ada.http.post("/setup", data={**form, "email": ADA, "password": "short"})
            assert short.status_code == 400 and "10 to 1000 characters" in short.text and ADA in short.text
            made = await ada.http.post("/setup", data={**form, "email": ADA, "password": PASSWORD})
            assert (made.status_code, made.headers["location"]) == (303, "/")
            assert ADA in await ada.get("/people")
            again = await ada.http.post("/setup", data={**form, "email": "eve@example.com", "password": PASSWORD})
            assert again.status_code == 403

    at_site(work)
    assert [user.owner for user in store.read(users.everyone)] == [True]


def test_a_new_password_ends_the_other_sessions(at_page: Callable[..., None]) -> None:
    async def work(owner: Any, member: Any) -> None:
        old = dict(member.http.cookies)
        wrong = await member.send("/do/password", {"old": "not it at all", "new": "another password"})
        assert wrong.status_code == 401 and "The old password is another one" in wrong.text
        right = await member.send("/do/password", {"old": PASSWORD, "new": "another password"})
        assert right.headers["location"] == "/keys"
        await member.get("/keys")
        member.http.cookies.clear()
        member.http.cookies.update(old)
        await member.get("/keys", 303)
        member.http.cookies.clear()
        assert (await member.log_in("bob@example.com", "another password")).status_code == 303

    at_page(work)
