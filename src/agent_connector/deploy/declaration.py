"""The copy of an author's file or package that hosts run, in our home, and the manifest beside it.

The copy is made beside the old one and swapped in whole, compiled already; one that is equal is left as it is.
"""

import compileall
import hashlib
import json
import os
import shutil
from collections.abc import Iterator, Sequence

from agent_connector.connector import manifest
from agent_connector.connector.model import ConnectorModel, Source
from agent_connector.errors import DeployError
from agent_connector.home import paths, private

LIMIT = 64 << 20  # bytes; more than this is no declaration, but a whole project
_LEFT_OUT = frozenset(
    {"__pycache__", ".git", ".hg", ".venv", "venv", "node_modules", ".mypy_cache", ".ruff_cache", ".pytest_cache"}
)


def settle(root: str, model: ConnectorModel, shares_hooks: Sequence[str], *, copy: bool = True) -> bool:
    """The connector's folder holds its manifest and the copy of its code. True when anything changed.

    Without `copy` the code stays as it is there, whatever its origin has become.
    """
    copied = copy and _copy(model.source, paths.declaration_folder(root, model.id))
    data = (json.dumps(manifest.build(model, shares_hooks), indent=1, ensure_ascii=False) + "\n").encode()
    file = paths.manifest(root, model.id)
    if private.read(file) == data:
        return copied
    private.write(file, data)
    return True


def _copy(source: Source, folder: str) -> bool:
    if not source.has_code:
        shutil.rmtree(folder, ignore_errors=True)
        return False
    wanted = list(code(source))
    if _print(wanted) == _print(_files_below(folder)):
        return False
    fresh, old = folder + ".new", folder + ".old"
    for leftover in (fresh, old):
        shutil.rmtree(leftover, ignore_errors=True)
    for relative, origin in wanted:
        target = os.path.join(fresh, *relative.split("/"))
        private.make_folder(os.path.dirname(target))
        shutil.copyfile(origin, target)
    compileall.compile_dir(fresh, quiet=2, stripdir=fresh, prependdir=folder)
    if os.path.isdir(folder):
        os.rename(folder, old)
    os.rename(fresh, folder)
    shutil.rmtree(old, ignore_errors=True)
    return True


def changed(root: str, connector: str, source: Source) -> bool:
    """True when the author's file or package is no longer what was copied. One that is gone has not changed."""
    if not source.has_code or not os.path.exists(source.path):
        return False
    return _print(list(code(source))) != _print(_files_below(paths.declaration_folder(root, connector)))


def code(source: Source) -> Iterator[tuple[str, str]]:
    """(path in the copy, path of the origin) of all that is copied."""
    if source.kind == "file":
        yield os.path.basename(source.path), source.path
        return
    top, size = os.path.basename(source.path), 0
    for relative, origin in _files_below(source.path):
        size += os.path.getsize(origin)
        if size > LIMIT:
            raise DeployError(
                f"the package is larger than {LIMIT >> 20} MB",
                where=source.path,
                remedy="Declare the connector in a small package or file of its own.",
            )
        yield f"{top}/{relative}", origin


def _files_below(folder: str) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in _LEFT_OUT)
        for name in sorted(files):
            origin = os.path.join(place, name)
            if os.path.isfile(origin) and not name.endswith(".pyc"):
                found.append((os.path.relpath(origin, folder).replace(os.sep, "/"), origin))
    return found


def _print(files: Sequence[tuple[str, str]]) -> str:
    """A hash over names and contents."""
    digest = hashlib.sha256()
    for relative, origin in sorted(files):
        with open(origin, "rb") as stream:
            digest.update(f"{relative}\0".encode() + hashlib.sha256(stream.read()).digest())
    return digest.hexdigest()
