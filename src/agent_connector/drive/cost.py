"""What a run cost: the host's own figure, else its tokens at the list's price, else nothing is said."""

import time
from dataclasses import asdict
from typing import Literal, NamedTuple

from agent_connector.drive.events import Usage
from agent_connector.drive.outcome import Outcome

Source = Literal["host-reported", "estimated"]


class Cost(NamedTuple):
    """`usd` and `source` are both None where the cost is not known."""

    usd: float | None = None
    source: Source | None = None


def cost(outcome: Outcome, model: str | None = None, provider: str = "", *, at: float | None = None) -> Cost:
    """`model` is asked for where the host does not name the one that it used; `at` is the time of the run (now).

    A host that does not know a model's price says that it was free. That is taken for no figure: a run that used tokens
    is priced by the list, and one whose price nobody knows has none.
    """
    told = outcome.cost_usd
    if told is not None and (told > 0 or not used(outcome)):
        return Cost(told, "host-reported")
    usd = _priced(outcome, model, provider, at)
    return Cost() if usd is None else Cost(usd, "estimated")


def step(usage: Usage, model: str, provider: str = "") -> float | None:
    """The list's price of one request that was just made; None where nobody knows it."""
    return _list_price(model, provider, int(time.time() * 1000), usage, 1)


def used(outcome: Outcome) -> bool:
    """It is known that tokens were used."""
    return outcome.usage is not None and outcome.usage != Usage()


def _priced(outcome: Outcome, model: str | None, provider: str, at: float | None) -> float | None:
    """Each model's tokens at its own price; one without a price leaves no sum that could be trusted."""
    if outcome.usage is None:
        return None
    finished, started = outcome.finished, outcome.started
    by_model = dict(finished.by_model) if finished else {}
    name = (started.model if started else None) or model
    if not by_model or (finished and finished.usage is None):
        if not name:
            return None
        by_model = {name: outcome.usage}
    moment = int((time.time() if at is None else at) * 1000)
    requests = max(1, (finished.turns if finished else None) or len(outcome.called) + 1)
    sums = [_list_price(one, provider, moment, spent, requests) for one, spent in by_model.items()]
    known = [usd for usd in sums if usd is not None]
    return sum(known) if len(known) == len(sums) else None


def _list_price(model: str, provider: str, moment: int, spent: Usage, requests: int) -> float | None:
    """A price may depend on how long a request is, and the tokens are those of several: each is taken for the average."""
    from agent_connector.usage import prices

    counts = asdict(spent)
    each = {name: count // requests for name, count in counts.items()}
    left = {name: count % requests for name, count in counts.items()}
    average = prices.price_tokens(model, provider, moment, each).usd
    rest = prices.price_tokens(model, provider, moment, left).usd
    return None if average is None or rest is None else average * requests + rest
