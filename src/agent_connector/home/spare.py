"""Where to work when our own folder takes nothing: a home that is only to be read, a full disk.

except AgentConnectorError as error:
    if spare.barred(error):
        with spare.folder(files) as place: ...      a temporary folder that holds copies of them
"""

import errno
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Generator, Mapping
from contextlib import contextmanager, suppress

from agent_connector.errors import HomeError
from agent_connector.home import private

_SYSTEM = (errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOSPC, errno.EDQUOT)
_SQLITE = ("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_FULL", "SQLITE_IOERR", "SQLITE_PERM")
_MEMORY = "/dev/shm"  # noqa: S108  # where Linux keeps files in memory: a full disk does not fill it
_ROOM = 16 << 20  # bytes beside the copies, for what is worked out from them
_TRIES = 5  # copies of files that another program writes to meanwhile: those of a database belong together


def barred(error: BaseException | None) -> bool:
    """True when `error` came of a place that takes nothing; what is damaged or wrong is another matter."""
    while error is not None:
        if isinstance(error, OSError) and error.errno in _SYSTEM:
            return True
        if isinstance(error, sqlite3.Error) and getattr(error, "sqlite_errorname", "").startswith(_SQLITE):
            return True
        error = error.__cause__
    return False


@contextmanager
def folder(files: Mapping[str, str]) -> Generator[str]:
    """A folder of its own, removed afterwards, with a copy of each file (path -> its path there); none of what is not there."""
    place = _made(sum(os.path.getsize(path) for path in files if os.path.isfile(path)))
    try:
        for _ in range(_TRIES):
            before = [_looks(path) for path in files]
            for path, name in files.items():
                _copy(path, os.path.join(place, name))
            if before == [_looks(path) for path in files]:
                break
        yield place
    finally:
        shutil.rmtree(place, ignore_errors=True)


def database(path: str, name: str) -> dict[str, str]:
    """The files of an SQLite database, for `folder`."""
    return {path + end: name + end for end in ("", "-wal")}


def _looks(path: str) -> tuple[int, int, int]:
    try:
        found = os.stat(path)
    except OSError:
        return 0, 0, 0
    return found.st_ino, found.st_size, found.st_mtime_ns


def _copy(path: str, copy: str) -> None:
    private.make_folder(os.path.dirname(copy))
    try:
        shutil.copyfile(path, copy)
    except FileNotFoundError:
        with suppress(FileNotFoundError):
            os.unlink(copy)


def _made(size: int) -> str:
    """A new folder where there is room for the copies."""
    for parent in (tempfile.gettempdir, lambda: _MEMORY):
        with suppress(OSError):
            where = parent()
            if shutil.disk_usage(where).free > size + _ROOM:
                return tempfile.mkdtemp(prefix="agent-connector-", dir=where)
    raise HomeError(
        "neither our own folder nor a temporary one can be written to",
        remedy="Make room on the disk, or name a folder with room in TMPDIR, then run this again.",
    )
