"""The bundle that the board serves, as files of the folder that an agent works in.

What was written is noted in a manifest outside of that folder, with hashes: a file of ours that still has its hash is
replaced or, when a newer bundle lacks it, removed. Everything else there is the agent's or the person's and stays.
The agent may be at work meanwhile: no link that it makes leads a write elsewhere, and each file is exchanged at once.
"""

import json
import os
import stat
from collections.abc import Generator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from agent_connector.board.values import Bundle
from agent_connector.errors import HomeError, WorkerError
from agent_connector.home import files, folders, private
from agent_connector.worker import bundle_paths

_ANCHORED = os.path.isdir("/proc/self/fd")  # a folder that is held open can be named, whatever its path now leads to
_FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
_FILE = sum(getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_CLOEXEC", "O_NONBLOCK", "O_BINARY"))


@dataclass(frozen=True, slots=True)
class Written:
    """What became of the bundle. `kept` are paths where something stands that is not ours: it was left alone.

    `served` maps the paths that hold what the board serves to the hash of their content.
    """

    name: str
    version: str
    written: tuple[str, ...]
    removed: tuple[str, ...]
    kept: tuple[str, ...]
    served: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class _Manifest:
    """Path -> hashes that are ours, and the folders that we made."""

    files: Mapping[str, frozenset[str]]
    folders: frozenset[str]


def write(bundle: Bundle, folder: str, manifest: str) -> Written:
    """The files of `bundle` are in `folder`; WorkerError, and nothing was written, when one of its paths is refused.

    `manifest` is a file outside of `folder`. A crash on the way is mended by the next call.
    """
    wanted = bundle_paths.checked(bundle.files)
    hashes = {path: files.hash_of(data) for path, data in wanted.items()}
    before = _load(manifest)
    made = set(before.folders) | {parent for path in wanted for parent in _parents(path) if not _there(folder, parent)}
    both = {
        path: before.files.get(path, frozenset()) | {hashes.get(path, "")} - {""} for path in {*wanted, *before.files}
    }
    _save(manifest, both, made)  # first what may be ours, so that nothing of ours is ever taken for the agent's
    written = [path for path in wanted if _put(folder, path, wanted[path], before.files.get(path, frozenset()))]
    removed = [path for path in before.files if path not in wanted and _drop(folder, path, before.files[path])]
    kept = [path for path in both if path not in written and path not in removed and _stands(folder, path)]
    served = {path: hashes[path] for path in wanted if _hash(folder, path) == hashes[path]}
    gone = {parent for parent in sorted(made, reverse=True) if not _holds(wanted, parent) and _emptied(folder, parent)}
    _save(manifest, {path: frozenset({hashes[path]}) for path in written}, made - gone)
    fresh = tuple(path for path in written if hashes[path] not in before.files.get(path, frozenset()))
    return Written(bundle.name, bundle.version, fresh, tuple(removed), tuple(sorted(set(kept))), served)


def _put(folder: str, path: str, data: bytes, ours: frozenset[str]) -> bool:
    """True when the file is ours and holds `data`."""
    try:
        with _parent(folder, path, create=True) as (where, name):
            found = _snapshot(os.path.join(where, name), path)
            if found.data is not None and found.hash not in ours:
                return False
            files.replace(found, data)
            return True
    except (HomeError, OSError):  # something of the agent's stands there, or came meanwhile: that stays
        return False


def _drop(folder: str, path: str, ours: frozenset[str]) -> bool:
    """True when a file of ours was there and is gone."""
    try:
        with _parent(folder, path, create=False) as (where, name):
            found = _snapshot(os.path.join(where, name), path)
            if found.data is None or found.hash not in ours:
                return False
            files.replace(found, None)
            return True
    except (HomeError, OSError):
        return False


def _hash(folder: str, path: str) -> str:
    try:
        with _parent(folder, path, create=False) as (where, name):
            return _snapshot(os.path.join(where, name), path).hash
    except (HomeError, OSError):
        return files.ABSENT


def _stands(folder: str, path: str) -> bool:
    return os.path.lexists(os.path.join(folder, *path.split("/")))


def _snapshot(target: str, path: str) -> files.Snapshot:
    """The file as it is; a link, a pipe or a folder is not read (HomeError)."""
    try:
        descriptor = os.open(target, os.O_RDONLY | _FILE)
    except FileNotFoundError:
        return files.Snapshot(path, target, None)
    try:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode) or found.st_size > bundle_paths.FILE_BYTES:
            raise HomeError("no file of ours", where=path)
        data = os.read(descriptor, bundle_paths.FILE_BYTES + 1)
    finally:
        os.close(descriptor)
    return files.Snapshot(path, target, data, stat.S_IMODE(found.st_mode), found.st_uid, found.st_gid)


@contextmanager
def _parent(folder: str, path: str, *, create: bool) -> Generator[tuple[str, str]]:
    """A name for the folder of `path` that no link can turn elsewhere while this lasts, and the file's own name."""
    *above, name = path.split("/")
    if not _ANCHORED:
        yield _walked(folder, above, create=create), name
        return
    held = os.open(folder, _FOLDER & ~getattr(os, "O_NOFOLLOW", 0))  # its own path is the person's to choose
    try:
        for part in above:
            if create:
                with suppress(FileExistsError):
                    os.mkdir(part, dir_fd=held)
            below = os.open(part, _FOLDER, dir_fd=held)
            os.close(held)
            held = below
        yield f"/proc/self/fd/{held}", name
    finally:
        os.close(held)


def _walked(folder: str, above: list[str], *, create: bool) -> str:
    """The same where folders cannot be held open: each part is looked at, and a link refused, just before it is used."""
    for part in above:
        folder = os.path.join(folder, part)
        if create:
            with suppress(FileExistsError):
                os.mkdir(folder)
        found = os.lstat(folder)
        if not stat.S_ISDIR(found.st_mode) or getattr(found, "st_reparse_tag", 0):
            raise HomeError("a link stands where a folder is expected", where=folder)
    return folder


def _parents(path: str) -> list[str]:
    parts = path.split("/")[:-1]
    return ["/".join(parts[: count + 1]) for count in range(len(parts))]


def _there(folder: str, parent: str) -> bool:
    return os.path.lexists(os.path.join(folder, *parent.split("/")))


def _holds(wanted: Mapping[str, bytes], parent: str) -> bool:
    return any(path.startswith(parent + "/") for path in wanted)


def _emptied(folder: str, parent: str) -> bool:
    """A folder that we made is gone; one with anything in it stays, and is the agent's from now on."""
    try:
        with _parent(folder, parent, create=False) as (where, name):
            folders.remove_empty(os.path.join(where, name))
    except (HomeError, OSError):
        pass
    return True


def _load(manifest: str) -> _Manifest:
    held = private.read(manifest)
    if held is None:
        return _Manifest({}, frozenset())
    try:
        value = json.loads(held)
        listed = {str(path): frozenset(map(str, hashes)) for path, hashes in value["files"].items()}
        made = frozenset(map(str, value["folders"]))
    except (ValueError, KeyError, TypeError, AttributeError):
        raise WorkerError(
            "the note of which files the board's bundle put there is damaged",
            where=manifest,
            remedy="Remove it; files of older bundles then stay where they are.",
        ) from None
    sound = {path: hashes for path, hashes in listed.items() if bundle_paths.refusal(path) is None}
    return _Manifest(sound, frozenset(path for path in made if bundle_paths.refusal(path) is None))


def _save(manifest: str, held: Mapping[str, frozenset[str]], made: set[str]) -> None:
    listed = {path: sorted(hashes) for path, hashes in sorted(held.items())}
    private.write(manifest, json.dumps({"files": listed, "folders": sorted(made)}, indent=1) + "\n")
