"""What an author's file needs beyond the standard library and this package, read without running it.

Followed are the imports that the declaration reaches inside its own package, inside functions too; those under
`if TYPE_CHECKING` and those whose absence is caught (`except ImportError`) are no needs.
"""

import ast
import os
import re
import sys
import tomllib
from collections.abc import Iterator
from typing import Any, cast

_SCRIPT = re.compile(r"(?m)^# /// script[ \t]*\r?\n((?:#(?:[ ].*|)\r?\n)+?)# ///[ \t]*\r?$")


def script_requirements(text: str) -> tuple[str, ...] | None:
    """The `dependencies` of inline script metadata (`# /// script`), None when the file has none."""
    found = _SCRIPT.search(text)
    if not found:
        return None
    lines = (line[2:] if line.startswith("# ") else line[1:] for line in found[1].splitlines())
    try:
        table = tomllib.loads("\n".join(lines))
    except tomllib.TOMLDecodeError:
        return None
    given: Any = table.get("dependencies", [])
    return tuple(item for item in cast("list[Any]", given) if isinstance(item, str))


def imported(root: str, module: str) -> frozenset[str]:
    """Top-level names of foreign packages that `module` below the folder `root` reaches."""
    return frozenset(name.partition(".")[0] for name in reached(root, module))


def reached(root: str, module: str) -> frozenset[str]:
    """Dotted names of all that `module` below the folder `root` imports from foreign packages.

    A file that does not parse has none: its import says so better.
    """
    top = module.partition(".")[0]
    seen: set[str] = set()
    foreign: set[str] = set()
    todo = [module]
    while todo:
        name = todo.pop()
        file = _file(root, name)
        if name in seen or file is None:
            continue
        seen.add(name)
        todo.extend(name.rpartition(".")[:1] if "." in name else ())
        for target in _imports(file, name):
            if target.partition(".")[0] == top:
                todo.extend((target, target.rpartition(".")[0]))
            else:
                foreign.add(target)
    ours = sys.stdlib_module_names | {"agent_connector", ""}
    return frozenset(target for target in foreign if target.partition(".")[0] not in ours)


def _file(root: str, module: str) -> str | None:
    path = os.path.join(root, *module.split("."))
    for candidate in (os.path.join(path, "__init__.py"), path + ".py"):
        if os.path.isfile(candidate):
            return candidate
    return None


def _imports(file: str, module: str) -> list[str]:
    tree = _parsed(file)
    if tree is None:
        return []
    package = module if file.endswith("__init__.py") else module.rpartition(".")[0]
    targets: list[str] = []
    for node in _walk(tree):
        if isinstance(node, ast.Import):
            targets += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = _absolute(node, package)
            targets += [base, *(f"{base}.{alias.name}" for alias in node.names)] if base else []
    return targets


def _parsed(file: str) -> ast.Module | None:
    with open(file, "rb") as stream:
        try:
            return ast.parse(stream.read())
        except (SyntaxError, ValueError, MemoryError, RecursionError):  # the last two: nested too deep
            return None


def _absolute(node: ast.ImportFrom, package: str) -> str:
    if not node.level:
        return node.module or ""
    parts = package.split(".")
    parts = parts[: len(parts) - node.level + 1]
    return ".".join([*parts, *([node.module] if node.module else [])])


def _walk(node: ast.AST) -> Iterator[ast.AST]:
    """Every node, without the branches that are for type checkers or that catch a missing import."""
    yield node
    if isinstance(node, ast.If) and ast.unparse(node.test) in ("TYPE_CHECKING", "typing.TYPE_CHECKING"):
        children: list[ast.AST] = [*node.orelse]
    elif isinstance(node, ast.Try) and any(_catches_import(handler) for handler in node.handlers):
        children = [*node.orelse, *node.finalbody]
    else:
        children = list(ast.iter_child_nodes(node))
    for child in children:
        yield from _walk(child)


def _catches_import(handler: ast.ExceptHandler) -> bool:
    return handler.type is None or "ImportError" in ast.unparse(handler.type) or "NotFound" in ast.unparse(handler.type)


def literal_id(file: str) -> str | None:
    """The `id` of the first `Connector(...)` in `file` when it is written out, None when it is not."""
    tree = _parsed(file)
    if tree is None:
        return None
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] == "Connector":
            given = [*node.args[:1], *(word.value for word in node.keywords if word.arg == "id")]
            values = [value.value for value in given if isinstance(value, ast.Constant)]
            return next((value for value in values if isinstance(value, str)), None)
    return None
