"""`~/.byoa` on a real disk: the file port of the pairer (section 4 of the wire, docs/byoa-wire.md)."""

import errno
import os
import secrets
import stat
from collections.abc import Sequence
from contextlib import suppress

from agent_connector.byoa.core.ports import StoredFile
from agent_connector.byoa.protocol.limits import FILE_BODY
from agent_connector.home import swap
from agent_connector.home.access import access

PRIVATE_FILE, PRIVATE_FOLDER = 0o600, 0o700
OTHERS = 0o077
SAFELY = sum(getattr(os, name, 0) for name in ("O_CLOEXEC", "O_NOFOLLOW", "O_BINARY"))  # as the system has them
READ = os.O_RDONLY | SAFELY | getattr(os, "O_NONBLOCK", 0)
NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | SAFELY


class RealFiles:
    def __init__(self, root: str) -> None:
        self.root = root

    def read(self, path: str) -> StoredFile | None:
        whole = self._place(path)
        try:
            descriptor = os.open(whole, READ)
        except FileNotFoundError:
            return None
        try:
            found = os.fstat(descriptor)
            if not stat.S_ISREG(found.st_mode):
                raise OSError(errno.EINVAL, "not a regular file", whole)
            if found.st_size > FILE_BODY:
                raise OSError(errno.EFBIG, "too large", whole)
            text = _read(descriptor).decode("utf-8", "surrogateescape")
        finally:
            os.close(descriptor)
        place = os.path.dirname(whole)
        folder = os.lstat(place)
        (mode, own), (folder_mode, own_folder) = access(whole, found), access(place, folder)
        return StoredFile(text, mode, folder_mode, own and own_folder and stat.S_ISDIR(folder.st_mode))

    def write_private(self, path: str, text: str) -> None:
        whole = self._place(path)
        folder = self._private_folder(path)
        temporary = os.path.join(folder, f".{secrets.token_hex(8)}.tmp")
        descriptor = os.open(temporary, NEW, PRIVATE_FILE)
        try:
            try:
                _write(descriptor, text.encode("utf-8"))
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
            swap.overwrite(temporary, whole)
        except OSError:
            os.unlink(temporary)
            raise
        swap.sync_folder(folder)

    def remove(self, path: str) -> None:
        try:
            os.unlink(self._place(path))
        except FileNotFoundError:
            return

    def list(self, folder: str) -> Sequence[str]:
        try:
            return sorted(os.listdir(self._place(folder)))
        except FileNotFoundError:
            return []

    def _place(self, path: str) -> str:
        parts = path.split("/")
        if any(part in ("", ".", "..") or "\0" in part for part in parts):
            raise OSError(errno.EINVAL, "not a path below the folder", path)
        return os.path.join(self.root, *parts)

    def _private_folder(self, path: str) -> str:
        """The folder of `path`, made where it is missing; one that others may enter is not written to."""
        folder, mode = self.root, 0
        for part in ("", *path.split("/")[:-1]):
            folder = os.path.join(folder, part) if part else folder
            with suppress(FileExistsError):
                os.mkdir(folder, PRIVATE_FOLDER)
            found = os.lstat(folder)
            mode, own = access(folder, found)
            if not stat.S_ISDIR(found.st_mode) or not own:
                raise OSError(errno.EPERM, f"{folder} is a link, no folder, or somebody else's")
        if mode & OTHERS:
            raise OSError(errno.EPERM, f"others may enter {folder}: it must have mode 0700")
        return folder


def _read(descriptor: int) -> bytes:
    """To the end, or one byte more than is allowed: the reader above refuses that."""
    found = bytearray()
    while len(found) <= FILE_BODY and (piece := os.read(descriptor, 1 << 20)):
        found += piece
    return bytes(found)


def _write(descriptor: int, data: bytes) -> None:
    left = memoryview(data)
    while left:
        left = left[os.write(descriptor, left) :]
