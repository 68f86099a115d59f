"""hooks.log: what failed open, for `doctor`. One JSON object a line, two files of bounded size.

An error of the author's often quotes what it was about. The log keeps no content, so such quotes are taken out.
"""

import os
import time

from agent_connector.home import paths
from agent_connector.runtime import codec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

LARGEST = 256 << 10  # bytes; a full file becomes `hooks.log.1`, and the one before is gone
_LONGEST = 400
_TRACE = 4000
_FRAMES = 40
_SHORTEST = 4  # letters; shorter texts are words of every sentence
_HIDDEN = "[...]"


def note(
    root: str,
    verb: str,
    what: str,
    error: "BaseException | None" = None,
    content: "Iterable[str]" = (),
    **about: "str | None",
) -> None:
    """Append a line; `about` says connector, host, event, handler, `content` is what the error must not quote.

    Never raises: a log that fails must not block.
    """
    try:
        row: dict[str, Any] = {"t": time.time_ns() // 1_000_000, "verb": verb, "what": what[:_LONGEST]}
        row.update({name: value for name, value in about.items() if value})
        if error is not None:
            hidden = list(content)
            row["error"] = _without(hidden, _said(error))[:_LONGEST]
            row["trace"] = _trace(error, hidden)[-_TRACE:]
        _append(paths.hooks_log(root), codec.encode(row) + b"\n")
    except Exception:  # noqa: S110, BLE001  # a full disk, a home that is gone, an error whose text fails
        pass


def entries(root: str) -> "list[dict[str, Any]]":
    """The lines, oldest first; a torn one is left out."""
    found: list[dict[str, Any]] = []
    for path in (paths.hooks_log(root) + ".1", paths.hooks_log(root)):
        try:
            with open(path, "rb") as stream:
                lines = stream.read().splitlines()
        except OSError:
            continue
        for line in lines:
            try:
                found.append(codec.decode_object(line))
            except ValueError:
                continue
    return found


def _append(path: str, line: bytes) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)
    try:
        full = os.fstat(descriptor).st_size > LARGEST
        os.write(descriptor, line)
    finally:
        os.close(descriptor)
    if full:
        os.replace(path, path + ".1")


def _without(content: "Iterable[str]", text: str) -> str:
    """`text` without the texts of `content`, as they are or as Python and JSON quote them."""
    for each in sorted(content, key=len, reverse=True):
        if _SHORTEST <= len(each) <= len(text):
            for quoted in (each, repr(each)[1:-1], codec.encode(each)[1:-1].decode()):
                text = text.replace(quoted, _HIDDEN)
    return text


def _said(error: BaseException) -> str:
    """The error's class and text, as the last line of a traceback has them."""
    try:
        return f"{type(error).__name__}: {error}"
    except Exception:  # noqa: BLE001  # it is the author's own class
        return f"{type(error).__name__}: its text cannot be made"


def _trace(error: BaseException, content: "Iterable[str]") -> str:
    """Where it broke, the innermost call last, and what it came of. Places name no content and stay whole."""
    import traceback

    lines: list[str] = []
    cause: BaseException | None = error
    while cause is not None and len(lines) < _FRAMES:
        told: list[str] = []
        for frame in traceback.extract_tb(cause.__traceback__, -_FRAMES):
            told.append(f'  File "{frame.filename}", line {frame.lineno}, in {frame.name}')
            told += ["    " + _without(content, frame.line)] if frame.line else []
        lines = [*told, _without(content, _said(cause)), *lines]
        cause = cause.__cause__ or (None if cause.__suppress_context__ else cause.__context__)
    return "\n".join(lines) + "\n"
