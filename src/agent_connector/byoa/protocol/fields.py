"""Reading JSON that others wrote: sizes first, then one field at a time, and nothing but `ProtocolError` comes out."""

import json
import math
import re
from collections.abc import Callable, Mapping
from typing import cast

from agent_connector.byoa.protocol import limits

ID_FORM = re.compile(r"[\x21-\x7e]+")


class ProtocolError(Exception):
    """What came over the wire, or lay in a shared file, is not what the wire says. `where` names the field."""

    def __init__(self, what: str, where: str = "") -> None:
        super().__init__(f"{where}: {what}" if where else what)
        self.what = what
        self.where = where


def load(data: bytes, most: int) -> "Fields":
    """The JSON object in `data`; refused unread when it is larger than `most` bytes."""
    return Fields(load_value(data, most))


def load_value(data: bytes, most: int) -> object:
    if len(data) > most:
        raise ProtocolError(f"larger than {most} bytes")
    try:
        text = data.decode("utf-8")
        return json.loads(text, object_pairs_hook=_object, parse_constant=_no_constant, parse_float=_finite)
    except RecursionError:
        raise ProtocolError("nested too deeply") from None
    except ValueError as problem:  # also UnicodeDecodeError, JSONDecodeError and integers with too many digits
        raise ProtocolError(f"not JSON: {type(problem).__name__}") from None


def dump(value: object) -> bytes:
    """The one spelling we send: compact, UTF-8, in the order of `value`."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode("utf-8")


def compact(fields: Mapping[str, object]) -> dict[str, object]:
    """`fields` without those that are None: an absent field is left out, never sent as null."""
    return {name: value for name, value in fields.items() if value is not None}


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        # Two readers that keep different ones of the two would see different messages.
        raise ProtocolError("a field stands twice in one object")
    return found


def _no_constant(name: str) -> object:
    raise ProtocolError(f"{name} is not JSON")


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ProtocolError("a number is too large")
    return value


def printable(text: str) -> bool:
    """No control, bidi, invisible or line-breaking character, and not blank."""
    return text.isprintable() and bool(text.strip())


def encodable(text: str) -> bool:
    """Half a surrogate pair can be written in JSON but never be sent as UTF-8."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def form(pattern: str) -> Callable[[str], bool]:
    compiled = re.compile(pattern)
    return lambda text: compiled.fullmatch(text) is not None


def visible_ascii(text: str) -> bool:
    """Identifiers: they travel in bodies and logs, so no blank and no control character."""
    return ID_FORM.fullmatch(text) is not None


def read_text(value: object, where: str, least: int, most: int, allow: Callable[[str], bool] | None = None) -> str:
    if not isinstance(value, str):
        raise ProtocolError("not a string", where)
    if not least <= len(value) <= most:
        raise ProtocolError(f"not {least} to {most} characters long", where)
    if not encodable(value):
        raise ProtocolError("holds half a surrogate pair", where)
    if allow is not None and not allow(value):
        raise ProtocolError("holds characters that are not allowed", where)
    return value


class Fields:
    """A JSON object whose fields are asked for by name; what is not asked for is not looked at."""

    def __init__(self, value: object, where: str = "") -> None:
        if not isinstance(value, dict):
            raise ProtocolError("not an object", where)
        self.values = cast("dict[str, object]", value)
        self.where = where

    def _at(self, name: str) -> str:
        return f"{self.where}.{name}" if self.where else name

    def _value(self, name: str) -> object:
        if name not in self.values:
            raise ProtocolError("missing", self._at(name))
        return self.values[name]

    def has(self, name: str) -> bool:
        """Present and not null: null stands for absent wherever a field may be absent."""
        return self.values.get(name) is not None

    def text(self, name: str, most: int, allow: Callable[[str], bool] | None = None, *, least: int = 1) -> str:
        return read_text(self._value(name), self._at(name), least, most, allow)

    def text_or_none(self, name: str, most: int, allow: Callable[[str], bool] | None = None) -> str | None:
        return self.text(name, most, allow) if self.has(name) else None

    def id(self, name: str) -> str:
        return self.text(name, limits.ID, visible_ascii)

    def long_text(self, name: str, most_bytes: int) -> str:
        """Text that is bounded by its UTF-8 size, and may be empty or hold line breaks."""
        text = self.text(name, most_bytes, least=0)
        if len(text) * 4 > most_bytes and len(text.encode("utf-8")) > most_bytes:
            raise ProtocolError(f"larger than {most_bytes} bytes", self._at(name))
        return text

    def integer(self, name: str, least: int = 0, most: int = limits.COUNT) -> int:
        value = self._value(name)
        if not isinstance(value, int) or isinstance(value, bool):
            raise ProtocolError("not an integer", self._at(name))
        if not least <= value <= most:
            raise ProtocolError(f"not from {least} to {most}", self._at(name))
        return value

    def seconds(self, name: str, least: float, most: float, default: float | None = None) -> float:
        if default is not None and not self.has(name):
            return default
        value = self._value(name)
        if not isinstance(value, int | float) or isinstance(value, bool):
            raise ProtocolError("not a number", self._at(name))
        if not least <= value <= most:
            raise ProtocolError(f"not from {least} to {most}", self._at(name))
        return value

    def truth(self, name: str, default: bool) -> bool:
        value = self.values.get(name, default)
        if not isinstance(value, bool):
            raise ProtocolError("not true or false", self._at(name))
        return value

    def one_of(self, name: str, allowed: tuple[str, ...]) -> str:
        value = self._value(name)
        if not isinstance(value, str) or value not in allowed:
            raise ProtocolError(f"not one of {', '.join(allowed)}", self._at(name))
        return value

    def inner(self, name: str) -> "Fields":
        return Fields(self._value(name), self._at(name))

    def items(self, name: str, most: int) -> list[tuple[str, object]]:
        """The list's items, each with its place."""
        value = self._value(name)
        if not isinstance(value, list):
            raise ProtocolError("not a list", self._at(name))
        found = cast("list[object]", value)
        if len(found) > most:
            raise ProtocolError(f"more than {most} items", self._at(name))
        return [(f"{self._at(name)}[{number}]", item) for number, item in enumerate(found)]

    def objects(self, name: str, most: int) -> list["Fields"]:
        return [Fields(item, where) for where, item in self.items(name, most)]

    def texts(self, name: str, count: int, most: int, allow: Callable[[str], bool] | None = None) -> tuple[str, ...]:
        return tuple(read_text(item, where, 1, most, allow) for where, item in self.items(name, count))

    def cursor(self, name: str = "cursor") -> "Cursor":
        """Opaque: a string or an integer, given back exactly as it came."""
        value = self._value(name)
        if isinstance(value, str):
            return self.text(name, limits.CURSOR, lambda text: not text or visible_ascii(text), least=0)
        return self.integer(name, -limits.COUNT)


Cursor = str | int
