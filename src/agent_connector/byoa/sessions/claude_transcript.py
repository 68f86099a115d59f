"""What Claude Code's transcript says of a turn of ours: whether the person joined it or broke it off, and its last words.

The hooks do not tell these. The file is read on from where it ended when our turn began; a row that is not understood
says nothing.
"""

import json
import os
import stat
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, cast

LARGEST = 16 << 20  # bytes that are looked at in one go; what adds more between two looks cannot be told
BROKEN_OFF = "[Request interrupted by user"
HOOK_SAYS = "Stop hook feedback:"
READ = sum(getattr(os, flag, 0) for flag in ("O_RDONLY", "O_CLOEXEC", "O_NOFOLLOW", "O_NONBLOCK", "O_BINARY"))


@dataclass(frozen=True, slots=True)
class Told:
    """`begun`: our prompt stands there, so that what follows it was seen. `joined`: the agent was told more than that."""

    begun: bool = False
    joined: bool = False
    broken_off: bool = False
    text: str | None = None


class Transcript:
    """What is added to the file at `path` from now on, and after the prompt that holds `line`.

    `earlier`: the lines of prompts before it, whose rows a busy host may write down only now.
    """

    def __init__(self, path: str, line: str, earlier: Collection[str] = ()) -> None:
        self._path = path
        self._line = line
        self._earlier = tuple(earlier)
        self._told = Told()
        self._at = _size(path)

    def look(self) -> Told | None:
        """None: it cannot be told, now and from here on."""
        if self._at is None:
            return None
        data = _added(self._path, self._at)
        if data is None:
            self._at = None
            return None
        whole = data.rfind(b"\n") + 1  # the last row may be half written
        self._at += whole
        for row in _rows(data[:whole]):
            if self._told.begun or not self._is_late(row):
                self._told = _look(row, self._told, self._line)
        return self._told

    def _is_late(self, row: Mapping[str, Any]) -> bool:
        text = "\n".join(_texts(row))
        ours = self._line in text or not text.startswith(HOOK_SAYS)
        return not ours and any(line in text for line in self._earlier)


def _size(path: str) -> int | None:
    try:
        return os.lstat(path).st_size if path else None
    except (OSError, ValueError):
        return None


def _added(path: str, start: int) -> bytes | None:
    try:
        descriptor = os.open(path, READ)
    except (OSError, ValueError):
        return None
    try:
        found = os.fstat(descriptor)
        mine = not hasattr(os, "geteuid") or found.st_uid == os.geteuid()
        if not stat.S_ISREG(found.st_mode) or not mine or not 0 <= found.st_size - start <= LARGEST:
            return None
        os.lseek(descriptor, start, os.SEEK_SET)
        return os.read(descriptor, found.st_size - start)
    except OSError:
        return None
    finally:
        os.close(descriptor)


def _rows(data: bytes) -> Iterator[Mapping[str, Any]]:
    for line in data.split(b"\n"):
        try:
            row: object = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(row, dict):
            yield cast("Mapping[str, Any]", row)


def _look(row: Mapping[str, Any], found: Told, line: str) -> Told:
    if row.get("isSidechain"):
        return found
    kind, texts = row.get("type"), list(_texts(row))
    if kind == "user" and line in "\n".join(texts):
        return replace(found, begun=True)
    if kind == "user" and any(text.startswith(HOOK_SAYS) for text in texts):
        return replace(found, joined=True)  # another hook has kept the same turn going
    if not found.begun:
        return found
    if kind == "user" and any(text.startswith(BROKEN_OFF) for text in texts):
        return replace(found, broken_off=True)
    if kind == "assistant" and texts:
        return replace(found, text="\n".join(texts))
    attached = row.get("attachment")
    if isinstance(attached, dict) and cast("dict[str, object]", attached).get("type") == "queued_command":
        return replace(found, joined=True)
    return found


def _texts(row: Mapping[str, Any]) -> Iterator[str]:
    message = row.get("message")
    content: object = cast("dict[str, object]", message).get("content") if isinstance(message, dict) else None
    if isinstance(content, str):
        yield content
    for part in cast("list[object]", content) if isinstance(content, list) else []:
        text = cast("dict[str, object]", part).get("text") if isinstance(part, dict) else None
        if isinstance(text, str):
            yield text
