"""What a server in Python is called when nobody gives it an id: its own name, else its project's, else its file's."""

import ast
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

_NO_ID = re.compile(r"[^a-z0-9]+")
_LONGEST = 64
_SAY_NOTHING = frozenset(
    {"app", "fastmcp", "init", "main", "mcp", "mcp-server", "server"}
)  # as names of servers and files


@dataclass(frozen=True, slots=True)
class Named:
    """An id, and whose name that is, for telling."""

    id: str
    whose: str


def as_id(name: str) -> str:
    """`name` as a connector's id; "" when nothing of it can stand in one."""
    return _NO_ID.sub("-", name.lower())[: _LONGEST + 1].strip("-")[:_LONGEST].rstrip("-")


def literal(call: ast.Call, tree: ast.Module) -> str:
    """The name that is given to the server where it is made: a text, or a constant of the file; "" for anything else."""
    given = call.args[0] if call.args else next((word.value for word in call.keywords if word.arg == "name"), None)
    if isinstance(given, ast.Name):
        given = _constants(tree).get(given.id)
    return given.value if isinstance(given, ast.Constant) and isinstance(given.value, str) else ""


def _constants(tree: ast.Module) -> Mapping[str, ast.expr]:
    """What is bound once, and to one name, at the top of the file."""
    found: dict[str, ast.expr] = {}
    for node in tree.body:
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        for target in targets:
            if isinstance(target, ast.Name) and isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
                found[target.id] = ast.Constant(None) if target.id in found else node.value
    return found


def chosen(own: str, project: Mapping[str, Any], path: str) -> Named:
    """The first name that says something. A file that is called server.py goes by its folder."""
    stem = os.path.splitext(os.path.basename(path))[0]
    folder = os.path.basename(os.path.dirname(os.path.abspath(path)))
    names = ((own, "its own name"), (str(project.get("name") or ""), "the name of its project"))
    for name, whose in (*names, (stem, "the name of its file"), (folder, "the name of its folder")):
        if (identity := as_id(name)) and identity not in _SAY_NOTHING:
            return Named(identity, whose)
    return Named(as_id(stem) or "server", "the name of its file")
