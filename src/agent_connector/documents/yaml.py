"""Reading and editing YAML texts in place: block and inline maps and lists of one document.

Aliases and anchors are left as they are: a node that other places repeat is not edited. A key without a value counts
as an empty map or list, and a block map that loses its last entry is a key without a value again.
"""

from typing import Any, NamedTuple

from agent_connector.documents import paths
from agent_connector.documents.lines import position
from agent_connector.documents.paths import EDIT_BY_HAND, END, MISSING, Path, Place
from agent_connector.documents.yaml_edits import create, cut, fill, insert, replace
from agent_connector.documents.yaml_nodes import Document, Node, compose, names_in, value_of
from agent_connector.errors import DocumentError, DuplicateKeyError, ParseError


class Way(NamedTuple):
    """How far a path goes: the containers that were entered, the entry found in each, and what blocks the next step."""

    place: Place
    boxes: tuple[Node, ...]
    hits: tuple[int, ...]
    blocked: Node | None

    @property
    def whole(self) -> bool:
        """True when every step of the path is there."""
        return len(self.hits) == len(self.place)

    @property
    def node(self) -> Node:
        """The last node that was found."""
        return self.boxes[len(self.hits) - 1].items[self.hits[-1]][1]


def load(text: str) -> Any:
    """The whole value, aliases followed; {} when the text holds none. Merge keys (`<<`) stay keys."""
    root = compose(text).root
    return value_of(root, {}) if root else {}


def get(text: str, path: Path) -> Any:
    """The value at `path`, or MISSING."""
    document = compose(text)
    if not document.root:
        return MISSING
    _walk(text, document, path, adding=False)
    return paths.walk(value_of(document.root, {}), path)


def missing_parents(text: str, path: Path) -> tuple[Place, ...]:
    """The places that `put` would make. The top level is never one of them: it goes with its last entry."""
    way = _walk(text, compose(text), path, adding=True)
    return tuple(way.place[:length] for length in range(len(way.hits) + 1, len(path)))


def put(text: str, path: Path, value: Any) -> str:
    """The text with `value` at `path`."""
    value = paths.plain(value)
    document = compose(text)
    way = _walk(text, document, path, adding=True)
    before = _value(document)
    if way.whole and paths.same(paths.walk(before, way.place), value):
        return text
    if not way.place:
        raise DocumentError("the top level of a YAML file is not replaced", remedy=EDIT_BY_HAND)
    _guard(text, document, way, replaced=way.whole)
    after = _put(text, document, way, value)
    actual = _reread(after, way.place)
    if actual != paths.with_put(before, way.place, value):
        raise paths.internal(way.place)
    if not paths.same(paths.walk(actual, way.place), value):
        raise paths.internal(way.place)
    return after


def drop(text: str, path: Path) -> str:
    """The text without what is at `path`."""
    document = compose(text)
    way = _walk(text, document, path, adding=False)
    if not way.whole or not way.place:
        return text
    _guard(text, document, way, replaced=True)
    after = cut(text, document, way.boxes[-1], way.hits[-1])
    expected = paths.with_drop(_value(document), way.place)
    parent = way.place[:-1]
    if not way.boxes[-1].flow and not paths.walk(expected, parent):
        expected = paths.with_put(expected, parent, {} if document.bound and not parent else None)
    if _reread(after, way.place) != expected:
        raise paths.internal(way.place)
    return after


def _put(text: str, document: Document, way: Way, value: Any) -> str:
    if way.whole:
        return replace(text, document, way.boxes[-1], way.hits[-1], value)
    depth = len(way.hits)
    key, value = way.place[depth], paths.nest(way.place[depth + 1 :], value)
    if not document.root:
        return create(text, document, key, value)
    if way.blocked:
        return fill(text, document, way.boxes[-1], way.blocked, key, value)
    return insert(text, document, way.boxes[-1], key, value)


def _walk(text: str, document: Document, path: Path, *, adding: bool) -> Way:
    """Follow `path`; a value of the wrong kind on the way is an error where something is to be added."""
    place: list[str | int] = []
    boxes: list[Node] = []
    hits: list[int] = []
    node, blocked = document.root, None
    for number, step in enumerate(path):
        if node is None or blocked or len(hits) < number:
            place.append(0 if step is END else step)
            continue
        if node.kind != ("map" if isinstance(step, str) else "seq"):
            if (adding and not node.empty) or not boxes:
                raise _wrong_kind(text, path[: number + 1], node)
            blocked = node
            place.append(0 if step is END else step)
            continue
        boxes.append(node)
        key, index = _find(text, node, step, path[: number + 1], adding)
        place.append(key)
        if index >= 0:
            hits.append(index)
            node = node.items[index][1]
        elif adding and isinstance(key, int) and key != len(node.items):
            raise paths.beyond(path[: number + 1], len(node.items))
    return Way(tuple(place), tuple(boxes), tuple(hits), blocked)


def _find(text: str, box: Node, step: paths.Step, path: Path, adding: bool) -> tuple[str | int, int]:
    if not isinstance(step, str):
        index = (len(box.items) if adding else len(box.items) - 1) if step is END else step
        return index, index if 0 <= index < len(box.items) else -1
    found = [n for n, (key, _) in enumerate(box.items) if key and key.kind == "scalar" and value_of(key, None) == step]
    if len(found) > 1:
        first, second = (box.items[n][0] or box for n in found[:2])
        line, column = position(text, second.start)
        raise DuplicateKeyError(
            f"{paths.show(path)} stands there twice, first in line {position(text, first.start)[0]}",
            where=f"line {line}",
            remedy="Keep one of the two by hand, then run the command again.",
            line=line,
            column=column,
        )
    return step, found[0] if found else -1


def _wrong_kind(text: str, path: Path, node: Node) -> ParseError:
    found = "an alias" if node.kind == "alias" else paths.kind(value_of(node, None))
    return paths.wrong_kind(path, found, *position(text, node.start))


def _guard(text: str, document: Document, way: Way, *, replaced: bool) -> None:
    """Refuse what would change other places of the text, or leave an alias without its anchor."""
    if not document.root:
        return
    used = names_in(document.root, aliases=True)
    anchors = {node.anchor for node in (*way.boxes, way.blocked) if node}
    if replaced:
        key, value = way.boxes[-1].items[way.hits[-1]]
        anchors |= names_in(value, aliases=False) | (names_in(key, aliases=False) if key else set())
    if taken := sorted(anchors & used):
        line, column = position(text, way.boxes[-1].start)
        what = f"other places repeat this by its anchor &{taken[0]}"
        raise DocumentError(what, where=f"line {line}", remedy=EDIT_BY_HAND, line=line, column=column)


def _value(document: Document) -> Any:
    """The value for comparisons: aliases stay aliases."""
    return value_of(document.root, None) if document.root else None


def _reread(text: str, place: Place) -> Any:
    try:
        return _value(compose(text))
    except ParseError as error:
        raise paths.internal(place) from error
