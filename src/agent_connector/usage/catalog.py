"""The list prices of `genai-prices`, offline, as terms. The package is large: it is imported when a price is looked up."""

import json
from collections.abc import Sequence
from datetime import UTC, date, datetime, time
from decimal import Decimal
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from agent_connector.errors import UsageError
from agent_connector.home import private
from agent_connector.usage import cards

if TYPE_CHECKING:
    from genai_prices.data_snapshot import DataSnapshot
    from genai_prices.types import ModelInfo, ModelPrice, Provider

SOURCE = "genai-prices"
_PRICE_KEYS = {  # price keys of the package -> ours; the later ones only where the earlier are absent
    "input": ("input_mtok",),
    "cache_read": ("cache_read_mtok",),
    "cache_write_5m": ("cache_write_5m_mtok", "cache_write_mtok"),
    "cache_write_1h": ("cache_write_1h_mtok",),
    "output": ("output_mtok",),
    "reasoning": ("output_reasoning_mtok",),
}
_CONTEXTS = {  # how a tier is asked for; providers use different words for the same
    "batch": {"processing": "batch"},
    "fast": {"speed": "fast", "service_tier": "fast"},
    "priority": {"service_tier": "priority"},
    "flex": {"service_tier": "flex"},
}
_FREE = ":free"  # so OpenRouter and others mark it
_EPOCH = date(1970, 1, 1).toordinal()
LOCAL = frozenset(("ollama", "lmstudio", "lm-studio", "llama.cpp", "llamacpp", "llamafile", "vllm", "mlx", "local"))


class Found(NamedTuple):
    """A model in the list, and whose list it is."""

    provider: "Provider"
    model: "ModelInfo"
    version: str

    @property
    def key(self) -> str:
        """The matched entry."""
        return f"{self.provider.id}/{self.model.id}"


def find(provider: str, model: str, update: str, stamp: str) -> Found | None:
    """The entry of a model: of its provider; where that has none, of the model's maker. None when nobody has one.

    `update` is the file of a fetched list, which counts where it exists; `stamp` changes when it does.
    """
    if not model or provider.lower() in LOCAL:
        return None  # a machine of one's own charges nothing that a list could know
    snapshot, version = _snapshot(update, stamp)
    for named, ref in _questions(provider, model):
        try:
            whose, entry = snapshot.find_provider_model(ref, None, named, None)
        except LookupError:
            continue
        return Found(whose, entry, version)
    return None


def _questions(provider: str, model: str) -> list[tuple[str | None, str]]:
    """What is asked for, in order: (provider or None, model)."""
    maker, slash, rest = model.partition("/")
    asked: list[tuple[str | None, str]] = [(provider, model)] if provider else []
    if model.endswith(_FREE):
        return asked or [("openrouter", model)]  # the maker's price is not what a free variant costs
    if provider and slash and maker.lower() == provider.lower():
        asked.append((provider, rest))
    asked.append((None, model))
    if slash:
        asked += [(maker, rest), (None, rest)]
    if "anthropic." in model:
        asked.append(("aws", model))
    return asked


@lru_cache(2)
def _snapshot(update: str, stamp: str) -> "tuple[DataSnapshot, str]":
    """The list and its version: the fetched one, else the one of the installed package."""
    from genai_prices import __version__, data_snapshot

    data = private.read(update) if update else None
    if data is None:
        return data_snapshot.get_snapshot(), __version__
    try:
        fetched = json.loads(data)
        return parse(fetched["data"]), f"fetched {fetched['fetched']}"
    except (ValueError, LookupError, TypeError) as error:
        raise UsageError(
            f"the fetched prices cannot be read: {error}",
            where=update,
            remedy="agent-connector usage prices update fetches them again; without the file the installed ones count",
        ) from error


def parse(data: object) -> "DataSnapshot":
    """A list as the package publishes it; ValueError when it is none."""
    from genai_prices import data_snapshot, types

    if not isinstance(data, list) or not data:
        raise ValueError("not a list of providers")
    # The package reads its own published list with this, and offers no other door to a list that is already here.
    providers = types._providers_from_raw(data)  # pyright: ignore[reportPrivateUsage]
    return data_snapshot.DataSnapshot(providers, from_auto_update=True)


def edges(found: Found) -> tuple[list[int], list[int]]:
    """The dates (ms) and the hours of the day (ms) at which this entry's prices change."""
    from genai_prices.types import StartDateConstraint, TimeOfDateConstraint

    listed = found.model.prices if isinstance(found.model.prices, list) else []
    dates: list[int] = []
    hours: list[int] = []
    for constraint in [one.constraint for one in (*listed, *(found.model.price_variants or ()))]:
        if isinstance(constraint, StartDateConstraint):
            dates.append((constraint.start_date.toordinal() - _EPOCH) * cards.DAY)
        elif isinstance(constraint, TimeOfDateConstraint):
            hours += [_hand(constraint.start_time), _hand(constraint.end_time)]
    return dates, hours


def _hand(hand: time) -> int:
    """A time of day in UTC, in ms."""
    offset = hand.utcoffset()
    seconds = (hand.hour * 60 + hand.minute) * 60 + hand.second - int(offset.total_seconds() if offset else 0)
    return seconds * 1000 % cards.DAY


def terms(found: Found, tier: str, at: int) -> cards.Terms:
    """What the entry says at a time, for a tier."""
    moment = datetime.fromtimestamp(at / 1000, UTC)
    own = _of_tier(found, tier, moment)
    steps = _steps(own or found.model.get_prices(moment))
    return cards.Terms(SOURCE, found.version, found.key, tier if own else "", steps) if steps else cards.UNKNOWN


def _of_tier(found: Found, tier: str, moment: datetime) -> "ModelPrice | None":
    """The prices of a tier where the list has such at that time."""
    asked = _CONTEXTS.get(tier)
    if asked is None:
        return None
    for variant in found.model.price_variants or ():
        if all(asked.get(key) == value for key, value in variant.when.items()) and (
            variant.constraint is None or variant.constraint.active(moment)
        ):
            return found.model.get_prices(moment, asked)
    return None


def _steps(known: "ModelPrice") -> tuple[tuple[int, cards.Prices], ...]:
    """The prices by context; empty when the entry has none for tokens."""
    from genai_prices.types import TieredPrices

    given = {name: price for name, keys in _PRICE_KEYS.items() if (price := _first(known, keys)) is not None}
    if not given:
        return ()
    starts = sorted({tier.start for price in given.values() if isinstance(price, TieredPrices) for tier in price.tiers})
    request = getattr(known, "requests_kcount")  # noqa: B009  # dynamic in the package; None where absent
    per_request = round(request * cards.SCALE / 1000) if isinstance(request, Decimal) else 0
    steps: list[tuple[int, cards.Prices]] = []
    for over in (-1, *starts):
        amounts = {name: round(_amount(price, over) * cards.PER_MILLION) for name, price in given.items()}
        steps.append((over, cards.prices({**amounts, "request": per_request})))
    return tuple(steps)


def _first(known: "ModelPrice", keys: Sequence[str]) -> object:
    return next((price for key in keys if (price := getattr(known, key)) is not None), None)


def _amount(price: object, over: int) -> Decimal:
    """The price for more context than `over`."""
    from genai_prices.types import TieredPrices

    if isinstance(price, TieredPrices):
        return ([price.base] + [tier.price for tier in price.tiers if tier.start <= over])[-1]
    assert isinstance(price, Decimal)  # noqa: S101  # the package has no third kind
    return price
