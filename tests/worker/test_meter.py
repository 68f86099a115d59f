"""What a run costs while it runs, and when that stops it."""

import asyncio
from collections.abc import Callable

import pytest

from agent_connector.drive.events import Said, Spent, Started, Usage
from agent_connector.drive.outcome import Outcome
from agent_connector.hosts import query
from agent_connector.worker.meter import Meter
from agent_connector.worker.values import Stop

MILLION = Usage(input=1_000_000, output=1_000_000)


def metered(budget: float, walk: Callable[[Meter], None]) -> tuple[Meter, str | None]:
    async def go() -> tuple[Meter, str | None]:
        facet = query.headless("opencode")
        assert facet is not None
        stop = Stop()
        meter = Meter(budget, facet, stop)
        walk(meter)
        return meter, stop.reason

    return asyncio.run(go())


@pytest.mark.parametrize(
    ("named", "cost"), [("nobody-knows-this-model", None), (None, None), (None, 0.0), (None, float("nan"))]
)
def test_a_model_without_a_price_stops_too(named: str | None, cost: float | None) -> None:
    _, reason = metered(2.0, lambda meter: meter.hear(Spent(MILLION, cost), named))
    assert reason == "spend"


def test_the_model_is_the_one_that_the_host_names() -> None:
    def walk(meter: Meter) -> None:
        meter.hear(Started("s", "claude-haiku-4-5"), None)
        meter.hear(Spent(Usage(input=100_000, output=1_000)), None)

    assert metered(0.2, walk)[1] is None  # dear by guess, cheap by its price
    assert metered(0.05, walk)[1] == "spend"


def test_a_guess_is_never_told_as_a_cost() -> None:
    def walk(meter: Meter) -> None:
        meter.hear(Spent(Usage(input=1_000, output=10)), None)
        meter.settle(Outcome((Said("x"),), 0, "exited", 1.0, "", "", usage=Usage(input=1_000, output=10)), None)

    meter, _ = metered(2.0, walk)
    assert (meter.cost_usd, meter.source, meter.usage) == (None, None, Usage(input=1_000, output=10))


def test_costs_of_models_that_were_tried_add_up() -> None:
    def walk(meter: Meter) -> None:
        for usd in (0.5, 0.25):
            meter.settle(Outcome((Said("x"),), 0, "exited", 1.0, "", "", usage=Usage(5), cost_usd=usd), "m")

    meter, _ = metered(2.0, walk)
    assert (meter.cost_usd, meter.source, meter.usage, meter.left) == (0.75, "host-reported", Usage(10), 1.25)
