"""What follows `python` to start a server, wherever a host starts it from.

A file starts as it is. One that is a part of its package (it imports from it) starts as that package's module, and an
object as its `run()`; both then find what stands beside them, as the file alone would. A package that has a script of its
own starts by that: its author knows what else has to be done.
"""

import ast
import os
from collections.abc import Mapping

REQUIREMENTS = "requirements.txt"


def words(path: str, module: str, attribute: str, tree: ast.Module) -> tuple[str, ...]:
    """`module` is "" where a file was named, `attribute` "" where the file runs its server itself."""
    folder = os.path.dirname(path)
    name = module or (_module(path) if _is_part(path, tree) else "")
    if name:
        finds = f"sys.path.insert(0, {_base(path, name)!r}); sys.path.append({folder!r})"
        if attribute:
            return "-c", f"import sys; {finds}; from {name} import {attribute}; {attribute}.run()"
        return "-c", f"import runpy, sys; {finds}; runpy.run_module({name!r}, run_name='__main__', alter_sys=True)"
    if attribute:
        start = f"runpy.run_path({path!r})[{attribute!r}].run()"
        return "-c", f"import runpy, sys; sys.path.insert(0, {folder!r}); {start}"
    return (path,)


def script(path: str, project: str, scripts: Mapping[str, object]) -> str | None:
    """Of a project's scripts the one that starts what is at `path`; None where there is none, or no telling which."""
    name = _module(path)
    calls = {script: str(call).partition(":")[0].strip() for script, call in scripts.items()}
    own = [script for script, module in calls.items() if module.partition(".")[0] == name.partition(".")[0]]
    exact = [script for script in own if calls[script] == name]
    for chosen in ([project] if project in own else [], exact, own):
        if len(chosen) == 1:
            return chosen[0]
    return None


def requirements(path: str) -> str | None:
    """The requirements.txt beside the file, or beside the package that it is in."""
    places = (os.path.dirname(path), _base(path, _module(path)))
    return next((file for place in places if os.path.isfile(file := os.path.join(place, REQUIREMENTS))), None)


def _is_part(path: str, tree: ast.Module) -> bool:
    """True when the file is in a package and imports from it."""
    top, dot, _ = _module(path).partition(".")
    if not dot and os.path.basename(path) != "__init__.py":
        return False
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.level or (node.module or "").partition(".")[0] == top):
            return True
        if isinstance(node, ast.Import) and any(alias.name.partition(".")[0] == top for alias in node.names):
            return True
    return False


def _module(path: str) -> str:
    """The dotted name of a file, with every folder up that is a package."""
    folder, file = os.path.split(path)
    names = [] if file == "__init__.py" else [os.path.splitext(file)[0]]
    while os.path.isfile(os.path.join(folder, "__init__.py")):
        folder, name = os.path.split(folder)
        names.insert(0, name)
    return ".".join(names)


def _base(path: str, name: str) -> str:
    """The folder in which the module `name` is found at `path`."""
    parts = name.split(".") + (["__init__"] if os.path.basename(path) == "__init__.py" else [])
    for _ in parts:
        path = os.path.dirname(path)
    return path
