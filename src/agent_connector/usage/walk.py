"""The files of a place: a walk of our own, which stats each file once and enters no folder twice.

Links are followed; a folder or file that was met already, by whatever name, is left out. What may not be looked into
is left out too: a log that cannot be read is said where it is opened.
"""

import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import NamedTuple

from agent_connector.hosts.records import Place

Met = set[tuple[int, int]]  # device and inode of folders or files


class Found(NamedTuple):
    """A file as it is now."""

    path: str
    kind: str
    size: int
    modified: int  # ns
    inode: int


def walk(places: Iterable[Place]) -> Iterator[Found]:
    """All files of all places, each once."""
    files: Met = set()
    for place in places:
        parts = place.pattern.replace("\\", "/").strip("/").split("/")
        for path, stat in _below(place.folder, parts, set()):
            if stat.st_ino:
                if (stat.st_dev, stat.st_ino) in files:
                    continue
                files.add((stat.st_dev, stat.st_ino))
            yield Found(path, place.kind, stat.st_size, stat.st_mtime_ns, stat.st_ino)


def _below(folder: str, parts: list[str], met: Met) -> Iterator[tuple[str, os.stat_result]]:
    first, rest = parts[0], parts[1:]
    if first == "**":
        yield from _anywhere(folder, rest or ["*"], met)
    elif "*" not in first:
        path = os.path.join(folder, first)
        if rest:
            yield from _below(path, rest, met)
        else:
            with suppress(OSError, ValueError):
                yield from _file(path, os.stat(path))
    else:
        matches = _matcher(first)
        for entry in _entries(folder):
            if not matches(entry.name):
                continue
            with suppress(OSError):
                if not rest:
                    yield from _file(entry.path, entry.stat())
                elif entry.is_dir():
                    yield from _below(entry.path, rest, met)


def _anywhere(folder: str, rest: list[str], met: Met) -> Iterator[tuple[str, os.stat_result]]:
    """`rest` in this folder and in every one below it."""
    with suppress(OSError):
        here = os.stat(folder)
        if here.st_ino:
            if (here.st_dev, here.st_ino) in met:
                return
            met.add((here.st_dev, here.st_ino))
        plain = _matcher(rest[0]) if len(rest) == 1 and rest[0] != "**" else None
        if plain is None:
            yield from _below(folder, rest, set(met))
        for entry in _entries(folder):
            with suppress(OSError):
                if entry.is_dir():
                    yield from _anywhere(entry.path, rest, met)
                elif plain is not None and plain(entry.name):
                    yield from _file(entry.path, entry.stat())


def _file(path: str, stat: os.stat_result) -> Iterator[tuple[str, os.stat_result]]:
    if (stat.st_mode & 0o170000) == 0o100000:
        yield path, stat


def _entries(folder: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return sorted(entries, key=lambda entry: entry.name)
    except (OSError, ValueError):
        return []


def _matcher(pattern: str) -> Callable[[str], bool]:
    """Names that match; one star, the usual case, needs no regular expression."""
    fold: Callable[[str], str] = str.lower if os.name == "nt" else str
    head, star, tail = fold(pattern).partition("*")
    if not star:
        return lambda name: fold(name) == head
    if "*" not in tail:
        least = len(head) + len(tail)
        return lambda name: len(name) >= least and fold(name).startswith(head) and fold(name).endswith(tail)
    whole = re.compile(".*".join(re.escape(part) for part in fold(pattern).split("*")), re.DOTALL)
    return lambda name: whole.fullmatch(fold(name)) is not None
