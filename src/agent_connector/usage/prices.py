"""What tokens cost: the person's `prices.toml` first, then the list of genai-prices, at the time of the event.

price_tokens("claude-sonnet-4-5", "anthropic", time_ms, {"input": 900, "output": 30})  gives a Quote; usd is None where
nobody knows a price. Nothing here asks the network but `update`, which only a person calls.
"""

import importlib.util
import json
import os
import time as clock
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from agent_connector.errors import UsageError
from agent_connector.home import paths, private
from agent_connector.usage import cards
from agent_connector.usage.cards import SCALE, Card, Terms

if TYPE_CHECKING:  # what reads TOML is loaded where there is a file
    from agent_connector.usage.pricefile import File

_CARDS = 1  # goes up when the same prices would give other cards


@dataclass(frozen=True, slots=True)
class Quote:
    """What something costs and what that rests on. `usd` is None where no price is known; then the rest is empty.

    `tier` is the tier whose price it is: "" for the standard price, also where the tier asked for has none of its own.
    """

    usd: float | None
    source: str = ""
    version: str = ""
    key: str = ""
    tier: str = ""


def price_tokens(
    model: str, provider: str, time: int, counts: Mapping[str, int], tier: str = "", *, root: str | None = None
) -> Quote:
    """What these counts of one event cost. `time` is ms since 1970; classes are disjoint, `reasoning` is in `output`.

    The keys of `counts`: input, cache_read, cache_write_5m, cache_write_1h, output, reasoning, requests.
    """
    found = cards.find(card(provider, model, tier, root=root), time, cards.context(counts))
    if found.prices is None:
        return Quote(None)
    return Quote(cards.cost(found.prices, counts) / SCALE, found.source, found.version, found.key, found.tier)


def card(provider: str, model: str, tier: str = "", *, root: str | None = None) -> Card:
    """All that is known of a model's price, for a tier."""
    where = home() if root is None else root
    return _card(provider, model, tier, where, stamp(where))


def home() -> str:
    """The data root of whoever runs this."""
    return paths.data_root(os.environ, os.path.expanduser("~"))


def stamp(root: str) -> str:
    """Changes when any price may have changed; costs next to nothing."""
    spec = importlib.util.find_spec("genai_prices")
    folder = os.path.dirname(spec.origin) if spec and spec.origin else ""
    own = private.read(paths.usage_prices(root))
    told = f"{_mark(paths.usage_prices(root))}-{zlib.crc32(own):08x}" if own is not None else "-"
    return ":".join(map(str, (_CARDS, _mark(os.path.join(folder, "data.py")), _mark(paths.fetched_prices(root)), told)))


def _mark(path: str) -> str:
    try:
        status = os.stat(path)
    except OSError:
        return "-"
    return f"{status.st_size}-{status.st_mtime_ns}"


@lru_cache(1024)
def _card(provider: str, model: str, tier: str, root: str, stamp: str) -> Card:
    from agent_connector.usage import pricefile

    file = _file(root, stamp)
    dates = pricefile.dates(file, provider, model, tier)
    if pricefile.terms(file, provider, model, tier, 0):  # the list need not be loaded
        return cards.card(lambda at: pricefile.terms(file, provider, model, tier, at) or cards.UNKNOWN, dates)
    from agent_connector.usage import catalog

    found = catalog.find(provider, model, paths.fetched_prices(root), stamp)
    listed, hours = catalog.edges(found) if found else ([], [])

    def at(moment: int) -> Terms:
        own = pricefile.terms(file, provider, model, tier, moment)
        return own or (catalog.terms(found, tier, moment) if found else cards.UNKNOWN)

    return cards.card(at, [*dates, *listed], hours)


@lru_cache(8)
def _file(root: str, stamp: str) -> "File":
    from agent_connector.usage import pricefile

    path = paths.usage_prices(root)
    data = private.read(path)
    return pricefile.File((), "") if data is None else pricefile.parse(data, path)


def update(root: str, url: str = "") -> str:
    """Fetch the list that genai-prices publishes, and keep it beside the index. Returns the list's version.

    The one thing here that asks the network, and only because a person said so.
    """
    import httpx2
    from genai_prices.update_prices import DEFAULT_UPDATE_URL

    from agent_connector.usage import catalog

    address = url or DEFAULT_UPDATE_URL
    try:
        answer = httpx2.get(address, timeout=30, follow_redirects=False)
        answer.raise_for_status()
        data = answer.json()
        catalog.parse(data)
    except (httpx2.HTTPError, httpx2.InvalidURL, ValueError) as error:
        raise UsageError(
            f"no list of prices came: {str(error).splitlines()[0] if str(error) else type(error).__name__}",
            where=address,
            remedy="the prices that are here go on; try again later",
        ) from error
    fetched = clock.strftime("%Y-%m-%d %H:%M UTC", clock.gmtime())
    private.write(paths.fetched_prices(root), json.dumps({"fetched": fetched, "url": address, "data": data}))
    return f"fetched {fetched}"
