"""What strangers, floods and guesses meet. Each limit of the board, at its door."""

import asyncio
import logging
from collections.abc import Callable
from typing import Any
from unittest.mock import patch

import httpx2
import jwt
import pytest
from tests.board.site import Site, site_of

from agent_connector.board import doors, guard, keys, logins, sessions, users
from agent_connector.board.app import Rates
from agent_connector.board.limits import Buckets
from agent_connector.board.store import Store
from agent_connector.testing.board_stage import ADDRESS, FREE, PASSWORD, Clock, hashed

Run = Callable[..., None]
GOOD = {"email": "worker@example.com", "password": PASSWORD}
BAD = {**GOOD, "password": "not the password"}


# Names and origins.


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "evil.example:8700", "", "[::2]:8700"])
@pytest.mark.parametrize("path", ["/mcp", "/api/login", "/api/mcp-key"])
def test_a_name_that_is_not_ours_reaches_nothing(host: str, path: str, key: str, at_site: Run):
    async def work(site: Site) -> None:
        answer = await site.http.post(path, json={}, headers={"host": host, "x-api-key": key})
        assert (answer.status_code, answer.json()) == (421, {"error": "unknown_host"})

    at_site(work)


def test_a_name_that_was_allowed_is_ours(key: str, at_site: Run):
    async def work(site: Site) -> None:
        for host in ("board.example", "board.example:443", "BOARD.example", "localhost:1", "[::1]:8700"):
            assert (await site.http.get("/api/mcp-key", headers={"host": host})).status_code == 401

    at_site(work, allow_hosts=["Board.example"])


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "http://127.0.0.1:9", "http://localhost:8700", "null", "http://127.0.0.1"]
)
def test_a_page_of_another_origin_may_not_ask(origin: str, key: str, at_site: Run):
    async def work(site: Site) -> None:
        answer = await site.http.post("/mcp", json={}, headers={"origin": origin, "x-api-key": key})
        assert (answer.status_code, answer.json()) == (403, {"error": "foreign_origin"})
        ours = await site.http.post("/api/login", json=GOOD, headers={"origin": ADDRESS})
        assert ours.status_code == 200

    at_site(work)


# Sizes and times.


def test_a_body_that_says_it_is_too_large_is_not_read(store: Store):
    sent: list[Any] = []

    async def work() -> None:
        async with site_of(store) as site:
            headers = [(b"host", b"localhost"), (b"content-length", str(guard.MOST_BODY + 1).encode())]
            scope = {"type": "http", "path": "/mcp", "method": "POST", "headers": headers}

            async def receive() -> Any:
                raise AssertionError("it was read")

            async def send(message: Any) -> None:
                sent.append(message)

            await site.app(scope, receive, send)

    asyncio.run(work())
    assert sent[0]["status"] == 413


def test_a_body_that_becomes_too_large_is_refused(key: str, at_site: Run):
    async def work(site: Site) -> None:
        async def untold() -> Any:
            for _ in range(guard.MOST_BODY // 100_000 + 2):
                yield b"x" * 100_000

        assert (await site.http.post("/nowhere", content=untold())).status_code == 413
        small = await site.http.post("/api/login", json={**GOOD, "more": "x" * doors.MOST})
        assert small.status_code == 413

    at_site(work)


def test_a_body_that_never_ends_is_given_up(store: Store):
    sent: list[Any] = []

    async def work() -> None:
        async with site_of(store) as site:
            scope = {"type": "http", "path": "/api/login", "method": "POST", "headers": [(b"host", b"localhost")]}

            async def receive() -> Any:
                await asyncio.sleep(3600)

            async def send(message: Any) -> None:
                sent.append(message)

            with patch.object(guard, "BODY_SECONDS", 0.05):
                await site.app(scope, receive, send)

    asyncio.run(work())
    assert sent[0]["status"] == 408


def test_the_api_takes_json_alone(at_site: Run):
    async def work(site: Site) -> None:
        form = await site.http.post("/api/login", data=GOOD)
        assert form.status_code == 415, "a form of another site can send that"
        for body in (b"{", b"[]", b"1", b'{"email": 1, "password": "x"}', b"[" * 10_000):
            answer = await site.http.post("/api/login", content=body, headers={"content-type": "application/json"})
            assert answer.status_code == 400

    at_site(work)


# Keys.


def test_mcp_wants_a_key_that_works(store: Store, key: str, at_site: Run):
    wrong = key[:-1] + ("a" if key[-1] != "a" else "b")

    async def work(site: Site) -> None:
        assert (await site.tool(key, "ping")).status_code == 200
        bearer = await site.http.post("/mcp", json={}, headers={"authorization": f"Bearer {key}"})
        assert bearer.status_code != 401
        for bad in ("", wrong, key + "x", "mcp_", "nonsense", "é" * 50):
            answer = await site.http.post("/mcp", json={}, headers={"x-api-key": bad.encode()})
            assert (answer.status_code, answer.json()) == (401, {"error": "unauthorized"})
            assert answer.headers["www-authenticate"].startswith("Bearer")
        await store.writing(keys.revoke, key.split("_")[1])
        assert (await site.tool(key, "ping")).status_code == 401

    at_site(work)


def test_a_key_is_limited_and_told_when_to_come_again(store: Store, key: str, at_site: Run):
    other = store.write(lambda tx: keys.mint(tx, users.named(tx, "worker@example.com").id))

    async def work(site: Site) -> None:
        answers = [await site.tool(key, "ping") for _ in range(5)]
        assert [answer.status_code for answer in answers] == [200, 200, 200, 429, 429]
        assert int(answers[-1].headers["retry-after"]) >= 1
        assert (await site.tool(other, "ping")).status_code == 200, "another key is another bucket"

    at_site(work, rates=Rates(key=(0.1, 3), address=FREE.address, stranger=FREE.stranger))


def test_who_guesses_keys_is_slowed_down(key: str, at_site: Run):
    async def work(site: Site) -> None:
        answers = [await site.tool("mcp_aaaaaaaa_" + "b" * 40, "ping") for _ in range(5)]
        assert [answer.status_code for answer in answers] == [401, 401, 401, 429, 429]
        assert int(answers[-1].headers["retry-after"]) >= 1

    at_site(work, rates=Rates(key=FREE.key, address=FREE.address, stranger=(0.1, 3)))


def test_an_address_is_limited_at_the_api(at_site: Run):
    async def work(site: Site) -> None:
        codes = [(await site.http.get("/api/mcp-key")).status_code for _ in range(4)]
        assert codes == [401, 401, 429, 429]
        assert (await site.http.get("/healthz")).status_code == 200

    at_site(work, rates=Rates(key=FREE.key, address=(0.1, 2), stranger=FREE.stranger))


def test_a_bucket_fills_with_time_and_forgets_the_oldest_name():
    now = [0.0]
    buckets = Buckets(2, 4, lambda: now[0])
    for _ in range(4):
        buckets.take("a")
    with pytest.raises(guard.Refused):
        buckets.take("a")
    now[0] = 0.5
    buckets.take("a")
    with pytest.raises(guard.Refused):
        buckets.take("a")
    for number in range(10_001):
        buckets.take(str(number))
    buckets.take("a")  # forgotten: memory is bounded


# Logins.


def test_a_login_mints_a_key_and_a_wrong_one_says_nothing(store: Store, key: str, at_site: Run):
    async def work(site: Site) -> None:
        login = await site.http.post("/api/login", json={**GOOD, "email": "Worker@Example.com "})
        bearer = {"authorization": f"Bearer {login.json()['token']}"}
        minted = (await site.http.post("/api/mcp-key", headers=bearer)).json()["key"]
        assert (await site.tool(minted, "ping")).status_code == 200
        listed = (await site.http.get("/api/mcp-key", headers=bearer)).json()["keys"]
        assert {one["prefix"] for one in listed} == {key.split("_")[1], minted.split("_")[1]}
        assert minted.split("_")[2] not in str(listed)
        gone = await site.http.delete(f"/api/mcp-key/{minted.split('_')[1]}", headers=bearer)
        assert gone.status_code == 200
        assert (await site.tool(minted, "ping")).status_code == 401
        wrong = await site.http.post("/api/login", json=BAD)
        unknown = await site.http.post("/api/login", json={**BAD, "email": "nobody@example.com"})
        assert (wrong.status_code, wrong.content) == (unknown.status_code, unknown.content)
        assert wrong.status_code == 401

    at_site(work)


def test_somebody_else_s_key_cannot_be_revoked(store: Store, key: str, at_site: Run):
    store.write(users.add, "other@example.com", hashed())

    async def work(site: Site) -> None:
        login = await site.http.post("/api/login", json={"email": "other@example.com", "password": PASSWORD})
        bearer = {"authorization": f"Bearer {login.json()['token']}"}
        assert (await site.http.delete(f"/api/mcp-key/{key.split('_')[1]}", headers=bearer)).status_code == 404
        assert (await site.tool(key, "ping")).status_code == 200

    at_site(work)


def test_an_unknown_account_costs_as_much_as_a_known_one():
    hasher = users._hasher()  # pyright: ignore[reportPrivateUsage]
    known = hashed()
    with patch("argon2.PasswordHasher.verify", autospec=True, side_effect=type(hasher).verify) as verify:
        assert not users.verify("wrong", known)
        assert not users.verify("wrong", None)
        assert not users.verify(PASSWORD, None)
    costs = {call.args[1].rsplit("$", 2)[0] for call in verify.call_args_list}
    assert verify.call_count == 3
    assert len(costs) == 1, "the same parameters"


def test_five_failures_close_an_account_for_a_quarter_of_an_hour(store: Store, key: str, clock: Clock):
    async def work() -> None:
        for number in range(5):  # from five addresses
            async with site_of(store, client=(f"10.0.0.{number}", 1)) as site:
                assert (await site.http.post("/api/login", json=BAD)).status_code == 401
        async with site_of(store, client=("10.0.0.9", 1)) as site:
            right = await site.http.post("/api/login", json=GOOD)
            assert right.status_code == 429, "even the right password waits"
            assert 0 < int(right.headers["retry-after"]) <= logins.WINDOW + 1
            clock.now += logins.WINDOW + 1
            assert (await site.http.post("/api/login", json=GOOD)).status_code == 200

    asyncio.run(work())


def test_five_failures_close_an_address(store: Store, key: str, at_site: Run):
    async def work(site: Site) -> None:
        for number in range(5):
            answer = await site.http.post("/api/login", json={**BAD, "email": f"nobody{number}@example.com"})
            assert answer.status_code == 401
        assert (await site.http.post("/api/login", json=GOOD)).status_code == 429

    at_site(work)


def test_an_ipv6_network_is_one_address(store: Store, key: str):
    async def work() -> None:
        for number in range(6):
            async with site_of(store, client=(f"2001:db8:1:2::{number}", 1)) as site:
                answer = await site.http.post("/api/login", json={**BAD, "email": f"nobody{number}@example.com"})
                assert answer.status_code == (401 if number < 5 else 429)
        async with site_of(store, client=("2001:db8:1:3::1", 1)) as site:
            assert (await site.http.post("/api/login", json=GOOD)).status_code == 200

    asyncio.run(work())


def test_many_guesses_at_once_are_not_more_guesses(key: str, at_site: Run):
    async def work(site: Site) -> None:
        answers = await asyncio.gather(*(site.http.post("/api/login", json=BAD) for _ in range(12)))
        assert sorted(answer.status_code for answer in answers) == [401] * 5 + [429] * 7

    at_site(work)


def test_a_good_login_forgets_the_account_s_failures(key: str, store: Store):
    async def work() -> None:
        for address in ("10.0.0.1", "10.0.0.2"):
            async with site_of(store, client=(address, 1)) as site:
                for _ in range(4):
                    assert (await site.http.post("/api/login", json=BAD)).status_code == 401
                assert (await site.http.post("/api/login", json=GOOD)).status_code == 200

    asyncio.run(work())


def test_a_token_is_ours_in_time_and_ends_with_the_password(store: Store, key: str, clock: Clock, at_site: Run):
    async def work(site: Site) -> None:
        async def status(token: str) -> int:
            return (await site.http.get("/api/mcp-key", headers={"authorization": f"Bearer {token}"})).status_code

        token = (await site.http.post("/api/login", json=GOOD)).json()["token"]
        claims = jwt.decode(token, options={"verify_signature": False})
        assert claims["exp"] - claims["iat"] <= 3600
        assert await status(token) == 200
        assert await status(token[:-2] + ("AA" if token[-2:] != "AA" else "BB")) == 401
        assert await status(jwt.encode(claims, "x" * 40, "HS256")) == 401
        assert await status(jwt.encode(claims, "", "none")) == 401
        secret = await store.writing(sessions.signing_secret)
        assert await status(jwt.encode({**claims, "jti": "made up"}, secret, "HS256")) == 401
        assert await status(jwt.encode({**claims, "exp": claims["iat"] - 1}, secret, "HS256")) == 401
        assert await status(jwt.encode({**claims, "aud": "another"}, secret, "HS256")) == 401
        assert await status(token) == 200
        await store.writing(users.set_password, "worker@example.com", hashed())
        assert await status(token) == 401
        second = (await site.http.post("/api/login", json=GOOD)).json()["token"]
        clock.now += 3601
        assert await status(second) == 401

    at_site(work)


def test_the_setup_link_makes_one_owner_once(store: Store, clock: Clock, at_site: Run):
    late = store.write(sessions.setup_link)
    clock.now += sessions.SETUP_SECONDS + 1
    token = store.write(sessions.setup_link)
    store.write(users.add, "worker@localhost", hashed())  # who owns nothing
    other = store.write(sessions.setup_link)  # another process starts, or fails to
    owner = {"email": "ada@example.com", "password": PASSWORD}

    async def work(site: Site) -> None:
        async def status(**given: Any) -> int:
            return (await site.http.post("/api/setup", json={**owner, **given})).status_code

        assert await status(token=late) == 403
        assert await status(token="x" * 43) == 403
        assert await status(token=token, password="short") == 400
        assert await status(token=token, email="no address") == 400
        assert await status(token=token) == 201
        for used in (token, other):
            assert await status(token=used, email="eve@example.com") == 403

    at_site(work)
    assert [user.email for user in store.read(users.everyone) if user.owner] == ["ada@example.com"]
    assert store.write(sessions.setup_link) is None


# What is kept and said.


def test_no_secret_is_kept_or_logged(
    store: Store, key: str, at_site: Run, tmp_path: Any, caplog: pytest.LogCaptureFixture
):
    secrets = {key, key.split("_")[2], PASSWORD, BAD["password"]}

    async def work(site: Site) -> None:
        login = await site.http.post("/api/login", json=GOOD)
        secrets.add(login.json()["token"])
        secrets.add(jwt.decode(login.json()["token"], options={"verify_signature": False})["jti"])
        await site.http.post("/api/login", json=BAD)
        await site.tool(key, "ping")
        await site.tool(key + "x", "ping")
        with patch("agent_connector.board.tools.leases.claim", side_effect=RuntimeError("broken")):
            arguments = {"taskId": "t", "connectorId": "c", "instanceId": "i", "leaseSeconds": 5}
            broken = await site.tool(key, "agentops_task_claim", arguments)
            assert broken.status_code < 600

    with caplog.at_level(logging.DEBUG):
        at_site(work)
    store.close()
    kept = b"".join(path.read_bytes() for path in tmp_path.glob("board.db*"))
    assert caplog.text
    for secret in secrets:
        assert secret not in caplog.text
        assert secret.encode() not in kept


def test_an_answer_of_the_api_is_not_stored_on_its_way(at_site: Run):
    async def work(site: Site) -> None:
        answer: httpx2.Response = await site.http.post("/api/login", json=BAD)
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["x-content-type-options"] == "nosniff"

    at_site(work)
