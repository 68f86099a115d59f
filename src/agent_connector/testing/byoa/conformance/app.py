"""`check_app`: play a pairer against an app, from its discovery to the end of the pairing."""

from collections.abc import Callable

from agent_connector.byoa.core.ports import HttpPort
from agent_connector.byoa.protocol import Origin
from agent_connector.testing.byoa.conformance import app_doors, app_ending, app_events, app_pairing
from agent_connector.testing.byoa.conformance.person import Clock, Person, RealClock
from agent_connector.testing.byoa.conformance.report import Check, Report, Result, run
from agent_connector.testing.byoa.conformance.stage import Stage

# In this order: each goes on from what the ones before have left.
APP_CHECKS: tuple[Check[Stage], ...] = tuple(
    check for module in (app_pairing, app_doors, app_events, app_ending) for check in module.TABLE.checks
)


async def check_app(
    origin: Origin,
    http: HttpPort,
    person: Person | None = None,
    *,
    clock: Clock | None = None,
    cookie: str = "",
    begins: Callable[[str], None] | None = None,
    ended: Callable[[Result], None] | None = None,
) -> Report:
    """`person` does what only somebody on the app's side can do; without one, what needs a token is not checked."""
    stage = Stage(origin, http, clock or RealClock(), person or Person(), cookie)
    return await run(str(origin), APP_CHECKS, stage, begins=begins, ended=ended)
