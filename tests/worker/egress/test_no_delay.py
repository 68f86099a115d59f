"""What a model says in pieces goes on in pieces: none waits in the kernel for the next."""

import asyncio
import socket
from typing import Any

import pytest
from tests.worker.egress.conftest import site


def test_the_port_of_a_run_sends_at_once(monkeypatch: pytest.MonkeyPatch):
    seen: list[int] = []
    real = asyncio.open_connection

    async def opened(*given: Any, **named: Any) -> Any:
        if (one := named.get("sock")) is not None and one.family == socket.AF_INET:
            seen.append(one.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
        return await real(*given, **named)

    async def go() -> None:
        async with site() as here:
            monkeypatch.setattr(asyncio, "open_connection", opened)
            await here.ask(b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", by="port")

    asyncio.run(asyncio.wait_for(go(), 60))
    assert seen == [1]
