"""What the hook path needs of the operating system, without `os`: importing that takes 15 % of a bare start.

The names are those of `os` and `os.path` and mean the same. Windows, where starting a program costs so much more that
this is lost in it, takes them from there.
"""

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "basename",
    "calls",
    "dirname",
    "isabs",
    "isdir",
    "isfile",
    "join",
    "person_home",
    "realpath",
    "variables",
]

_LOOSE = "surrogateescape"
_started: "dict[str, str]" = {}  # the environment, decoded once

if TYPE_CHECKING or sys.platform == "win32":
    import os as calls
    from os.path import basename, dirname, isabs, isdir, isfile, join, realpath
else:
    import posix as calls

    _KIND, _FOLDER, _FILE = 0o170000, 0o040000, 0o100000
    _LINKS = 40  # of one path, as many as Linux follows

    def join(folder: str, *parts: str) -> str:
        """The parts as one path; none of ours is absolute or empty."""
        return "/".join((folder.rstrip("/"), *parts))

    def isabs(path: str) -> bool:
        return path[:1] == "/"

    def dirname(path: str) -> str:
        head, slash, _ = path.rpartition("/")
        return head.rstrip("/") or slash

    def basename(path: str) -> str:
        return path.rpartition("/")[2]

    def isdir(path: str) -> bool:
        return _kind(path) == _FOLDER

    def isfile(path: str) -> bool:
        return _kind(path) == _FILE

    def _kind(path: str) -> int:
        try:
            return calls.stat(path).st_mode & _KIND
        except (OSError, ValueError):
            return 0

    def realpath(path: str) -> str:
        """The path without links, `.` and `..`; what does not exist stays as it is said."""
        done, links = "", 0
        rest = (path if isabs(path) else calls.getcwd() + "/" + path).split("/")[::-1]
        while rest:
            part = rest.pop()
            if part in ("", "."):
                continue
            if part == "..":
                done = done.rpartition("/")[0]
                continue
            here = done + "/" + part
            try:
                target = calls.readlink(here) if links < _LINKS else ""
            except (OSError, ValueError):  # no link, or not there
                target = ""
            if target:
                links += 1
                done = "" if isabs(target) else done
                rest += target.split("/")[::-1]
            else:
                done = here
        return done or "/"


def variables() -> "Mapping[str, str]":
    """The environment: `os.environ` once that is loaded, else what this process was started with."""
    loaded = sys.modules.get("os")
    if loaded is not None:
        return loaded.environ
    if not _started:
        raw: dict[bytes, bytes] = calls.environ  # type: ignore[assignment]  # posix has bytes
        _started.update((name.decode("utf-8", _LOOSE), value.decode("utf-8", _LOOSE)) for name, value in raw.items())
    return _started


def person_home() -> str:
    """The person's home folder."""
    home = variables().get("USERPROFILE" if sys.platform == "win32" else "HOME")
    if home:
        return home
    import os

    return os.path.expanduser("~")
