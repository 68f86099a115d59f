"""JSON by the C scanner and encoder alone: importing `json` would take more time than all else that a hook does."""

from _json import encode_basestring_ascii, make_encoder, make_scanner

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_BLANK = " \t\n\r"


class _Options:
    """What `json.JSONDecoder` would tell the scanner. Raw control characters in texts are let through."""

    strict = False
    object_hook = object_pairs_hook = array_hook = None
    parse_float = float
    parse_int = int
    parse_constant = {"NaN": float("nan"), "Infinity": float("inf"), "-Infinity": float("-inf")}.__getitem__
    memo: "dict[str, str]" = {}  # noqa: RUF012  # the scanner's own


_scan = make_scanner(_Options)  # type: ignore[arg-type]  # typeshed wants a JSONDecoder; these fields are all it reads


def decode(data: bytes) -> "Any":
    """The value in `data`; ValueError when it is no JSON. Invalid UTF-8 becomes U+FFFD, a BOM is skipped."""
    text = data.decode("utf-8", "replace")
    start, end = 0, len(text)
    if text[:1] == "\ufeff":
        start = 1
    while start < end and text[start] in _BLANK:
        start += 1
    try:
        value, stop = _scan(text, start)
    except StopIteration as error:
        raise ValueError(f"no JSON at character {error.value}") from None
    except RecursionError:
        raise ValueError("nested too deeply") from None
    except SystemError:  # the scanner found a fault, and `json` is not loaded, whose error it wants to raise
        raise ValueError("broken JSON") from None
    if text[stop:].strip(_BLANK):
        raise ValueError(f"more than one JSON value, from character {stop}")
    return value


def decode_object(data: bytes) -> "dict[str, Any]":
    """The object in `data`; ValueError when it is no JSON or another kind of value."""
    value = decode(data)
    if not isinstance(value, dict):
        raise ValueError(f"a {type(value).__name__} where an object is due")  # noqa: TRY004
    return value  # pyright: ignore[reportUnknownVariableType]


def encode(value: object) -> bytes:
    """`value` as compact ASCII JSON; TypeError or ValueError when it has no JSON form."""
    encoder = make_encoder({}, _refuse, encode_basestring_ascii, None, ":", ",", False, False, False)
    return "".join(encoder(value, 0)).encode("ascii")


def _refuse(value: object) -> object:
    raise TypeError(f"a {type(value).__name__} has no JSON form")
