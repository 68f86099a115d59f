"""Reading and editing TOML texts in place: pairs, sections, arrays of tables and inline values.

Where a new node goes: into the inline value that holds its parent, as a line behind the last pair of the nearest
section, or as sections of its own behind the last one of its parent (`toml_edits`). Here every result is read again by
`tomllib` and compared.
"""

import re
import tomllib
from typing import Any

from agent_connector.documents import paths
from agent_connector.documents.lines import start_of
from agent_connector.documents.paths import EDIT_BY_HAND, END, MISSING, Path, Place, as_list, as_map
from agent_connector.documents.toml_edits import cut, insert, line_of, pair_over, replace_inline
from agent_connector.documents.toml_render import is_table, is_tables
from agent_connector.documents.toml_scan import scan
from agent_connector.errors import DocumentError, ParseError

_WHERE = re.compile(r"(.*) \(at (?:line (\d+), column (\d+)|end of document)\)\Z", re.DOTALL)
_NAN = float("nan")


def load(text: str) -> dict[str, Any]:
    """The whole value; a byte order mark is no part of it."""
    try:
        return tomllib.loads(text[start_of(text) :], parse_float=_float)
    except tomllib.TOMLDecodeError as error:
        found = _WHERE.match(str(error))
        line, column = (int(found[2]), int(found[3])) if found and found[2] else (text.count("\n") + 1, 0)
        what = f"not valid TOML: {found[1] if found else error}"
        raise ParseError(what, where=f"line {line}", remedy=EDIT_BY_HAND, line=line, column=column) from None
    except ValueError as error:  # an integer with more digits than Python reads
        raise ParseError(f"not readable TOML: {str(error).partition(';')[0]}", remedy=EDIT_BY_HAND) from None
    except RecursionError:
        raise _too_deep() from None


def get(text: str, path: Path) -> Any:
    """The value at `path`, or MISSING."""
    return paths.walk(load(text), path)


def missing_parents(text: str, path: Path) -> tuple[Place, ...]:
    """The places that `put` would make. A parent without a header of its own goes with its last child."""
    place, depth = _reach(text, load(text), path)
    return tuple(place[:length] for length in range(depth + 1, len(place)))


def put(text: str, path: Path, value: Any) -> str:
    """The text with `value` at `path`. A table over a table is merged key by key, so that its comments stay."""
    value = paths.plain(value)
    before = load(text)
    place, _ = _reach(text, before, path)
    if paths.same(paths.walk(before, place), value):
        return text
    after = _put(text, place, value)
    actual = _reread(after, place)
    if not _equal(actual, paths.with_put(before, place, value)) or not paths.same(paths.walk(actual, place), value):
        raise paths.internal(place)
    return after


def drop(text: str, path: Path) -> str:
    """The text without what is at `path`."""
    before = load(text)
    place = _present(before, path)
    if not place:
        return text
    after = cut(text, scan(text), place)
    actual, expected = _reread(after, place), paths.with_drop(before, place)
    parent = place[:-1]
    while not _equal(actual, expected):
        # A parent without a header of its own is gone with its last child.
        if not parent or paths.walk(expected, parent) not in ({}, []):
            raise paths.internal(place)
        expected, parent = paths.with_drop(expected, parent), parent[:-1]
    return after


def _equal(one: Any, other: Any) -> bool:
    try:
        return one == other
    except RecursionError:  # dotted keys are read at any depth, and compared at a thousand
        raise _too_deep() from None


def _too_deep() -> ParseError:
    return ParseError("not readable TOML: nested too deeply", remedy=EDIT_BY_HAND)


def _float(text: str) -> float:
    return _NAN if text.endswith("nan") else float(text)  # one object, so that two readings compare as equal


def _reach(text: str, value: Any, path: Path) -> tuple[Place, int]:
    """`path` with END resolved, and how many of its steps exist; a value of the wrong kind on the way is an error."""
    place: list[str | int] = []
    depth = 0
    for number, step in enumerate(path):
        elements = as_list(value)
        if value is MISSING:
            place.append(0 if step is END else step)
            continue
        if (as_map(value) if isinstance(step, str) else elements) is None:
            line, column = line_of(text, scan(text), tuple(place))
            raise paths.wrong_kind(path[: number + 1], paths.kind(value), line, column)
        length = len(elements or ())
        place.append(length if step is END else step)
        value = paths.step_into(value, step, last=False)
        if value is MISSING and isinstance(place[-1], int) and place[-1] != length:
            raise paths.beyond(path[: number + 1], length)
        depth += value is not MISSING
    return tuple(place), depth


def _present(value: Any, path: Path) -> Place:
    """`path` with END as the last element; () when it does not lead to anything."""
    place: list[str | int] = []
    for step in path:
        place.append(len(as_list(value) or ()) - 1 if step is END else step)
        value = paths.step_into(value, step, last=True)
    return () if value is MISSING else tuple(place)


def _put(text: str, place: Place, value: Any) -> str:
    sections, before = scan(text), load(text)
    _, depth = _reach(text, before, place)
    if depth < len(place):
        return insert(text, sections, place[:depth], place[depth], paths.nest(place[depth + 1 :], value))
    pair = pair_over(sections, place)
    if pair:
        return replace_inline(text, pair, place, value)
    old = paths.walk(before, place)
    if is_table(old) and is_table(value):
        return _merge(text, place, old, value)
    if isinstance(old, list) and (is_tables(value) or value == []):
        return _merge_tables(text, place, len(old), value)  # pyright: ignore[reportUnknownArgumentType]
    if not place or isinstance(place[-1], int):
        raise DocumentError(f"only a table can stand at {paths.show(place)}")
    return _put(cut(text, sections, place), place, value)


def _merge(text: str, place: Place, old: dict[str, Any], new: dict[str, Any]) -> str:
    """A table of sections and pairs, changed key by key; what is new comes before what goes, so that it never is empty."""
    for name, value in new.items():
        if not paths.same(old.get(name, MISSING), value):
            text = _put(text, (*place, name), value)
    for name in old:
        if name not in new:
            text = cut(text, scan(text), (*place, name))
    return text if paths.walk(load(text), place) is not MISSING else _put(text, place, new)


def _merge_tables(text: str, place: Place, length: int, new: list[Any]) -> str:
    for index, value in enumerate(new):
        text = _put(text, (*place, index), value)
    for index in range(length - 1, len(new) - 1, -1):
        text = cut(text, scan(text), (*place, index))
    return text if new else _put(text, place, new)


def _reread(text: str, place: Place) -> dict[str, Any]:
    try:
        return load(text)
    except ParseError as error:
        raise paths.internal(place) from error
