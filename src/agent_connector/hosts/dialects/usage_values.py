"""Numbers, times and names out of logs, which may hold anything: what is not what it should be counts as nothing.

A log is written by a program of any age, may be cut by a crash and may be hostile. Nothing here raises on what it
reads: a value of the wrong kind is 0, "" or an empty object, and text that is no JSON is `None`.
"""

import json
import math
from collections.abc import Iterator
from datetime import UTC, datetime
from hashlib import blake2b
from typing import Any, TypeVar

import msgspec

T = TypeVar("T")

LARGEST = 2**53  # above it a JSON number is not exact, and no count of tokens is near it
LATEST = 253_402_300_799_000  # the end of the year 9999, in ms
NAME_LENGTH = 256
PATH_LENGTH = 4096
_NOT_NAMES = frozenset('{[<"')  # how JSON and markup begin


# ---- JSON


def decode(data: object) -> Any:
    """The value of a JSON text, None when it is none."""
    if not isinstance(data, bytes | str) or not data:
        return None
    try:
        return msgspec.json.decode(data)
    except (ValueError, RecursionError):
        return _forgiving(data)


def decode_lines(lines: bytes, kind: type[T], *marks: bytes) -> Iterator[T]:
    """Each line that is an object, as `kind` (a Struct of the fields that matter, typed Any); other lines are passed over.

    `marks`: only lines that hold one of them are looked at, which saves most of the work in logs full of content.
    """
    decoder = msgspec.json.Decoder(kind)
    for line in lines.splitlines():
        if not line or (marks and not any(mark in line for mark in marks)):
            continue
        try:
            yield decoder.decode(line)
        except (msgspec.DecodeError, RecursionError):
            for found in _glued(line):
                yield msgspec.convert(found, kind)


def _forgiving(data: bytes | str) -> Any:
    """What JavaScript programs write and strict decoders refuse: half an emoji, a byte order mark, NaN."""
    text = data if isinstance(data, str) else data.decode("utf-8", "replace")
    try:
        return json.loads(text.lstrip("\ufeff"))
    except (ValueError, RecursionError):
        return None


def _glued(line: bytes) -> Iterator[dict[str, Any]]:
    """The objects of a line that two writers wrote into at once, or that a crash left without its end."""
    text, decoder = line.decode("utf-8", "replace").lstrip("\ufeff"), json.JSONDecoder()
    start = text.find("{")
    while start == 0:
        try:
            found, end = decoder.raw_decode(text)
        except (ValueError, RecursionError):
            return
        yield found
        text = text[end:].lstrip()
        start = text.find("{")


# ---- values


def mapping(value: Any) -> dict[str, Any]:
    """`value` when it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}  # pyright: ignore[reportUnknownVariableType]


def sequence(value: Any) -> list[Any]:
    """`value` when it is a list, else an empty one."""
    return value if isinstance(value, list) else []  # pyright: ignore[reportUnknownVariableType]


def dig(value: Any, *path: str) -> Any:
    """What stands at `path` in nested objects, None where one of them is missing."""
    for key in path:
        value = mapping(value).get(key)
    return value


def number(value: Any) -> float:
    """A finite number from zero on; 0 for anything else. Digits in a text are taken for the number."""
    if isinstance(value, str) and len(value) <= 40:
        try:
            value = float(value)
        except ValueError:
            return 0
    if isinstance(value, bool) or not isinstance(value, int | float):
        return 0
    return value if 0 <= value <= LARGEST and not math.isnan(value) else 0


def count(value: Any) -> int:
    """A count of tokens."""
    return int(number(value))


def first_count(values: dict[str, Any], *names: str) -> int:
    """The count under the first of `names` that is there: what one format spells in several ways."""
    return next((count(values[name]) for name in names if values.get(name) is not None), 0)


def money(value: Any) -> float | None:
    """An amount; None where none is written down."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    amount = number(value)
    return amount if amount or value in (0, "0") else None


def name(value: Any) -> str:
    """A model's, session's or tool's name; "" when it is no text."""
    return _text(value, NAME_LENGTH)


def folder(value: Any) -> str:
    """A path; "" when it is no text."""
    return _text(value, PATH_LENGTH)


def _text(value: Any, length: int) -> str:
    if not isinstance(value, str):
        return ""
    text = value[:length].encode("utf-8", "replace").decode("utf-8").strip()
    return "" if text[:1] in _NOT_NAMES or "\n" in text else text  # something was put there that a name does not hold


def moment(value: Any) -> int:
    """A time in ms since 1970, from seconds, ms, us or an ISO text (UTC where it says no zone); 0 when it is none."""
    if isinstance(value, str) and not value.replace(".", "", 1).isdigit():
        return _of_iso(value)
    stamp = number(value)
    if stamp < 1e11:  # seconds up to the year 5138; as ms this would be before March 1973
        stamp *= 1000
    elif stamp > LATEST:
        stamp /= 1000
    return int(stamp) if stamp <= LATEST else 0


def _of_iso(text: str) -> int:
    try:
        found = datetime.fromisoformat(text[:40])
        zoned = found if found.tzinfo else found.replace(tzinfo=UTC)
        return max(0, round(zoned.timestamp() * 1000))
    except (ValueError, OverflowError):
        return 0


def fingerprint(*parts: object) -> str:
    """A short text that stands for `parts`: the identity of a unit whose copies get new ids."""
    return blake2b("\x1f".join(str(part) for part in parts).encode("utf-8", "replace"), digest_size=12).hexdigest()
