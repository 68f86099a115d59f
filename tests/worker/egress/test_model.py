"""The way to the model: the key is added outside, the run's token opens the door, nothing is held back."""

import asyncio
import os

import pytest
from tests.worker.egress.conftest import Site, site

from agent_connector.errors import WorkerError
from agent_connector.worker.egress import upstream

CLOSE = "Connection: close\r\n\r\n"


def request(here: Site, *headers: str, target: str = "/v1/messages?a=1", token: str = "") -> bytes:
    given = "".join(f"{header}\r\n" for header in headers)
    return f"GET {target} HTTP/1.1\r\nHost: x\r\n{given}X-Api-Key: {token or here.door.token}\r\n{CLOSE}".encode()


@pytest.mark.parametrize(
    "header,added", [("x-api-key", "x-api-key: real-key"), ("Authorization", "authorization: Bearer real-key")]
)
def test_the_key_takes_the_place_of_all_that_the_run_sent(header: str, added: str) -> None:
    async def main() -> None:
        async with site(header=header, path="/base") as here:
            sent = request(
                here,
                "Authorization: Bearer own",
                "x-goog-api-key: own",
                "api-key: own",
                "Cookie: own",
                "anthropic-beta: b",
            )
            answer = await here.ask(sent)
            assert (
                answer.startswith("HTTP/1.1 200")
                and "X-Model: yes".lower() in answer.lower()
                and answer.endswith("hello")
            )
            (head,) = here.asked
            assert head.startswith("GET /base/v1/messages?a=1 HTTP/1.1\r\n") and "anthropic-beta: b" in head
            assert added in head and "own" not in head and here.door.token not in head and head.count("real-key") == 1

    asyncio.run(main())


@pytest.mark.parametrize("by", ["unix", "tcp"])
def test_without_the_runs_token_there_is_no_model(by: str) -> None:
    async def main() -> None:
        async with site() as here:
            for token in ("wrong", "x" * 500, "\xe9"):
                assert (await here.ask(request(here, token=token), by=by)).startswith("HTTP/1.1 401")
            assert here.asked == [] and len(here.said) == 1 and "token" in here.said[0]
            assert (await here.ask(request(here, token=here.door.token), by=by)).startswith("HTTP/1.1 200")

    asyncio.run(main())


def test_geminis_key_in_the_query_is_known_and_taken_out() -> None:
    async def main() -> None:
        async with site(header="x-goog-api-key") as here:
            target = f"/v1beta/models/m:streamGenerateContent?alt=sse&key={here.door.token}"
            assert (await here.ask(request(here, target=target, token="none"))).startswith("HTTP/1.1 200")
            assert "?alt=sse HTTP/1.1" in here.asked[0] and "x-goog-api-key: real-key" in here.asked[0]

    asyncio.run(main())


def test_a_login_of_the_runs_own_is_passed_on_as_it_is() -> None:
    async def main() -> None:
        async with site(key=None) as here:
            await here.ask(request(here, "Authorization: Bearer login"))
            assert "authorization: Bearer login" in here.asked[0]

    asyncio.run(main())


def test_an_event_is_there_before_the_model_says_the_next() -> None:
    seen = asyncio.Event()

    async def far(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")
        writer.write(b"a\r\ndata: one\n\r\n")
        await seen.wait()
        writer.write(b"a\r\ndata: two\n\r\n0\r\n\r\n")
        await writer.drain()

    async def main() -> None:
        async with site(far) as here:
            reader, writer = await here.send(request(here))
            await reader.readuntil(b"data: one\n")
            seen.set()
            assert b"data: two" in await reader.read()
            writer.close()

    asyncio.run(main())


def test_a_long_request_goes_out_while_it_comes_in() -> None:
    arrived = asyncio.Event()

    async def far(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readexactly(5)
        arrived.set()
        rest = await reader.readexactly(200_000)
        writer.write(f"HTTP/1.1 200 OK\r\nContent-Length: 6\r\nConnection: close\r\n\r\n{len(rest)}".encode())

    async def main() -> None:
        async with site(far) as here:
            head = f"POST /v1 HTTP/1.1\r\nHost: x\r\nX-Api-Key: {here.door.token}\r\nContent-Length: 200005\r\n{CLOSE}"
            reader, writer = await here.send(head.encode() + b"first")
            await arrived.wait()
            writer.write(b"x" * 200_000)
            assert (await reader.read()).endswith(b"200000")
            writer.close()

    asyncio.run(main())


def test_two_requests_on_one_connection() -> None:
    async def main() -> None:
        async with site() as here:
            first = request(here).replace(b"Connection: close\r\n", b"")
            assert (await here.ask(first + request(here, target="/second"))).count("hello") == 2
            assert [head.split(" ", 2)[1] for head in here.asked] == ["/v1/messages?a=1", "/second"]

    asyncio.run(main())


def test_when_the_run_hangs_up_so_do_we() -> None:
    ended = asyncio.Event()

    async def far(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n")
        await reader.read()  # nothing, until the connection is closed
        ended.set()

    async def main() -> None:
        async with site(far) as here:
            reader, writer = await here.send(request(here))
            await reader.readuntil(b"x\r\n")
            writer.close()
            await ended.wait()

    asyncio.run(main())


def test_an_answer_that_breaks_off_is_not_made_whole() -> None:
    async def far(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n")

    async def main() -> None:
        async with site(far) as here:
            answer = await here.ask(request(here))
            assert "hello" in answer and not answer.endswith("0\r\n\r\n") and len(here.said) == 1

    asyncio.run(main())


def test_a_model_that_is_down_is_told_to_the_run_and_in_its_log() -> None:
    async def main() -> None:
        async with site() as here:
            here.egress.add("run", "http://127.0.0.1:1", "real-key", "x-api-key")
            answer = await here.ask(request(here))
            assert (
                answer.startswith("HTTP/1.1 502")
                and "real-key" not in answer + "".join(here.said)
                and len(here.said) == 1
            )

    asyncio.run(main())


def test_nothing_gets_out_once_a_run_is_closed() -> None:
    async def main() -> None:
        for ahead in range(4):  # steps of the loop: not yet let in, just let in, at work
            async with site() as here:
                streams = [await here.send(b"GET") for _ in range(3)]
                path = here.door.socket
                for _ in range(ahead):
                    await asyncio.sleep(0)
                await here.egress.close("run")
                for reader, writer in streams:
                    assert await left(reader) == b"" and not os.path.exists(path)
                    writer.close()

    asyncio.run(main())


async def left(reader: asyncio.StreamReader) -> bytes:
    try:
        return await reader.read()
    except ConnectionError:
        return b""


def test_a_door_is_for_its_user_alone() -> None:
    async def main() -> None:
        async with site() as here:
            assert os.stat(here.door.socket).st_mode & 0o777 == 0o600
            assert os.stat(os.path.dirname(here.door.socket)).st_mode & 0o777 == 0o700

    asyncio.run(main())


@pytest.mark.parametrize(
    "base", ["http://api.example.org", "http://10.0.0.1:8000/v1", "ftp://x", "https://", "https://u:p@x", "x"]
)
def test_a_key_is_never_sent_in_the_clear(base: str) -> None:
    with pytest.raises(WorkerError):
        upstream.parse(base, "key", "x-api-key")
    assert upstream.parse("http://localhost:11434/v1/", None, "").base == "http://localhost:11434/v1"
