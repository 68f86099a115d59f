"""Which variables of a command are surely known where they are used: those with one plain assignment that must come first."""

from agent_connector.worker.guard import tree
from agent_connector.worker.guard.tree import text_of
from agent_connector.worker.guard.words import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tree_sitter import Node

LATER, LOOP = (
    "\ufffd later",
    "\ufffd loop",
)  # one sure assignment that has not come yet; one loop that gives the values


def surely(root: "Node") -> "dict[str, str | None]":
    """Every variable that the text sets: LATER when one plain assignment is sure to be carried out before what follows."""
    found: dict[str, str | None] = {}
    for node in tree.walk(root):
        if node.type == "variable_assignment" and node.parent is not None and node.parent.type != "command":
            name = text_of(node.named_children[0])
            sure = _is_sure(node) and b"+=" not in (node.text or b"").partition(b"=")[0] + b"="
            numeric = node.named_children[-1].type in ("arithmetic_expansion", "number")
            mark = LATER if sure else UNKNOWN if numeric else None
            found[name] = (
                mark if name not in found else UNKNOWN if numeric and _is_number(found[name], root, name) else None
            )
        elif node.type == "for_statement":
            name = text_of(next(child for child in node.named_children if child.type == "variable_name"))
            found[name] = LOOP if name not in found else None
    return found


def _is_number(mark: "str | None", root: "Node", name: str) -> bool:
    """Is every assignment of the variable one of a number?"""
    return all(
        node.named_children[-1].type in ("arithmetic_expansion", "number")
        for node in tree.walk(root)
        if node.type == "variable_assignment" and text_of(node.named_children[0]) == name
    )


def _is_sure(node: "Node") -> bool:
    above = node.parent
    while above is not None and above.type != "program":
        if above.type not in ("list", "declaration_command", "variable_assignments"):
            return False
        if above.type == "list" and not any(child.type == "&&" for child in above.children):
            return False
        above = above.parent
    return True
