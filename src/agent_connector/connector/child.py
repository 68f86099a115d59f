"""Imports an author's file in a process of its own and hands its outline back as JSON.

Started as a script under `python -I -S`, so the author's code sees what it will see in hosts: the standard
library, this package, and the packages that it declared. What it prints goes to stderr; the answer has its own pipe.
"""

import importlib
import importlib.machinery
import importlib.util
import json
import os
import sys
import time
import traceback
from typing import Any, cast


def main() -> None:
    answer = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    request: dict[str, Any] = json.load(sys.stdin)
    _offer_ourselves(request["package"])
    sys.meta_path.insert(0, _Declaration(request["root"], request["module"].partition(".")[0]))
    sys.path.extend(request["packages"])
    started = time.perf_counter()
    try:
        module = importlib.import_module(request["module"])
    except BaseException as error:  # noqa: BLE001  # whatever the author's file does, the installer has to say it
        result: dict[str, Any] = {"error": _describe(error, request["root"])}
    else:
        result = _read(module, request["attribute"])
    result["seconds"] = time.perf_counter() - started
    json.dump(result, answer)
    answer.flush()
    os._exit(0)  # threads and exit handlers of the author's file have no say here


class _Declaration:
    """Finds the author's file or package and nothing beside it, as where hosts run the copy of it."""

    def __init__(self, root: str, top: str) -> None:
        self._root = root
        self._top = top

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        if name != self._top or path is not None:
            return None
        return importlib.machinery.PathFinder.find_spec(name, [self._root])


def _offer_ourselves(folder: str) -> None:
    """Make `agent_connector` importable without the folder beside it, which may hold anybody's packages."""
    place = os.path.join(folder, "__init__.py")
    spec = importlib.util.spec_from_file_location("agent_connector", place, submodule_search_locations=[folder])
    if spec is None or spec.loader is None:
        raise ImportError(f"{place} is no module")
    module = importlib.util.module_from_spec(spec)
    sys.modules["agent_connector"] = module
    spec.loader.exec_module(module)


def _read(module: Any, attribute: str) -> dict[str, Any]:
    from agent_connector.connector.declare import Connector
    from agent_connector.connector.outline import outline

    known = cast("dict[str, Any]", vars(module))
    names = [name for name, value in known.items() if isinstance(value, Connector)]
    if attribute not in names:
        if len(names) != 1:
            kind = type(getattr(module, attribute)).__name__ if hasattr(module, attribute) else None
            return {"missing": {"names": names, "kind": kind}}
        attribute = names[0]
    declaration, problems = outline(getattr(module, attribute))
    return {
        "attribute": attribute,
        "declaration": declaration,
        "problems": [[problem.path, problem.found, problem.allowed] for problem in problems],
    }


def _describe(error: BaseException, root: str) -> dict[str, Any]:
    """What was raised, and the last line of the author's own files on the way."""
    file, line = "", 0
    if isinstance(error, SyntaxError):
        file, line = error.filename or "", error.lineno or 0
    else:
        for frame in traceback.extract_tb(error.__traceback__):
            if frame.filename.startswith(root):
                file, line = frame.filename, frame.lineno or 0
    missing = error.name or "" if isinstance(error, ModuleNotFoundError) else ""
    text = error.msg if isinstance(error, SyntaxError) else str(error)
    return {"type": type(error).__name__, "text": text, "file": file, "line": line, "missing": missing}


if __name__ == "__main__":
    main()
