"""`pairer`: a real HTTP server that any pairer can be pointed at, and what it kept of the wire.

async with pairer() as referee:
    print(f"connect to {referee.app.origin}")
    report = await judge_pairer(referee)
"""

import asyncio
import socket
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager

from agent_connector.testing.byoa.conformance import pairer_doors, pairer_turns
from agent_connector.testing.byoa.conformance.referee import Hands, Referee, ScaledClock
from agent_connector.testing.byoa.conformance.report import Check, Report, Result, run

PAIRER_CHECKS: tuple[Check[Referee], ...] = (*pairer_doors.TABLE.checks, *pairer_turns.TABLE.checks)


async def judge_pairer(
    referee: Referee,
    *,
    begins: Callable[[str], None] | None = None,
    ended: Callable[[Result], None] | None = None,
) -> Report:
    """Provoke and check whoever pairs with the referee. Pairings are approved by it; the host has to answer prompts."""
    return await run(referee.app.origin, PAIRER_CHECKS, referee, begins=begins, ended=ended)


@asynccontextmanager
async def pairer(
    *, port: int = 0, hold: float = 5, times: float = 1.0, hands: Hands | None = None, join: float = 120
) -> AsyncGenerator[Referee]:
    """A referee on a port of 127.0.0.1. `times`: how much faster than the world the pairer's own time runs."""
    import uvicorn

    with socket.socket() as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(("127.0.0.1", port))
        origin = f"http://127.0.0.1:{listening.getsockname()[1]}"
        referee = Referee(origin, hold=hold, clock=ScaledClock(times), hands=hands, join=join)
        config = uvicorn.Config(
            referee, log_level="error", access_log=False, lifespan="off", timeout_graceful_shutdown=1
        )
        server = uvicorn.Server(config)
        serving = asyncio.ensure_future(server.serve(sockets=[listening]))
        try:
            while not server.started:
                await asyncio.sleep(0.01)
            yield referee
        finally:
            server.should_exit = True
            await serving
