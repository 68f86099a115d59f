"""Makes the bundle of the hook path for the running interpreter: see `runtime/bundled.py`.

What belongs in it is found, not listed: all that the entries below import when they are loaded. The code has no
docstrings, which only take time to load, and asserts nothing.
"""

import ast
import importlib.util
import marshal
import os
import sys
from collections.abc import Iterable

NAME = f"bundle.{sys.implementation.cache_tag}"
_ROOT = "agent_connector"
_ENTRIES = (
    "connector.declare",
    "runtime.dispatch",
    "runtime.hook",
    "runtime.statusline",
    "runtime.handlers",
    "runtime.declaration",
    "telemetry.append",
    "runtime.byoa_door",
)
_FACETS = ("hooks", "statusline")


def pack(package: str, final: str) -> bytes:
    """The bundle of the package in the folder `package`, which will be used from the folder `final`."""
    index: dict[str, tuple[int, int, str]] = {}
    code = b""
    for name, path in sorted(modules(package).items()):
        relative = path[len(package) :].replace(os.sep, "/")
        blob = _compiled(path, final + relative)
        index[name] = (len(code), len(blob), relative)
        code += blob
    loader = _compiled(os.path.join(package, "runtime", "bundled.py"), final + "/runtime/bundled.py")
    return _sized(loader) + _sized(marshal.dumps(index)) + code


def modules(package: str) -> dict[str, str]:
    """Every module of the hook path and its file."""
    found: dict[str, str] = {}
    waiting = [f"{_ROOT}.{entry}" for entry in (*_ENTRIES, *_facets(package))]
    while waiting:
        name = waiting.pop()
        path = _file(package, name)
        if name in found or path is None:
            continue
        found[name] = path
        waiting += [".".join(name.split(".")[:depth]) for depth in range(1, name.count(".") + 1)]
        with open(path, encoding="utf-8") as stream:
            waiting += _imported(ast.parse(stream.read()).body)
    return found


def _facets(package: str) -> Iterable[str]:
    for host in os.listdir(os.path.join(package, "hosts")):
        for facet in _FACETS:
            if os.path.exists(os.path.join(package, "hosts", host, facet + ".py")):
                yield f"hosts.{host}.{facet}"


def _file(package: str, name: str) -> str | None:
    place = os.path.join(package, *name.split(".")[1:])
    return next((path for path in (place + ".py", os.path.join(place, "__init__.py")) if os.path.isfile(path)), None)


def _imported(body: Iterable[ast.stmt]) -> Iterable[str]:
    """What these statements import of ours when the module is loaded."""
    for statement in body:
        if isinstance(statement, ast.ImportFrom) and statement.module and statement.module.startswith(_ROOT):
            yield statement.module
            yield from (f"{statement.module}.{alias.name}" for alias in statement.names)
        elif isinstance(statement, ast.Import):
            yield from (alias.name for alias in statement.names if alias.name.startswith(_ROOT))


def _compiled(path: str, shown: str) -> bytes:
    with open(path, "rb") as stream:
        source = importlib.util.decode_source(stream.read())
    return marshal.dumps(compile(source, shown, "exec", dont_inherit=True, optimize=2))


def _sized(data: bytes) -> bytes:
    return len(data).to_bytes(4, "little") + data


if __name__ == "__main__":
    with open(os.path.join(sys.argv[1], "runtime", NAME), "wb") as output:
        output.write(pack(sys.argv[1], sys.argv[2]))
