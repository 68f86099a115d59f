"""Our app on a port that is free, which it prints: `served.py`."""

import asyncio
import socket

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from agent_connector.byoa.app import Account, Byoa, Ended, SqliteStore

ADA = Account("1", "Ada")


def app(port: int) -> object:
    byoa = Byoa(
        SqliteStore(),
        lambda request: ADA if "person=ada" in request.headers.get("cookie", "") else None,
        id="served",
        name="Served",
        origin=f"http://127.0.0.1:{port}",
        hold=1,
    )

    async def act(request: Request) -> Response:
        word, *arguments = (await request.body()).decode().split("\0")
        if word in ("chat", "end"):
            session = next(one for one in await byoa.sessions_of(ADA) if one.title == arguments[0])
            await (session.end() if word == "end" else session.chat(arguments[1]))
            return PlainTextResponse("")
        turn = await byoa.turn(ADA, arguments[-1])
        assert turn is not None
        if word == "stop":
            await turn.stop()
            return PlainTextResponse("")
        async with asyncio.timeout(60):
            found = [event async for event in turn if isinstance(event, Ended)]
        return PlainTextResponse("\n".join("/".join(filter(None, (one.outcome, one.reason))) for one in found))

    return byoa.wrap(Starlette(routes=[Route("/act", act, methods=["POST"])]))


if __name__ == "__main__":
    with socket.create_server(("127.0.0.1", 0)) as door:
        port = door.getsockname()[1]
        print(port, flush=True)
        uvicorn.Server(uvicorn.Config(app(port), log_level="error")).run(sockets=[door])
