"""Reading and replacing a file that a person owns.

`read` gives a snapshot; `replace` puts new bytes in its place only if the file is still what the snapshot says.
The caller holds the lock against other installers; against programs that know no lock (the hosts) stands the
comparison: what comes out of the exchange is compared with what was read, and goes back when they differ.
Every step is one `os` call, so that a test can stop at each.
"""

import hashlib
import os
import secrets
import shutil
import stat
from collections.abc import Callable
from dataclasses import dataclass

from agent_connector.errors import HomeError, WriteConflict
from agent_connector.home import links, swap
from agent_connector.home.faults import explained

ABSENT = "absent"  # stands for the hash of a file that is not there
TEMPORARY = ".agent-connector-"  # stands in the name of every file that is being prepared
NEW_FILE, NEW_PROGRAM = 0o666, 0o777  # less the person's umask

_NOFOLLOW = getattr(os, "O_NOFOLLOW", 0)
_BINARY = getattr(os, "O_BINARY", 0)
_CLOSED = getattr(os, "O_CLOEXEC", 0)
_CHUNK = 1 << 20
_EXCHANGES = 8
_ANY_WRITE = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A file as it was read. `path` as it was asked for, `target` with links followed; `data` None: absent."""

    path: str
    target: str
    data: bytes | None
    mode: int = 0
    uid: int = -1
    gid: int = -1

    @property
    def hash(self) -> str:
        return hash_of(self.data)


@dataclass(frozen=True, slots=True)
class Receipt:
    """What a replacement found and left, as hashes, and the id of the backup that was made (None: none).

    `held` False: it was written, and another program wrote over it before we looked again.
    """

    found_hash: str
    new_hash: str
    backup: str | None = None
    held: bool = True


def hash_of(data: bytes | None) -> str:
    return ABSENT if data is None else hashlib.sha256(data).hexdigest()


def read(path: str, *, project: str | None = None, own: str | None = None) -> Snapshot:
    """The file as it is now. `project` sets the link rule of project scope; `own` is our data root."""
    target = links.resolve(path, project=project, own=own)
    try:
        descriptor = os.open(target, os.O_RDONLY | _NOFOLLOW | _BINARY | _CLOSED)
    except FileNotFoundError:
        return Snapshot(path, target, None)
    except OSError as error:
        raise explained(error, path, "read") from error
    try:
        found = os.fstat(descriptor)
        data = _read_all(descriptor)
    except OSError as error:
        raise explained(error, path, "read") from error
    finally:
        os.close(descriptor)
    return Snapshot(path, target, data, stat.S_IMODE(found.st_mode), found.st_uid, found.st_gid)


def may_run(snapshot: Snapshot) -> bool:
    """False when the file is there and its owner may not execute it, where systems ask for that."""
    return os.name != "posix" or snapshot.data is None or bool(snapshot.mode & stat.S_IXUSR)


def let_run(snapshot: Snapshot) -> None:
    """Who may read the file may execute it. WriteConflict: it is another file than the one that was read."""
    if fingerprint(snapshot.target) != snapshot.hash:
        raise _conflict(snapshot)
    try:
        os.chmod(snapshot.target, _runnable(snapshot.mode))
    except OSError as error:
        raise explained(error, snapshot.path, "made executable") from error


def _runnable(mode: int) -> int:
    return mode | (mode & 0o444) >> 2


def temporary_beside(target: str) -> str:
    """A fresh name in the target's folder for what is being prepared."""
    folder, name = os.path.split(target)
    return os.path.join(folder, f".{name[:100]}{TEMPORARY}{secrets.token_hex(6)}.tmp")


def replace(
    snapshot: Snapshot,
    new: bytes | None,
    *,
    verify: Callable[[bytes], None] | None = None,
    backup: Callable[[Snapshot], str] | None = None,
    temporary: str | None = None,
    mode: int = NEW_FILE,
) -> Receipt:
    """The file holds `new` (None: is gone), or nothing of ours has changed it and an error says why.

    `verify` may refuse the new bytes by raising; `backup` keeps the old ones and gives an id; `mode` is for a file
    that is not there yet. The folder must exist. WriteConflict: another program wrote since the snapshot, what it
    wrote stands; read and edit again.
    """
    if new is not None and verify is not None:
        verify(new)
    receipt = Receipt(snapshot.hash, hash_of(new))
    if new == snapshot.data:
        return receipt
    temporary = temporary or temporary_beside(snapshot.target)
    try:
        refuse_read_only(snapshot)
        kept = backup(snapshot) if backup is not None and snapshot.data is not None else None
        if new is None:
            _remove(snapshot, temporary)
        else:
            _place(snapshot, new, temporary, mode)
    except OSError as error:
        raise explained(error, snapshot.path, "removed" if new is None else "written") from error
    return Receipt(snapshot.hash, receipt.new_hash, kept, fingerprint(snapshot.target) == receipt.new_hash)


def fingerprint(path: str) -> str:
    """The hash of what is at `path` now, ABSENT, or a text that equals no hash when it is not a regular file."""
    try:
        found = os.lstat(path)
        if not stat.S_ISREG(found.st_mode):
            return f"not a regular file: {stat.S_IFMT(found.st_mode)}"
        descriptor = os.open(path, os.O_RDONLY | _NOFOLLOW | _BINARY | _CLOSED)
    except (FileNotFoundError, NotADirectoryError):
        return ABSENT
    try:
        return hash_of(_read_all(descriptor))
    finally:
        os.close(descriptor)


def fill(temporary: str, data: bytes, mode: int) -> None:
    """A new file with `data`, on disk when this returns; gone again when it could not be completed."""
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NOFOLLOW | _BINARY | _CLOSED, mode)
    try:
        try:
            rest = memoryview(data)
            while rest:
                rest = rest[os.write(descriptor, rest[:_CHUNK]) :]
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except BaseException:  # whatever it was goes on; nothing half-written stays
        discard(temporary)
        raise


def discard(temporary: str) -> None:
    try:
        os.unlink(temporary)
    except FileNotFoundError:
        return


def _read_all(descriptor: int) -> bytes:
    pieces: list[bytes] = []
    while piece := os.read(descriptor, _CHUNK):
        pieces.append(piece)
    return b"".join(pieces)


def refuse_read_only(snapshot: Snapshot) -> None:
    """A rename does not mind a read-only file, and root minds nothing; the person who set it did.

    Raises HomeError; of a folder that is yet to be made, the one in which it will be is asked.
    """
    remedy = "Make it writable, or put the change in by hand; nothing was written."
    writable = os.access(snapshot.target, os.W_OK) or not os.path.exists(snapshot.target)
    if snapshot.data is not None and not (snapshot.mode & stat.S_IWUSR and writable):
        raise HomeError("the file is read-only", where=snapshot.path, remedy=remedy)
    folder = os.path.dirname(snapshot.target)
    while not os.path.exists(folder):
        folder = os.path.dirname(folder)
    if not (os.stat(folder).st_mode & _ANY_WRITE and os.access(folder, os.W_OK)):
        raise HomeError(f"the folder {folder} is read-only", where=snapshot.path, remedy=remedy)


def _place(snapshot: Snapshot, new: bytes, temporary: str, mode: int) -> None:
    fill(temporary, new, mode if snapshot.data is None else 0o600)
    try:
        exchanged = _put(snapshot, temporary, mode)
    except (FileExistsError, FileNotFoundError):  # made, or removed, by another program since we read
        discard(temporary)
        raise _conflict(snapshot) from None
    except BaseException:  # whatever it was goes on; nothing half-written stays
        discard(temporary)
        raise
    swap.sync_folder(
        os.path.dirname(snapshot.target)
    )  # also gives a host that has just opened the old file its instant
    if exchanged:
        _settle(snapshot, temporary, hash_of(new))


def _put(snapshot: Snapshot, temporary: str, mode: int) -> bool:
    """Put the prepared file in place. True: what stood there is now under the temporary name."""
    if snapshot.data is None:
        swap.create(temporary, snapshot.target)
        return False
    _take_over(snapshot, temporary, mode)
    if swap.exchange(temporary, snapshot.target):
        return True
    if fingerprint(snapshot.target) != snapshot.hash:
        raise _conflict(snapshot)
    swap.overwrite(temporary, snapshot.target)
    return False


def _take_over(snapshot: Snapshot, temporary: str, mode: int) -> None:
    """The old file's mode, owner and extended attributes, but a modification time of its own."""
    shutil.copystat(snapshot.target, temporary, follow_symlinks=False)
    os.utime(temporary)
    found = os.stat(temporary)
    if hasattr(os, "chown") and (found.st_uid, found.st_gid) != (snapshot.uid, snapshot.gid):
        os.chown(temporary, snapshot.uid, snapshot.gid)
    wanted = _runnable(snapshot.mode) if mode & 0o111 else snapshot.mode
    if stat.S_IMODE(os.stat(temporary).st_mode) != wanted:  # chown clears some bits
        os.chmod(temporary, wanted)


def _settle(snapshot: Snapshot, temporary: str, placed: str) -> None:
    """After an exchange: done if what came out is what was read, else the newest of what others wrote goes back.

    `placed` is the hash of what stands in place. Each round puts back what came out; when that brings out anything
    but what was placed before, somebody wrote in between again and that is the newest.
    """
    came_out = fingerprint(temporary)
    if came_out == snapshot.hash:
        os.unlink(temporary)
        return
    for _ in range(_EXCHANGES):
        swap.exchange(temporary, snapshot.target)
        came_out, before, placed = fingerprint(temporary), placed, came_out
        if came_out == before:
            break
    discard(temporary)
    raise _conflict(snapshot)


def _remove(snapshot: Snapshot, temporary: str) -> None:
    """Move the file aside, look at what was moved, and only then let it go."""
    try:
        os.rename(snapshot.target, temporary)
    except FileNotFoundError:
        return
    swap.sync_folder(os.path.dirname(snapshot.target))
    if fingerprint(temporary) == snapshot.hash:
        os.unlink(temporary)
        return
    try:
        swap.create(temporary, snapshot.target)
    except FileExistsError:  # and by now there is a newer one
        os.unlink(temporary)
    raise _conflict(snapshot)


def _conflict(snapshot: Snapshot) -> WriteConflict:
    return WriteConflict(
        "another program wrote the file at the same time; what it wrote was kept",
        where=snapshot.path,
        remedy="Close the program that writes it, then run this again.",
    )
