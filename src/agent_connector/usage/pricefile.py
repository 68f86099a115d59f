"""The person's own prices: `prices.toml` in the data root, which stand above every list.

[[price]]
model = "qwen3-coder-*"     `*` stands for anything
provider = "openrouter"     optional: only there
tier = "batch"              optional: only for that tier
from = 2026-03-01           optional: from that day on (UTC)
input = 1.0                 USD per million tokens, of each class
cache_read = 0.1
cache_write_5m = 1.25
cache_write_1h = 2.0
output = 5.0
reasoning = 5.0
request = 0.002             USD per request

[[price.above]]             a request with more context than this
context = 200_000
input = 2.0
"""

import hashlib
import re
import tomllib
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from fnmatch import fnmatchcase
from typing import Any, NamedTuple, cast

from agent_connector.errors import UsageError
from agent_connector.usage import cards

SOURCE = "prices.toml"
TIERS = ("batch", "fast", "priority", "flex")
_AMOUNTS = (*cards.CLASSES, "request")
_WORDS = ("model", "provider", "tier", "from", "above")
_EPOCH = date(1970, 1, 1).toordinal()
_HEADER = re.compile(r"^\s*\[\[\s*price\s*(\.\s*above\s*)?\]\]")
_MOST = 10**6  # USD per million tokens: more is a mistake of units
_REMEDY = "agent-connector usage prices --help says how the file is written"


class Entry(NamedTuple):
    """One `[[price]]` of the file."""

    model: str
    provider: str
    tier: str
    begins: int
    steps: tuple[tuple[int, cards.Prices], ...]

    def fits(self, provider: str, model: str, tier: str) -> bool:
        """True when this is a price of that model there. `?` and `[` mean themselves."""
        pattern = self.model.lower().replace("[", "[[]").replace("?", "[?]")
        return (
            self.tier in ("", tier)
            and self.provider.lower() in ("", provider.lower())
            and fnmatchcase(model.lower(), pattern)
        )

    @property
    def rank(self) -> tuple[bool, bool, int, bool, int]:
        """The greatest of several that fit counts: the most particular, and of these the latest."""
        literal = self.model.replace("*", "")
        return bool(self.provider), "*" not in self.model, len(literal), bool(self.tier), self.begins


class File(NamedTuple):
    """All entries, and the version of the file (a part of its hash)."""

    entries: tuple[Entry, ...]
    version: str


def terms(file: File, provider: str, model: str, tier: str, at: int) -> cards.Terms | None:
    """What the file says of a model at a time, None when it says nothing."""
    fitting = [entry for entry in file.entries if entry.begins <= at and entry.fits(provider, model, tier)]
    if not fitting:
        return None
    best = max(fitting, key=lambda entry: entry.rank)
    key = f"{best.provider}/{best.model}" if best.provider else best.model
    return cards.Terms(SOURCE, file.version, key, best.tier, best.steps)


def dates(file: File, provider: str, model: str, tier: str) -> list[int]:
    """The times at which this file's prices of a model change."""
    return [entry.begins for entry in file.entries if entry.begins > 0 and entry.fits(provider, model, tier)]


def parse(data: bytes, name: str) -> File:
    """The file's entries; what is wrong is told with its line."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise UsageError("the file is not UTF-8", where=f"{name}:{line}", remedy=_REMEDY) from error
    try:
        value = tomllib.loads(text, parse_float=Decimal)
    except tomllib.TOMLDecodeError as error:
        found = re.search(r"\(at line (\d+)", str(error))
        line = int(found[1]) if found else text.count("\n") + 1
        raise UsageError(f"the file is no TOML: {error}", where=f"{name}:{line}", remedy=_REMEDY) from error
    reader = _Reader(name, text.splitlines())
    return File(tuple(reader.entries(value)), hashlib.sha256(data).hexdigest()[:12])


def _is_amount(value: object) -> bool:
    """True for a price that can be meant; `nan` and `inf` are TOML too."""
    if isinstance(value, Decimal):
        return value.is_finite() and 0 <= value <= _MOST
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _MOST


class _Reader:
    """Reads the tables of a file, and knows on which line each stands."""

    def __init__(self, name: str, lines: Sequence[str]) -> None:
        self.name = name
        self.lines = lines
        self.heads = [number for number, line in enumerate(lines) if _HEADER.match(line)]

    def entries(self, value: Mapping[str, Any]) -> list[Entry]:
        for key in value:
            if key != "price":
                raise self.wrong(f"unknown {key!r}: the file holds [[price]] tables", 0, key)
        tables: Any = value.get("price", [])
        if not isinstance(tables, list) or not all(isinstance(one, dict) for one in cast(list[Any], tables)):
            raise self.wrong("price is a list of tables: [[price]]", 0, "price")
        head, found = 0, list[Entry]()
        for table in cast(list[dict[str, Any]], tables):
            found.append(self.entry(table, head))
            above = table.get("above", [])
            head += 1 + (len(cast(list[Any], above)) if isinstance(above, list) else 0)
        return found

    def entry(self, table: Mapping[str, Any], head: int) -> Entry:
        for key in table:
            if key not in (*_AMOUNTS, *_WORDS):
                raise self.wrong(f"unknown {key!r}; known: {', '.join((*_WORDS, *_AMOUNTS))}", head, key)
        for key in ("model", "provider", "tier"):
            if not isinstance(table.get(key, ""), str):
                raise self.wrong(f"{key} is a text", head, key)
        if not table.get("model"):
            raise self.wrong("a price names its model", head, "model")
        if table.get("tier", "") not in ("", *TIERS):
            raise self.wrong(f"tier is one of {', '.join(TIERS)}", head, "tier")
        steps = self.steps(table, head)
        return Entry(table["model"], table.get("provider", ""), table.get("tier", ""), self.begins(table, head), steps)

    def begins(self, table: Mapping[str, Any], head: int) -> int:
        start = table.get("from")
        if start is None:
            return 0
        if not isinstance(start, date) or isinstance(start, datetime):
            raise self.wrong("from is a day, such as 2026-03-01 without quotes", head, "from")
        return max((start.toordinal() - _EPOCH) * cards.DAY, 0)

    def steps(self, table: Mapping[str, Any], head: int) -> tuple[tuple[int, cards.Prices], ...]:
        base = self.amounts(table, head)
        if not {"input", "output", "request"} & base.keys():
            raise self.wrong("a price has at least input, output or request", head, "model")
        above = table.get("above", [])
        if not isinstance(above, list) or not all(isinstance(one, dict) for one in cast(list[Any], above)):
            raise self.wrong("above is a list of tables: [[price.above]]", head, "above")
        found = {-1: cards.prices(base)}
        for number, step in enumerate(cast(list[dict[str, Any]], above), head + 1):
            for key in step:
                if key != "context" and key not in _AMOUNTS:
                    raise self.wrong(f"unknown {key!r}; known: context, {', '.join(_AMOUNTS)}", number, key)
            over = step.get("context")
            if not isinstance(over, int) or isinstance(over, bool) or over < 1 or over in found:
                raise self.wrong(
                    "context is a number of tokens, another one in each [[price.above]]", number, "context"
                )
            found[over] = cards.prices({**base, **self.amounts(step, number)})
        return tuple(sorted(found.items()))

    def amounts(self, table: Mapping[str, Any], head: int) -> dict[str, int]:
        found: dict[str, int] = {}
        for key in _AMOUNTS:
            if key not in table:
                continue
            value = table[key]
            if not _is_amount(value):
                raise self.wrong(f"{key} is a price in USD, from 0 to {_MOST:,}", head, key)
            found[key] = round(value * (cards.SCALE if key == "request" else cards.PER_MILLION))
        return found

    def wrong(self, what: str, head: int, key: str) -> UsageError:
        return UsageError(what, where=f"{self.name}:{self.line(head, key)}", remedy=_REMEDY)

    def line(self, head: int, key: str) -> int:
        """The line of a key below the head of that number; of the head where the key is not found."""
        inside = head < len(self.heads)
        first = self.heads[head] if inside else 0
        last = self.heads[head + 1] if head + 1 < len(self.heads) else len(self.lines)
        opening = "" if inside else r"(\[+\s*)?"
        pattern = re.compile(rf"^\s*{opening}[\"']?{re.escape(key)}\b")
        return next((number for number in range(first, last) if pattern.match(self.lines[number])), first) + 1
