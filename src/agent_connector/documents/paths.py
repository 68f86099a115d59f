"""Paths into a document's value: map keys, list indexes, END (one past the last element); and what an edit must yield.

A value is what `json.loads` would give: dicts, lists, strings, numbers, booleans, None (TOML adds its dates).
"""

from datetime import date, datetime, time
from enum import Enum
from typing import Any, Final, Literal, cast

from agent_connector.errors import DocumentError, ParseError


class Mark(Enum):
    """Two values that no document can hold."""

    END = "END"
    MISSING = "MISSING"


END: Final = Mark.END
MISSING: Final = Mark.MISSING

Step = str | int | Literal[Mark.END]
Path = tuple[Step, ...]
Place = tuple[str | int, ...]  # a path whose END is resolved

EDIT_BY_HAND = "Mend this place of the file by hand, then run the command again."


def as_map(value: Any) -> dict[Any, Any] | None:
    """`value` when it is a map, for callers that look inside."""
    return cast("dict[Any, Any]", value) if isinstance(value, dict) else None


def as_list(value: Any) -> list[Any] | None:
    """`value` when it is a list."""
    return cast("list[Any]", value) if isinstance(value, list) else None


def show(path: Path) -> str:
    """A path for people: `mcpServers.acme[0]`."""
    text = ""
    for step in path:
        text += f"[{'end' if step is END else step}]" if not isinstance(step, str) else f".{step}"
    return text.lstrip(".") or "the top level"


def kind(value: Any) -> str:
    """What a value is, in words."""
    names = {dict: "an object", list: "a list", str: "a text", bool: "a boolean", type(None): "null"}
    for known, name in names.items():
        if isinstance(value, known):
            return name
    return "a number" if isinstance(value, int | float) else "a date"


def wanted(step: Step) -> str:
    """What must be there for `step` to lead into it."""
    return "an object" if isinstance(step, str) else "a list"


def wrong_kind(path: Path, found: str, line: int, column: int) -> ParseError:
    """The value before the last step of `path` is of a kind which that step cannot enter."""
    what = f"{show(path[:-1])} is {found}, where {wanted(path[-1])} is needed"
    return ParseError(what, where=f"line {line}", remedy=EDIT_BY_HAND, line=line, column=column)


def beyond(path: Path, length: int) -> DocumentError:
    """An index that is neither in the list nor its end."""
    return DocumentError(f"{show(path)} cannot be put: that list has {length} elements")


def internal(path: Path) -> DocumentError:
    """The edited text does not say what it should: nothing is returned."""
    return DocumentError(
        f"the edit of {show(path)} would have changed more than that; nothing was changed",
        remedy="Please report this with the file's content. " + EDIT_BY_HAND,
    )


def plain(value: Any) -> Any:
    """`value` as fresh dicts and lists, so that callers may hand in tuples and read-only maps."""
    if isinstance(value, str | int | float | date | datetime | time) or value is None:
        return value
    if isinstance(value, list | tuple):
        return [plain(element) for element in cast("list[Any]", value)]
    if not hasattr(value, "items"):
        raise TypeError(f"{type(value).__name__} cannot stand in a document")
    members = {key: plain(element) for key, element in value.items()}
    if not all(isinstance(key, str) for key in members):
        raise TypeError("the keys of a document are texts")
    return members


def same(one: Any, other: Any) -> bool:
    """Equal in value and in type: 1, 1.0 and true are three things in a file, a map's order is not."""
    if isinstance(one, dict):
        return (
            isinstance(other, dict) and one.keys() == other.keys() and all(same(v, other[k]) for k, v in one.items())  # pyright: ignore
        )
    if isinstance(one, list):
        return isinstance(other, list) and len(one) == len(other) and all(map(same, one, other))  # pyright: ignore
    return type(one) is type(other) and (one == other or repr(one) == repr(other) == "nan")


def step_into(value: Any, step: Step, *, last: bool) -> Any:
    """The child at `step` or MISSING; END is the last element when `last`, else nothing."""
    if isinstance(step, str):
        members = as_map(value)
        return MISSING if members is None else members.get(step, MISSING)
    elements = as_list(value)
    if elements is None:
        return MISSING
    index = (len(elements) - 1 if last else len(elements)) if step is END else step
    return elements[index] if 0 <= index < len(elements) else MISSING


def walk(value: Any, path: Path) -> Any:
    """The value at `path`, or MISSING."""
    for step in path:
        value = step_into(value, step, last=True)
    return value


def nest(steps: Path, value: Any) -> Any:
    """`value` inside fresh maps and lists, so that `steps` lead to it."""
    for number, step in reversed(list(enumerate(steps))):
        if isinstance(step, int) and step != 0:
            raise beyond(steps[: number + 1], 0)
        value = {step: value} if isinstance(step, str) else [value]
    return value


def with_put(root: Any, place: Place, value: Any) -> Any:
    """`root`, changed in place, with `value` at `place` (whose END is resolved)."""
    if not place:
        return value
    if root is MISSING or root is None:
        return nest(place, value)
    step, rest = place[0], place[1:]
    child = step_into(root, step, last=False)
    if isinstance(step, int) and step == len(root):
        root.append(nest(rest, value))
    else:
        root[step] = with_put(child, rest, value)
    return root


def with_drop(root: Any, place: Place) -> Any:
    """`root`, changed in place, without what is at `place`; MISSING when that is all of it."""
    if not place:
        return MISSING
    del walk(root, place[:-1])[place[-1]]
    return root
