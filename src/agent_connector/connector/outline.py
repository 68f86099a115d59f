"""A light `Connector` as plain values (texts, numbers, lists, mappings), the same shape that TOML gives.

It runs beside the author's code, in a process of its own, so it imports little. Functions become where they stand.
"""

import os
from collections.abc import Callable, Mapping
from typing import Any, cast

from agent_connector.connector.declare import Connector, Part
from agent_connector.errors import Problem

_COROUTINE = 0x80  # code flags, as in the inspect module
_VARARGS = 0x04
_ASYNC_GENERATOR = 0x200


def outline(connector: Connector) -> tuple[dict[str, Any], list[Problem]]:
    """The declaration as plain values, and what could not be made plain."""
    problems: list[Problem] = []
    declaration = {key: _plain(value, key, problems) for key, value in connector.fields.items() if value is not None}
    for kind, parts in connector.parts.items():
        if parts:
            declaration[kind] = [_part(kind, number, part, problems) for number, part in enumerate(parts)]
    return declaration, problems


def _part(kind: str, number: int, part: Part, problems: list[Problem]) -> dict[str, Any]:
    path = f"{kind}[{number}]"
    fields = {key: _plain(value, f"{path}.{key}", problems) for key, value in part.fields.items() if value is not None}
    if part.handler is not None:
        fields["handler"] = _handler(part.handler)
    return fields


def _plain(value: Any, path: str, problems: list[Problem]) -> Any:
    if value is None or isinstance(value, str | bool | int | float):
        return value
    if isinstance(value, os.PathLike):
        return str(os.fspath(value))  # pyright: ignore[reportUnknownArgumentType]
    if isinstance(value, Mapping):
        items = cast("Mapping[Any, Any]", value)
        return {str(key): _plain(inner, f"{path}.{key}", problems) for key, inner in items.items()}
    if isinstance(value, set | frozenset):
        return sorted(_plain(inner, path, problems) for inner in value)  # pyright: ignore[reportUnknownVariableType]
    if isinstance(value, list | tuple):
        inner_values = cast("list[Any]", value)
        return [_plain(inner, f"{path}[{number}]", problems) for number, inner in enumerate(inner_values)]
    problems.append(Problem(path, f"a {type(value).__name__}", "texts, numbers, booleans, lists and mappings of these"))
    return None


def _handler(function: Callable[..., Any]) -> dict[str, Any]:
    inner: Any = function
    while hasattr(inner, "__wrapped__"):
        inner = inner.__wrapped__
    code = getattr(inner, "__code__", None) or getattr(getattr(inner, "__call__", None), "__code__", None)  # noqa: B004
    flags = getattr(code, "co_flags", 0)
    return {
        "name": getattr(inner, "__qualname__", type(inner).__name__),
        "callable": callable(function),
        "async": bool(flags & (_COROUTINE | _ASYNC_GENERATOR)),
        "line": getattr(code, "co_firstlineno", 0),
        "takes_one": _takes_one(inner, code),
    }


def _takes_one(function: Any, code: Any) -> bool:
    """True when the function can be called with one positional argument, or when nobody can tell."""
    if code is None:
        return True
    bound = 1 if getattr(function, "__self__", None) is not None or not hasattr(function, "__code__") else 0
    defaults = getattr(function, "__defaults__", None) or ()
    keyword_only = code.co_kwonlyargcount - len(getattr(function, "__kwdefaults__", None) or ())
    count = code.co_argcount - bound
    most_need_one = count - len(defaults) <= 1
    return most_need_one and keyword_only <= 0 and (count >= 1 or bool(code.co_flags & _VARARGS))
