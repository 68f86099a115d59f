"""The `.git` of an agent's clone, read as data: which commit it ended at, and whether its objects are its own.

Every name in it may be a link to something of the person's that an agent cannot read, but the worker can: so nothing
here follows one, and an object store with a link in it, or one that borrows from another, is refused.
"""

import os
import re
import stat
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

from agent_connector.home import private

_LARGEST = 8 * 1024 * 1024
_ID = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_OPEN = sum(getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_CLOEXEC", "O_NONBLOCK", "O_BINARY"))


@dataclass(frozen=True, slots=True)
class Refs:
    """`head` is the commit that is checked out, `on` its branch (None: of none), `branches` the commit of each."""

    head: str | None
    on: str | None
    branches: dict[str, str]
    stash: bool


def refusal(clone: str) -> str | None:
    """Why the clone's objects are not taken, None when they may be."""
    top = os.path.join(clone, ".git")
    objects = os.path.join(top, "objects")
    for folder in (clone, top, objects):
        if not _real_folder(folder):
            return f"{_named(folder, clone)} is a link, or no folder any more"
    for name in ("alternates", "http-alternates"):
        if os.path.lexists(os.path.join(objects, "info", name)):
            return "its objects are borrowed from another repository"
    try:
        odd = next(_odd(objects), None)
    except OSError as error:
        return f"its objects cannot be read: {error.strerror}"
    return f"{_named(odd, clone)} is a link, or no file" if odd else None


def read(clone: str) -> Refs:
    """Where the branches are. What is damaged is as good as not there."""
    top = os.path.join(clone, ".git")
    branches = _packed(top)
    branches.update(_loose(top))
    head = _line(os.path.join(top, "HEAD"))
    on = head.removeprefix("ref: refs/heads/") if head.startswith("ref: refs/heads/") else None
    commit = branches.get(on) if on is not None else (head if _ID.fullmatch(head) else None)
    return Refs(commit, on, branches, os.path.lexists(os.path.join(top, "refs", "stash")))


def exclude(clone: str, lines: str) -> None:
    """Have git in the clone leave out those paths; nothing is written where a link leads elsewhere."""
    info = os.path.join(clone, ".git", "info")
    with suppress(FileExistsError):
        os.mkdir(info)
    if _real_folder(info):
        private.write(os.path.join(info, "exclude"), lines)


def _odd(folder: str) -> Iterator[str]:
    """What is neither a plain file nor a folder."""
    waiting = [folder]
    while waiting:
        with os.scandir(waiting.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(entry.path)
                elif not entry.is_file(follow_symlinks=False):
                    yield entry.path


def _packed(top: str) -> dict[str, str]:
    found = dict[str, str]()
    for line in _text(os.path.join(top, "packed-refs")).splitlines():
        commit, _, name = line.partition(" ")
        if _ID.fullmatch(commit) and name.startswith("refs/heads/"):
            found[name.removeprefix("refs/heads/")] = commit
    return found


def _loose(top: str) -> dict[str, str]:
    """Only real folders on the way are looked into."""
    if not (_real_folder(os.path.join(top, "refs")) and _real_folder(os.path.join(top, "refs", "heads"))):
        return {}
    found, waiting = dict[str, str](), [""]
    while waiting:
        below = waiting.pop()
        with os.scandir(os.path.join(top, "refs", "heads", below)) as entries:
            for entry in entries:
                name = f"{below}/{entry.name}" if below else entry.name
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(name)
                elif _ID.fullmatch(commit := _line(entry.path)):
                    found[name] = commit
    return found


def _line(path: str) -> str:
    return _text(path).strip()


def _text(path: str) -> str:
    try:
        descriptor = os.open(path, os.O_RDONLY | _OPEN)
    except OSError:
        return ""
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return ""
        with open(descriptor, "rb", closefd=False) as stream:
            return stream.read(_LARGEST).decode("utf-8", "surrogateescape")
    finally:
        os.close(descriptor)


def _real_folder(path: str) -> bool:
    try:
        return stat.S_ISDIR(os.lstat(path).st_mode)
    except OSError:
        return False


def _named(path: str, clone: str) -> str:
    return ascii(os.path.relpath(path, clone)).strip("'")
