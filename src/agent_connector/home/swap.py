"""The three ways a prepared file takes its place: in exchange for the old one, as a new one, or over it.

An exchange gives back what stood there, so a write that came between our reading and our writing is seen and put
back. Linux has it as renameat2(RENAME_EXCHANGE), macOS as renamex_np(RENAME_SWAP). Elsewhere, and on file systems
that lack it, the old file is replaced: what another program writes in the instant of the rename is lost there.
"""

import errno
import os
import sys
import time
from collections.abc import Callable
from typing import Any

_AT_FDCWD = -100
_RENAME_NOREPLACE, _RENAME_EXCHANGE = 1, 2  # linux/fs.h
_RENAME_SWAP, _RENAME_EXCL = 2, 4  # sys/stdio.h of macOS
_RENAMEAT2 = {"x86_64": 316, "aarch64": 276, "riscv64": 276}  # for C libraries without a wrapper
_LACKING = {errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP}
_SHARING_TRIES, _SHARING_PAUSE = 20, 0.05

Rename = Callable[[bytes, bytes, int], int]


def exchange(one: str, other: str) -> bool:
    """Exchange two files atomically. False: this system or file system cannot."""
    return _flagged(one, other, _RENAME_SWAP if sys.platform == "darwin" else _RENAME_EXCHANGE)


def create(prepared: str, target: str) -> None:
    """`prepared` becomes `target`, which must not exist (FileExistsError)."""
    if _flagged(prepared, target, _RENAME_EXCL if sys.platform == "darwin" else _RENAME_NOREPLACE):
        return
    if sys.platform == "win32":
        os.rename(prepared, target)  # refuses an existing target on Windows
        return
    try:
        os.link(prepared, target)
    except FileExistsError:
        raise
    except OSError:  # no hard links here (FAT, some network drives)
        if os.path.lexists(target):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), target) from None
        os.replace(prepared, target)
        return
    os.unlink(prepared)


def overwrite(prepared: str, target: str) -> None:
    """`prepared` takes the place of `target`, whatever stands there."""
    for _ in range(_SHARING_TRIES if sys.platform == "win32" else 0):
        try:
            os.replace(prepared, target)
            return
        except PermissionError:  # another program has the file open; on Windows that blocks a rename
            time.sleep(_SHARING_PAUSE)
    os.replace(prepared, target)


def sync_folder(folder: str) -> None:
    """Make the renames in `folder` durable. Windows has no such call and needs none."""
    if sys.platform == "win32":
        return
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):  # file systems that cannot sync a folder
            raise
    finally:
        os.close(descriptor)


def _flagged(one: str, other: str, flag: int) -> bool:
    rename = _rename()
    if rename is None:
        return False
    code = rename(os.fsencode(one), os.fsencode(other), flag)
    if code == 0:
        return True
    if code in _LACKING:
        return False
    raise OSError(code, os.strerror(code), one, None, other)


def _rename() -> Rename | None:
    """The system's rename with flags, as a function that gives 0 or the error's number."""
    if not sys.platform.startswith(("linux", "darwin")):
        return None
    import ctypes

    library: Any = ctypes.CDLL(None, use_errno=True)
    call = _darwin(library) if sys.platform == "darwin" else _linux(library)
    if call is None:
        return None

    def rename(one: bytes, other: bytes, flag: int) -> int:
        return 0 if call(one, other, flag) == 0 else ctypes.get_errno()

    return rename


def _darwin(library: Any) -> Rename | None:
    call = getattr(library, "renamex_np", None)
    return None if call is None else lambda one, other, flag: call(one, other, flag)


def _linux(library: Any) -> Rename | None:
    call = getattr(library, "renameat2", None)
    if call is not None:
        return lambda one, other, flag: call(_AT_FDCWD, one, _AT_FDCWD, other, flag)
    number = _RENAMEAT2.get(os.uname().machine)
    if number is None:
        return None
    return lambda one, other, flag: library.syscall(number, _AT_FDCWD, one, _AT_FDCWD, other, flag)
