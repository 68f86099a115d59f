"""What a run costs while it runs, over all the models that were tried: a run beyond its money is stopped."""

import math
from typing import Literal

from agent_connector.drive import cost
from agent_connector.drive.events import RunEvent, Spent, Started, Usage
from agent_connector.drive.outcome import Outcome
from agent_connector.hosts.contract import Headless
from agent_connector.worker.values import Stop

DEAR_INPUT, DEAR_OUTPUT = 5e-6, 25e-6  # $ a token


class Meter:
    """`hear` each event, `settle` each outcome. `cost_usd` is None where a part of it is not known."""

    def __init__(self, budget_usd: float, facet: Headless, stop: Stop) -> None:
        self.usage: Usage | None = None
        self.cost_usd: float | None = None
        self.source: Literal["host-reported", "estimated"] | None = None
        self._budget, self._stop = budget_usd, stop
        self._provider = facet.PROVIDERS[0] if facet.PROVIDERS else ""
        self._known = True
        self._now = 0.0  # of the model that runs: what it told step by step
        self._before = 0.0
        self._model: str | None = None  # as the host names it
        self._guessed = False

    @property
    def left(self) -> float:
        """What may still be spent, never nothing at all: a host takes 0 for no limit."""
        return max(self._budget - self._before, 0.01)

    def hear(self, event: RunEvent, model: str | None) -> None:
        """From the thread that reads the host. Hosts that tell nothing before the end are stopped by their own limit, or not."""
        if isinstance(event, Started):
            self._model = event.model or self._model
        if not isinstance(event, Spent):
            return
        told = event.cost_usd
        if told is not None and math.isfinite(told) and told > 0:  # 0 is what a host says that knows no price
            self._now += told
        else:
            self._now += self._estimate(event.usage, model or self._model)
        if self._before + self._now > self._budget:
            self._stop.set("spend")

    def _estimate(self, used: Usage, model: str | None) -> float:
        """At the list's price; at that of a dear model where nobody knows one: this number stops a run, it is never told."""
        usd = cost.step(used, model, self._provider) if model else None
        self._guessed = self._guessed or usd is None
        if usd is not None:
            return usd
        read = used.input + used.cache_write_5m + used.cache_write_1h
        return read * DEAR_INPUT + used.cache_read * DEAR_INPUT / 10 + used.output * DEAR_OUTPUT

    def settle(self, outcome: Outcome, model: str | None) -> None:
        """One model's run is over."""
        found = cost.cost(outcome, model, self._provider)
        if outcome.usage is not None:
            self.usage = outcome.usage if self.usage is None else self.usage + outcome.usage
        usd = found.usd if found.usd is not None else (None if self._guessed else self._now or None)
        if usd is None:
            self._known = self._known and not outcome.said and not outcome.called  # it may have cost something
        self._before += usd or 0.0
        self._now, self._guessed = 0.0, False
        if not self._known:
            self.cost_usd, self.source = None, None
            return
        if usd is not None:
            self.cost_usd = self._before
            reported = found.source == "host-reported" and self.source in (None, "host-reported")
            self.source = "host-reported" if reported else "estimated"
