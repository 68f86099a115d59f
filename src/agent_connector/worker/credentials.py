"""The board's address and the worker's key to it: one private file, which is refused as soon as others may read it.

JSON `{"baseUrl", "mcpKey"}`. The key is never shown: not in a repr, not in an error.
"""

import json
import os
import re
import stat
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, cast
from urllib.parse import urlsplit

from agent_connector.errors import WorkerError
from agent_connector.home import private
from agent_connector.home.access import access
from agent_connector.worker import places

OTHERS, WRITING = 0o077, 0o022
LARGEST = 64 * 1024
LOGIN = "agent-connector worker login"
_KEY = re.compile(r"[!-~]{8,512}")  # what fits into a header as it is
_FLAGS = sum(getattr(os, name, 0) for name in ("O_CLOEXEC", "O_BINARY", "O_NONBLOCK"))


@dataclass(frozen=True, slots=True)
class Credentials:
    """`base_url` has no slash at its end; the tools are at `<base_url>/mcp`."""

    base_url: str
    mcp_key: str = field(repr=False)


def load(path: str, *, allow_insecure: bool = False) -> Credentials:
    """What stands in `path`; WorkerError when it is missing, readable by others or damaged."""
    held = _private(path)
    try:
        value: object = json.loads(held)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise _damaged(path, "it is no JSON object")
    given = cast("Mapping[str, Any]", value)
    for name in ("baseUrl", "mcpKey"):
        if not isinstance(given.get(name), str):
            raise _damaged(path, f"{name} is missing, or no text")
    return Credentials(base_url(given["baseUrl"], allow_insecure, path), key(given["mcpKey"], path))


def save(path: str, credentials: Credentials) -> None:
    """At once and for the owner's eyes only."""
    held = {"baseUrl": credentials.base_url, "mcpKey": credentials.mcp_key}
    private.write(path, json.dumps(held, indent=2) + "\n")


def located(variables: Mapping[str, str], home: str) -> str | None:
    """The file, None when there is none yet."""
    path = places.credentials_file(variables, home)
    return path if os.path.lexists(path) else None


def key(text: str, where: str) -> str:
    """A key as it is sent."""
    text = text.strip()
    if not _KEY.fullmatch(text):
        raise WorkerError("the key is not 8 to 512 plain characters", where=where, remedy="Copy it again, whole.")
    return text


def base_url(text: str, allow_insecure: bool, where: str) -> str:
    """The board's address in one spelling: without `/mcp` and slashes at its end. https, but on this machine."""
    text = text.strip()
    try:
        parts = urlsplit(text)
        host, _ = parts.hostname or "", parts.port
    except ValueError:
        raise _address("it is no address", where) from None
    if parts.scheme not in ("https", "http") or not host:
        raise _address("it begins with neither https:// nor http://", where)
    if not text.isascii() or not text.isprintable() or any(mark in text for mark in " \\?#@"):
        raise _address("it holds a user, a query or characters that no address has", where)
    if parts.scheme == "http" and not (allow_insecure or loopback(host)):
        raise WorkerError(
            "the board's address is plain http: whoever sees the traffic has the key",
            where=where,
            remedy="Use https, or say allowInsecure: true in connector.yml (--allow-insecure for login).",
        )
    path = parts.path.rstrip("/").removesuffix("/mcp").rstrip("/")
    return f"{parts.scheme}://{parts.netloc.lower()}{path}"


def loopback(host: str) -> bool:
    """True when `host` is this machine: by the list of the client that the key is handed to."""
    from agent_connector.board.client_http import LOOPBACK  # late: it brings the whole of HTTP with it

    return host in LOOPBACK


def _private(path: str) -> bytes:
    """The file's bytes; it is looked at as it is opened, so that nobody exchanges it in between."""
    try:
        descriptor = os.open(path, os.O_RDONLY | _FLAGS)
    except FileNotFoundError:
        raise WorkerError("there are no credentials", where=path, remedy=f"Get some: {LOGIN}") from None
    except OSError as error:
        raise WorkerError(f"the credentials cannot be read: {error.strerror}", where=path) from None
    try:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            raise _damaged(path, "it is no regular file")
        _guarded(path, found)
        return os.read(descriptor, LARGEST)
    finally:
        os.close(descriptor)


def _guarded(path: str, found: os.stat_result) -> None:
    mode, own = access(path, found)
    if not own:
        raise WorkerError("the credentials belong to another user", where=path, remedy=f"Make your own: {LOGIN}")
    if mode & OTHERS:
        raise WorkerError(
            f"others on this machine may read the credentials (mode {mode:04o})", where=path, remedy=_closed(path)
        )
    folder = os.path.dirname(os.path.realpath(path))
    around = os.stat(folder)
    mode, _ = access(folder, around)
    if mode & WRITING and not around.st_mode & stat.S_ISVTX:
        raise WorkerError(
            f"others on this machine may replace the credentials: their folder has mode {mode:04o}",
            where=path,
            remedy=_closed(folder, "700"),
        )


def _closed(path: str, mode: str = "600") -> str:
    """The command after which only the owner may read `path`."""
    if sys.platform == "win32":
        inherit = "(OI)(CI)F" if mode == "700" else "F"
        return f'icacls "{path}" /inheritance:r /grant:r "%USERNAME%:{inherit}"'
    import shlex

    return f"chmod {mode} {shlex.quote(path)}"


def _damaged(path: str, why: str) -> WorkerError:
    return WorkerError(f"the credentials are damaged: {why}", where=path, remedy=f"Make them again: {LOGIN}")


def _address(why: str, where: str) -> WorkerError:
    return WorkerError(f"the board's address is not usable: {why}", where=where, remedy="Such as https://board.example")
