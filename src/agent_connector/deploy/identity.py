"""Which node is which: a node of a facet, its row in the ledger, and what in a file is recognisably ours."""

from typing import Any

from agent_connector.home.ledger import FileRecord, Kind, Row, canonical, value_hash
from agent_connector.home.paths import FOLDER
from agent_connector.hosts.nodes import Block, Default, Item, Key, Node, Whole

_LAUNCHER = f"{FOLDER}/bin/agent-connector"
MARKDOWN, WHOLE = "markdown", "whole"
Identity = tuple[str, tuple[str | int, ...], str]

_ID_CHARACTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"


def kind_of(node: Node) -> Kind:
    names: dict[type, Kind] = {Key: "key", Item: "item", Default: "default", Block: "block", Whole: "whole"}
    return names[type(node)]


def format_of(node: Node) -> str:
    """The format of the node's file; one file has one."""
    return MARKDOWN if isinstance(node, Block) else WHOLE if isinstance(node, Whole) else node.format


def path_of(node: Node) -> tuple[str, ...]:
    return (node.name,) if isinstance(node, Block) else () if isinstance(node, Whole) else tuple(node.path)


def identity(node: Node) -> Identity:
    """Equal for nodes that are one and the same in a file. Items of a list differ by their value."""
    if isinstance(node, Item):
        return ("item", path_of(node), value_hash(node.value))
    kind = kind_of(node)
    return ("key" if kind == "default" else kind, path_of(node), "")


def identity_of_row(row: Row) -> Identity:
    if row.kind == "item":
        return ("item", row.path, row.hash)
    return ("key" if row.kind == "default" else row.kind, row.path, "")


def node_of(record: FileRecord, row: Row) -> Node:
    """The node that a row stands for; texts of blocks and whole files are not remembered."""
    path = tuple(str(step) for step in row.path)
    form = record.format or ""
    if row.kind == "block":
        return Block(record.path, path[0], "")
    if row.kind == "whole":
        return Whole(record.path, "")
    if row.kind == "item":
        return Item(record.path, form, path, row.value, row.marks)
    return (Key if row.kind == "key" else Default)(record.path, form, path, row.value)


def marked(value: Any, marks: tuple[str, ...]) -> bool:
    """True when every mark stands in the value; a connector's id is not found in a longer one."""
    texts = (canonical(value).replace("\\\\", "/"), "\n".join(_texts(value)).replace("\\", "/"))
    spaced = texts[1].replace("\n", " ")
    return bool(marks) and all(any(_stands(mark, text) for text in (texts[0], spaced)) for mark in marks)


def marks(connector: str) -> tuple[str, str]:
    """What stands in everything that runs our launcher for `connector`."""
    return (_LAUNCHER, f"--connector {connector}")


def is_ours(value: Any, connector: str) -> bool:
    """True when `value` runs our launcher for this connector: ours, even when the ledger does not know it."""
    return marked(value, marks(connector))


def _stands(mark: str, text: str) -> bool:
    whole = not mark or mark[-1] not in _ID_CHARACTERS  # a mark that says itself where it ends
    start = text.find(mark)
    while start >= 0:
        after = text[start + len(mark) : start + len(mark) + 1]
        if whole or not after or after not in _ID_CHARACTERS:
            return True
        start = text.find(mark, start + 1)
    return False


def _texts(value: Any) -> list[str]:
    """Every text in a value, in order, so that a command's separate arguments read as one line."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for child in value.values() for text in _texts(child)]  # pyright: ignore[reportUnknownVariableType]
    if isinstance(value, list | tuple):
        return [text for child in value for text in _texts(child)]  # pyright: ignore[reportUnknownVariableType]
    return []
