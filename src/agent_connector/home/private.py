"""Files of our own state: readable by their owner alone, and never half written."""

import os
import time
from contextlib import suppress

from agent_connector.home import folders, swap
from agent_connector.home.faults import explained
from agent_connector.home.files import TEMPORARY, discard, fill, temporary_beside

FILE, PROGRAM, FOLDER = 0o600, 0o700, 0o700
_LITTER_AGE = 600.0  # seconds; what is younger may still be in somebody's hands


def make_folder(folder: str) -> None:
    """The folder exists; what had to be created is private. One that is there keeps its mode."""
    if not os.path.isdir(folder):
        folders.create(folders.missing(os.path.join(folder, "")), FOLDER)


def write(path: str, data: bytes | str, mode: int = FILE) -> None:
    """Replace `path` at once: a reader, and a crash, see the old bytes or the new."""
    make_folder(os.path.dirname(path))
    temporary = temporary_beside(path)
    try:
        fill(temporary, data.encode() if isinstance(data, str) else data, mode)
        try:
            swap.overwrite(temporary, path)
        except BaseException:  # whatever it was goes on; nothing half-written stays
            discard(temporary)
            raise
        swap.sync_folder(os.path.dirname(path))
    except OSError as error:
        raise explained(error, path, "written") from error


def read(path: str) -> bytes | None:
    """The bytes of `path`, None when it is not there."""
    try:
        with open(path, "rb") as stream:
            return stream.read()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise explained(error, path, "read") from error


def remove(path: str) -> None:
    try:
        discard(path)
    except OSError as error:
        raise explained(error, path, "removed") from error


def sweep(folder: str) -> None:
    """Remove the half-written files that a crash left in `folder`."""
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if TEMPORARY in entry.name and entry.name.endswith(".tmp"):
                with suppress(OSError):
                    if time.time() - entry.stat(follow_symlinks=False).st_mtime > _LITTER_AGE:
                        discard(entry.path)
