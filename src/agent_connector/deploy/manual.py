"""The edit that a person can make by hand, where we do not make it."""

import json

from agent_connector.documents.formats import END, FORMATS
from agent_connector.documents.paths import show
from agent_connector.hosts.nodes import Block, Item, Node, Whole

_BLOCKS = ("toml", "yaml")  # a part of such a file is written as it stands there


def to_set(node: Node) -> str:
    """How to bring `node` into its file by hand."""
    if isinstance(node, Block):
        return f"By hand: put this into {node.file}:\n{node.text}"
    if isinstance(node, Whole):
        return f"By hand: move {node.file} away and run this again, or use --force (a backup is kept)."
    if node.format in _BLOCKS:
        path = (*node.path, END) if isinstance(node, Item) else node.path
        return f"By hand: add to {node.file}:\n{FORMATS[node.format].put('', path, node.value).rstrip()}"
    value = json.dumps(node.value, ensure_ascii=False, default=str)
    if isinstance(node, Item):
        return f"By hand: add to the list `{show(node.path)}` in {node.file}: {value}"
    return f"By hand: set `{show(node.path)}` in {node.file} to: {value}"


def to_remove(node: Node) -> str:
    """How to take `node` out of its file by hand."""
    if isinstance(node, Block):
        return f"By hand: take the block `{node.name}` out of {node.file}, with its markers."
    if isinstance(node, Whole):
        return f"By hand: delete {node.file}."
    if isinstance(node, Item):
        marks = " and ".join(f"`{mark}`" for mark in node.marks)
        return f"By hand: in {node.file}, take the element with {marks} out of the list `{show(node.path)}`."
    return f"By hand: take `{show(node.path)}` out of {node.file}."
