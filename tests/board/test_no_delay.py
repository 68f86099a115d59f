"""No answer of the board waits in the kernel for the next one: small ones would take 40 ms each."""

import asyncio
import socket
from contextlib import closing

import pytest

from agent_connector.board import serve


@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
def test_what_is_written_is_sent_at_once(host: str):
    async def go() -> int:
        found = asyncio.get_running_loop().create_future()

        def here(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            found.set_result(writer.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            writer.close()

        async with await asyncio.start_server(here, sock=listener):
            _, writer = await asyncio.open_connection(*listener.getsockname()[:2])
            writer.close()
            return await asyncio.wait_for(found, 30)

    try:
        listener = serve.bind(host, 0)
    except Exception:
        if host == "::1":
            pytest.skip("no IPv6 here")
        raise
    with closing(listener):
        assert asyncio.run(go()) == 1
