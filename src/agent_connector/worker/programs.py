"""Which folders have to be readable for a program to start: its own, those that its links lead through, its interpreter's.

/opt/tools/bin/gemini -> ../gemini/node_modules/.bin/gemini -> ../@google/gemini-cli/bundle/gemini.js  (#!/usr/bin/env node)
needs /opt/tools/bin, /opt/tools/gemini and the folder of `node`.
"""

import os
import shutil
from collections.abc import Iterator

from agent_connector.worker.sandbox import system

_LINKS = 16  # hops of a link that are followed; the system follows 40
_LINE = 512
_PACKAGES = ("node_modules", "site-packages")


def readable(program: str, path: str) -> tuple[str, ...]:
    """The folders, outermost only; `path` is the PATH on which an interpreter is looked up."""
    found = dict.fromkeys(folder for one in _chain(program, path) for folder in _folders(one))
    return tuple(one for one in found if not any(one != other and _below(one, other) for other in found))


def _chain(program: str, path: str) -> Iterator[str]:
    """The program, each file that a link of it names, and the same for what interprets it."""
    for _ in range(_LINKS):
        yield os.path.abspath(program)
        if not os.path.islink(program):
            break
        program = os.path.normpath(os.path.join(os.path.dirname(program), os.readlink(program)))
    yield os.path.realpath(program)
    interpreter = _interpreter(os.path.realpath(program), path)
    if interpreter is not None and os.path.realpath(interpreter) != os.path.realpath(program):
        yield from _chain(interpreter, path)


def _folders(program: str) -> Iterator[str]:
    """What its folder is a part of, by its name and by where that leads: on most systems /bin is /usr/bin."""
    named = os.path.dirname(program)
    for folder in dict.fromkeys((named, os.path.realpath(named))):
        # never all there is
        found = next((one for one in (_whole(folder), folder, program) if os.path.realpath(one) != os.sep), program)
        if not _is_mounted(found):
            yield found


def _whole(folder: str) -> str:
    """The package or the prefix that the folder is a part of, else the folder itself."""
    parts = folder.split(os.sep)
    for name in _PACKAGES:
        if name in parts:
            at = parts.index(name)
            return os.sep.join(parts[:at] if at > 1 else parts[: at + 1])
    above = os.path.dirname(folder)
    return above if os.path.basename(folder) in ("bin", "Scripts") and _is_prefix(above) else folder


def _is_mounted(folder: str) -> bool:
    """Every run sees the system's own folders anyway."""
    real = os.path.realpath(folder)
    return any(real == one or _below(real, one) for one in map(os.path.realpath, system.FOLDERS))


def _is_prefix(folder: str) -> bool:
    """A Python environment, or the prefix of an interpreter: the libraries beside `bin` belong to it."""
    if os.path.isfile(os.path.join(folder, "pyvenv.cfg")):
        return True
    libraries = os.path.join(folder, "lib")
    return os.path.isdir(os.path.join(libraries, "node_modules")) or (
        os.path.isdir(libraries) and any(name.startswith("python") for name in os.listdir(libraries))
    )


def _interpreter(program: str, path: str) -> str | None:
    """What the first line of a script names; `env` is looked through."""
    try:
        with open(program, "rb") as file:
            line = file.readline(_LINE)
    except OSError:
        return None
    if not line.startswith(b"#!"):
        return None
    words = line[2:].decode("utf-8", "replace").split()
    while words and (os.path.basename(words[0]) == "env" or words[0].startswith("-") or "=" in words[0]):
        words.pop(0)
    return shutil.which(words[0], path=path) if words else None


def _below(path: str, folder: str) -> bool:
    return path.startswith(folder.rstrip(os.sep) + os.sep)
