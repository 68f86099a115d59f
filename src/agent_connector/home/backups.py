"""The bytes of a person's file from before we changed it, as plain files that a person can copy back.

    backups/<name>-<hash of the path>/path                one line: the file that these are backups of
    backups/<name>-<hash of the path>/<time>-<hash>       its bytes

The id of a backup is `<folder>/<file>` below `backups/`. Each file keeps its newest few; the oldest are dropped,
except those that the ledger still needs for an undo.
"""

import hashlib
import os
import shutil
import time
from collections.abc import Collection

from agent_connector.errors import StateError
from agent_connector.home import paths, private
from agent_connector.home.faults import explained
from agent_connector.home.files import hash_of

KEPT = 8  # per file


def keep(root: str, target: str, data: bytes, needed: Collection[str] = ()) -> str:
    """Store `data` as a backup of `target` and give its id. Equal to the newest: that one's id."""
    folder = _folder(target)
    place = os.path.join(paths.backups_folder(root), folder)
    names = _names(place)
    digest = hash_of(data)[:16]
    if names and names[-1].endswith(digest) and private.read(os.path.join(place, names[-1])) == data:
        return f"{folder}/{names[-1]}"
    if private.read(os.path.join(place, "path")) is None:
        private.write(os.path.join(place, "path"), target + "\n")
    now = time.time()
    stamp = time.strftime("%Y%m%dT%H%M%S", time.gmtime(now)) + f".{int(now % 1 * 1e6):06d}"
    name = f"{max([stamp, *_after(names)])}-{digest}"
    private.write(os.path.join(place, name), data)
    _drop_oldest(place, folder, [*names, name], needed)
    return f"{folder}/{name}"


def load(root: str, backup: str, expected: str) -> bytes:
    """The bytes of a backup whose hash must be `expected`."""
    path = location(root, backup)
    data = private.read(path)
    if data is None or hash_of(data) != expected:
        raise StateError("the backup is missing or damaged", where=path, remedy="Remove our entries by hand.")
    return data


def location(root: str, backup: str) -> str:
    """The path of a backup."""
    return os.path.join(paths.backups_folder(root), *backup.split("/"))


def forget(root: str, target: str) -> None:
    """Drop every backup of `target`."""
    shutil.rmtree(os.path.join(paths.backups_folder(root), _folder(target)), ignore_errors=True)


def _folder(target: str) -> str:
    name = "".join(c if c.isalnum() or c in "._-" else "_" for c in os.path.basename(target))[:60]
    return f"{name.lstrip('.') or 'file'}-{hashlib.sha256(os.fsencode(target)).hexdigest()[:16]}"


def _names(place: str) -> list[str]:
    """The backups in a folder, oldest first."""
    try:
        entries = os.listdir(place)
    except FileNotFoundError:
        return []
    except OSError as error:
        raise explained(error, place, "read") from error
    return sorted(n for n in entries if n != "path" and not n.startswith("."))


def _after(names: list[str]) -> list[str]:
    """A stamp just after the newest, for a clock that was set back."""
    if not names:
        return []
    seconds, _, fraction = names[-1].partition("-")[0].partition(".")
    return [f"{seconds}.{int(fraction or 0) + 1:06d}"]


def _drop_oldest(place: str, folder: str, names: list[str], needed: Collection[str]) -> None:
    private.sweep(place)
    spare = [n for n in names if f"{folder}/{n}" not in needed]
    for name in spare[:-KEPT]:
        private.remove(os.path.join(place, name))
