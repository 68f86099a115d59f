"""A YAML text as nodes with their offsets, made from the marks of `ruamel.yaml`'s events, and the values they mean.

Aliases stay leaves, so a file that expands to millions of nodes costs what its text costs. Plain scalars are read by
YAML 1.2's core rules.
"""

import re
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from agent_connector.documents.lines import position
from agent_connector.documents.paths import EDIT_BY_HAND
from agent_connector.errors import ParseError

_INT = re.compile(r"[-+]?[0-9]+\Z|0o[0-7]+\Z|0x[0-9a-fA-F]+\Z")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?\Z")
_COLON = re.compile(r"(?:[ \t\r\n]++|#[^\r\n]*+)*+:")
_DEEPEST = 200  # ruamel takes time by the square of the depth
_NAN = float("nan")
_INF = float("inf")
_WORDS: dict[str, Any] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
    **dict.fromkeys((".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"), _INF),
    **dict.fromkeys(("-.inf", "-.Inf", "-.INF"), -_INF),
    **dict.fromkeys((".nan", ".NaN", ".NAN"), _NAN),
}


@dataclass(slots=True, eq=False)
class Node:
    """A map, list, scalar or alias. `start` is before its anchor and tag, `begin` at its bracket, first key or dash."""

    kind: str
    start: int
    begin: int
    end: int
    column: int = 0
    flow: bool = False
    text: str = ""
    style: str = ""
    tag: str = ""
    anchor: str = ""
    items: list[tuple["Node | None", "Node"]] = field(default_factory=list["tuple[Node | None, Node]"])

    @property
    def empty(self) -> bool:
        """True for a null that is written as nothing."""
        return self.kind == "scalar" and not self.text and not self.style

    @property
    def last_leaf(self) -> "Node":
        """The node that ends where this one ends."""
        node = self
        while node.items and not node.flow:
            key, value = node.items[-1]
            node = key if key and key.end > value.end else value
        return node


class Document(NamedTuple):
    """The one document of a text: its root (None: it holds nothing) and where its content must end.

    `bound`: it has an end mark and no start mark, so it cannot hold nothing.
    """

    root: Node | None
    end: int
    bound: bool


class Alias(NamedTuple):
    """Stands for what its anchor names, when values are compared."""

    name: str


class Tagged(NamedTuple):
    """A scalar with a tag of its own."""

    tag: str
    text: str


def compose(text: str) -> Document:
    """The nodes of `text`; ParseError when it does not parse or holds several documents."""
    from ruamel.yaml import YAML  # late: it takes longer to import than most verbs take to run
    from ruamel.yaml.error import MarkedYAMLError, YAMLError

    parser: Any = YAML(typ="safe", pure=True)
    composer = _Composer(text)
    try:
        for event in parser.parse(text):
            composer.take(event)
        return composer.document()
    except MarkedYAMLError as fault:
        error: Any = fault  # ruamel's errors carry no types
        mark = error.problem_mark or error.context_mark
        why = str(error.problem or error.context or "a fault")
        line, column = (int(mark.line) + 1, int(mark.column) + 1) if mark else (0, 0)
        remedy = "Replace the tab by blanks." if "\\t" in why else EDIT_BY_HAND
        raise ParseError(
            f"not valid YAML: {why}", where=f"line {line}", remedy=remedy, line=line, column=column
        ) from None
    except (YAMLError, ValueError, OverflowError) as error:
        why = " ".join(str(error).split())
        raise ParseError(f"not valid YAML: {why}", remedy=EDIT_BY_HAND) from None


def value_of(node: Node, anchors: dict[str, Any] | None) -> Any:
    """The value that `node` means; with `anchors` (filled on the way) aliases are followed, else they are `Alias`."""
    if node.kind == "alias":
        return Alias(node.text) if anchors is None else anchors.get(node.text)
    if node.kind == "scalar":
        value = _scalar(node)
        if anchors is not None and isinstance(value, Tagged):
            value = value.text
        if anchors is not None and node.anchor:
            anchors[node.anchor] = value
        return value
    made: Any = {} if node.kind == "map" else []
    if anchors is not None and node.anchor:
        anchors[node.anchor] = made
    for key, child in node.items:
        if key is None:
            made.append(value_of(child, anchors))
        else:
            name = value_of(key, anchors)
            made[name if key.kind == "scalar" else repr(name)] = value_of(child, anchors)
    return made


def names_in(node: Node, *, aliases: bool) -> set[str]:
    """The anchors that a node and its children set, or the `aliases` that they use."""
    names: set[str] = set()
    waiting: list[Node] = [node]
    while waiting:
        node = waiting.pop()
        if aliases and node.kind == "alias":
            names.add(node.text)
        elif not aliases and node.anchor:
            names.add(node.anchor)
        waiting += [part for item in node.items for part in item if part]
    return names


class _Composer:
    """Takes the events of one text, one by one, and makes its nodes."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.root: Node | None = None
        self.end = len(text)
        self.documents = 0
        self.marked = self.ended = False
        self.stack: list[tuple[Node, Node | None]] = []  # open maps and lists, each with the key that has no value yet
        self.anchors: set[str] = set()

    def document(self) -> Document:
        root = self.root
        hollow = root is None or (root.empty and root.start == root.end)
        return Document(None if hollow else root, self.end, self.ended and not self.marked)

    def take(self, event: Any) -> None:
        name = type(event).__name__
        at = event.start_mark.index
        if name == "DocumentStartEvent":
            self.documents += 1
            self.marked = bool(event.explicit)
            if self.documents > 1:
                raise self._error("several documents in one YAML file cannot be edited", at)
        elif name == "DocumentEndEvent" and event.explicit:
            self.end, self.ended = at, True
        elif name in ("MappingEndEvent", "SequenceEndEvent"):
            node, _ = self.stack.pop()
            if node.flow and self.text[node.begin] in "{[":
                node.end = event.end_mark.index
            self._widen(node)
        elif node := _node(self.text, name, event):
            self.root = self.root or node
            self._attach(node)
            self._open(node)

    def _open(self, node: Node) -> None:
        if node.kind == "alias" and node.text not in self.anchors:
            raise self._error(f"not valid YAML: the alias *{node.text} has no anchor before it", node.start)
        self.anchors.add(node.anchor)
        if node.kind in ("map", "seq"):
            if len(self.stack) >= _DEEPEST:
                raise self._error("not readable YAML: nested too deeply", node.start)
            self.stack.append((node, None))

    def _attach(self, node: Node) -> None:
        if not self.stack:
            return
        box, key = self.stack[-1]
        if box.kind == "map" and key is None:
            self.stack[-1] = box, node
            return
        if key is not None:
            self.stack[-1] = box, None
            if node.empty and node.start == node.end:
                # The mark of a value that is not there may lie behind comments: it belongs behind its colon.
                colon = _COLON.match(self.text, key.end, node.start)
                node.start = node.begin = node.end = colon.end() if colon else key.end
        box.items.append((key, node))
        self._widen(node)

    def _widen(self, node: Node) -> None:
        if self.stack:
            box = self.stack[-1][0]
            box.end = max(box.end, node.end)

    def _error(self, what: str, at: int) -> ParseError:
        line, column = position(self.text, at)
        return ParseError(what, where=f"line {line}", remedy=EDIT_BY_HAND, line=line, column=column)


def _node(text: str, name: str, event: Any) -> Node | None:
    if name not in ("AliasEvent", "ScalarEvent", "MappingStartEvent", "SequenceStartEvent"):
        return None
    start, end = event.start_mark.index, event.end_mark.index
    anchor, tag = event.anchor or "", str(getattr(event, "tag", None) or "")
    if name == "AliasEvent":
        return Node("alias", start, start, end, text=anchor)
    if name == "ScalarEvent":
        return Node("scalar", start, start, end, text=event.value, style=event.style or "", tag=tag, anchor=anchor)
    kind, flow = "map" if name[0] == "M" else "seq", bool(event.flow_style)
    begin, column = end, event.end_mark.column
    # The mark ends behind a bracket, and behind the dash of a list that is not indented under its key.
    if (flow and end > start) or (kind == "seq" and text[end : end + 1] != "-"):
        begin, column = begin - 1, column - 1
    return Node(kind, start, begin, begin, column, flow, tag=tag, anchor=anchor)


def _scalar(node: Node) -> Any:
    tag = node.tag.removeprefix("tag:yaml.org,2002:").removeprefix("!!")
    if tag == "str" or node.tag == "!" or (node.style and not tag):
        return node.text
    if tag not in ("", "int", "float", "bool", "null"):
        return Tagged(node.tag, node.text)
    if node.text in _WORDS:
        return _WORDS[node.text]
    try:
        if _INT.match(node.text):
            return int(node.text, 0 if node.text[:2] in ("0o", "0x") else 10)
        return float(node.text) if _FLOAT.match(node.text) else node.text
    except ValueError:  # an integer of thousands of digits
        return node.text
