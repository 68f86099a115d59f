"""What a model costs, for programs and for people: its card at one time, or all of it."""

from collections.abc import Callable
from typing import Any, NamedTuple

from agent_connector.home import tables
from agent_connector.usage import cards
from agent_connector.usage.cards import Card, Rate
from agent_connector.usage.windows import day_name

SCHEMA = "agent-connector/usage-price/1"
_HEADS = {"cache_read": "read", "cache_write_5m": "write 5m", "cache_write_1h": "write 1h"}


class Asked(NamedTuple):
    """What was asked for; `at` is ms."""

    model: str
    provider: str
    tier: str
    at: int


def at(card: Card, moment: int) -> list[Rate]:
    """The rates of a card on the UTC day of `moment`, those without a price left out."""
    return [rate for rate in card if rate.begins <= moment < rate.ends and rate.prices is not None]


def as_values(asked: Asked, card: Card) -> dict[str, Any]:
    """The rates at that time as JSON values; `usd_per_million` by token class."""
    return {
        "schema": SCHEMA,
        "model": asked.model,
        "provider": asked.provider or None,
        "tier": asked.tier or None,
        "at": day_name(asked.at // cards.DAY),
        "rates": [_rate(rate) for rate in at(card, asked.at)],
    }


def _rate(rate: Rate) -> dict[str, Any]:
    known = rate.prices
    if known is None:
        return {}
    return {
        "source": rate.source,
        "version": rate.version,
        "key": rate.key,
        "tier": rate.tier or None,
        "from": day_name(rate.begins // cards.DAY) if rate.begins > -cards.FOREVER else None,
        "until": day_name(rate.ends // cards.DAY - 1) if rate.ends < cards.FOREVER else None,
        "hours_utc": None if _all_day(rate) else [_clock(rate.day_from), _clock(rate.day_to)],
        "context_over": max(0, rate.over),
        "context_up_to": rate.upto if rate.upto < cards.FOREVER else None,
        "usd_per_million": {name: _dollars(price) for name, price in zip(cards.CLASSES, known, strict=False)},
        "usd_per_request": known.request / cards.SCALE,
    }


def _all_day(rate: Rate) -> bool:
    return (rate.day_from, rate.day_to) == (0, cards.DAY)


def _clock(moment: int) -> str:
    minutes = moment // 60_000
    return f"{minutes // 60:02}:{minutes % 60:02}"


def _dollars(price: int) -> float:
    return price / cards.PER_MILLION


def as_text(asked: Asked, card: Card, width: int, path: str) -> str:
    """The rates as a table: a row for each step of context or time of day."""
    rates = at(card, asked.at)
    named = f"{asked.model} ({asked.provider})" if asked.provider else asked.model
    day = day_name(asked.at // cards.DAY)
    if not rates:
        lines = [f"No price is known for {named} on {day}.", f"Give one in {path}:", "", *_sample(asked.model)]
        return "\n".join([*tables.fold(lines[:2], width), *lines[2:]])
    first = rates[0]
    tier = f", {first.tier}" if first.tier else f", standard: no {asked.tier} price is known" if asked.tier else ""
    lines = [f"{named} on {day}{tier}", f"{first.source} {first.version}: {first.key}{_span(first)}"]
    column = tables.Column[Rate]
    columns = [column("USD per million", _where, left=True)]
    columns += [column(_HEADS.get(name, name), _shown(name)) for name in cards.CLASSES]
    fee = first.prices.request if first.prices else 0
    per_request = [f"and {fee / cards.SCALE:g} USD for each request"] if fee else []
    return "\n".join([*tables.fold(lines, width), "", *tables.draw(columns, rates, width), *per_request])


def _shown(name: str) -> Callable[[Rate], str]:
    return lambda rate: f"{_dollars(getattr(rate.prices, name)):.6f}".rstrip("0").rstrip(".")


def _where(rate: Rate) -> str:
    hours = "" if _all_day(rate) else f"{_clock(rate.day_from)}-{_clock(rate.day_to)} UTC"
    context = f"context > {rate.over:,}" if rate.over > 0 else ""
    return " ".join(part for part in (context, hours) if part) or "any"


def _span(rate: Rate) -> str:
    begins = f" from {day_name(rate.begins // cards.DAY)}" if rate.begins > -cards.FOREVER else ""
    return begins + (f" until {day_name(rate.ends // cards.DAY - 1)}" if rate.ends < cards.FOREVER else "")


def _sample(model: str) -> list[str]:
    return ["  [[price]]", f'  model = "{model}"', "  input = 1.00    # USD per million tokens", "  output = 4.00"]
