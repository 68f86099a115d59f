"""One telemetry row, one line: appended without a lock, a database or a heavy import.

All writers of a machine and day share one segment file. A line goes out in a single `O_APPEND` write, which the
system places whole behind the lines of others; readers fold segments into SQLite later (`telemetry/store.py`).
On the hook path: built-in modules only. Counts only: keys outside `KEYS` are left out, texts are cut.
"""

import sys
import time
from _json import encode_basestring_ascii as quote

from agent_connector.home.system import basename, calls, dirname, isdir, isfile, realpath
from agent_connector.home.system import variables as environment

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

VERSION = 1
SCOPES = ("call", "tool_defs", "hook", "model_turn")
LAYERS = ("hook", "serve", "middleware")
KEYS = (
    "t",  # milliseconds since 1970; filled in when missing
    "scope",  # one of SCOPES
    "connector",
    "host",
    "surface",  # "server", "hooks", "statusline", "actions"
    "tool",
    "session",
    "project",  # project()[0]
    "project_name",  # project()[1]
    "family",  # of the model: "gpt", "claude", "gemini" ...
    "in",  # tokens that went to the tool or hook
    "out",  # tokens that came back
    "source",  # where the two numbers come from: "tokenizer-exact" ... "heuristic"
    "ms",
    "error",  # 0 or 1, never a text
    "n",  # calls that this row stands for; 1 when missing
)
LONGEST = 160  # characters of a text: a name, never a message


def enabled(root: str, connector: str = "", layer: str = "", variables: "Mapping[str, str] | None" = None) -> bool:
    """False when a person switched counting off: by variable, or stored for all, this connector or this layer."""
    said = (environment() if variables is None else variables).get("AGENT_CONNECTOR_TELEMETRY", "")
    if said.lower() in ("0", "off", "false", "no"):
        return False
    switch = root + "/telemetry/off"
    names = (switch, switch + "-connector-" + connector, switch + "-layer-" + layer)
    return not any(calls.access(name, calls.F_OK) for name in names)


def append(root: str, row: "Mapping[str, object]", book: str = "") -> bool:
    """Write `row` below the data root (or below `book`, a project's own folder). False when it could not be."""
    data = line(row)
    folder = (book or root) + "/telemetry/segments"
    path = folder + "/" + segment(time.gmtime())
    try:
        return write(path, data)
    except FileNotFoundError:
        pass
    except OSError:
        return False
    import os

    try:
        os.makedirs(folder, 0o700, exist_ok=True)
        if book:
            ignore(book)
        return write(path, data)
    except OSError:
        return False


def segment(day: "time.struct_time") -> str:
    """The segment of this machine and day. The machine is in it because appends are not atomic between machines."""
    node = environment().get("COMPUTERNAME", "") if sys.platform == "win32" else calls.uname().nodename
    safe = "".join(c if c.isalnum() and c.isascii() else "-" for c in node)
    return time.strftime("%Y%m%d", day) + "." + safe[:40] + ".jsonl"


def line(row: "Mapping[str, object]") -> bytes:
    """The row as one line of JSON. Always starts with the version, by which readers find a row behind a torn one."""
    parts = ['{"v":' + str(VERSION)]
    for key in KEYS:
        value = row.get(key)
        if value is None and key == "t":
            value = time.time_ns() // 1_000_000
        if key == "error":
            value = 1 if value else 0
        if isinstance(value, str):
            parts.append('"' + key + '":' + quote(value[:LONGEST]))
        elif isinstance(value, (int, float)):
            parts.append('"' + key + '":' + repr(round(value, 3) if isinstance(value, float) else int(value)))
    return (",".join(parts) + "}\n").encode()


if sys.platform == "win32":

    def write(path: str, data: bytes) -> bool:
        """Append access alone makes NTFS place each write at the end; the C library's O_APPEND seeks first."""
        import _winapi

        append_data_and_synchronize, share_all, open_always, normal = 0x100004, 7, 4, 0x80
        handle = _winapi.CreateFile(path, append_data_and_synchronize, share_all, 0, open_always, normal, 0)
        try:
            return _winapi.WriteFile(handle, data)[0] == len(data)
        finally:
            _winapi.CloseHandle(handle)
else:

    def write(path: str, data: bytes) -> bool:
        """One write: whole lines of several processes never mix."""
        flags = calls.O_WRONLY | calls.O_APPEND | calls.O_CREAT | calls.O_NOFOLLOW
        descriptor = calls.open(path, flags, 0o600)
        try:
            return calls.write(descriptor, data) == len(data)
        finally:
            calls.close(descriptor)


def ignore(book: str) -> None:
    """A book inside a project keeps itself out of that project's repository."""
    path = book + "/.gitignore"
    if not calls.access(path, calls.F_OK):
        descriptor = calls.open(path, calls.O_WRONLY | calls.O_CREAT, 0o600)
        calls.write(descriptor, b"*\n")
        calls.close(descriptor)


def estimate(size: int) -> int:
    """Tokens of `size` bytes of unknown text, four to a token: the heuristic of rows that are not tokenized."""
    return (size + 3) // 4


def project(folder: str) -> "tuple[str, str]":
    """(identity, name): a hash of the git remote, else of the path; and the name of the project's folder.

    Clones, worktrees and hosts of one repository share one identity.
    """
    import _blake2

    root, store = repository(folder)
    name = remote(store) if store else ""
    if not name and store:
        name = dirname(store) if store.endswith(".git") else store
    name = name or root
    if sys.platform == "win32":
        import os

        name = os.path.normcase(name)
    key = name.encode("utf-8", "surrogateescape")
    return _blake2.blake2b(key, digest_size=8).hexdigest(), basename(root) or root


def repository(folder: str) -> "tuple[str, str]":
    """(working folder, git's own folder or "") of the project around `folder`."""
    start = here = realpath(folder)
    while True:
        dot = here + "/.git"
        if isdir(dot):
            return here, dot
        if isfile(dot):
            return here, linked(here, dot)
        above = dirname(here)
        if above == here:
            return start, ""
        here = above


def linked(here: str, dot: str) -> str:
    """The shared git folder behind a worktree's or submodule's `.git` file."""
    text = read(dot)
    if not text.startswith("gitdir:"):
        return ""
    import os

    own = os.path.normpath(os.path.join(here, text[7:].strip()))
    common = read(own + "/commondir").strip()
    return os.path.normpath(os.path.join(own, common)) if common else own


def remote(store: str) -> str:
    """The normal form of the repository's remote: `origin`, else the first one; "" without any."""
    found, section = "", ""
    for raw in read(store + "/config").split("\n"):
        text = raw.strip()
        if text.startswith("["):
            section = text
        elif section.startswith("[remote ") and text.startswith("url") and "=" in text:
            url = text.split("=", 1)[1].strip()
            if section == '[remote "origin"]':
                return address(url)
            found = found or address(url)
    return found


def address(url: str) -> str:
    """`git@Host:a/b.git`, `https://user:key@host/a/b` -> `host/a/b`: no account, no key, no spelling."""
    scheme, separator, rest = url.partition("://")
    if not separator:
        before, colon, after = url.partition(":")
        if not colon or "/" in before or len(before) < 2:
            return _normal(url)  # a folder
        rest = before + "/" + after
    elif scheme == "file":
        return _normal(rest)
    place, _, path = rest.partition("/")
    host = place.rpartition("@")[2].lower().partition(":")[0]
    path = path.strip("/")
    return host + "/" + path.removesuffix(".git")


def _normal(path: str) -> str:
    import os

    return os.path.normpath(path)


def read(path: str) -> str:
    """The text of a small file, "" when it cannot be read."""
    try:
        descriptor = calls.open(path, calls.O_RDONLY)
    except OSError:
        return ""
    try:
        return calls.read(descriptor, 1 << 17).decode("utf-8", "replace")
    except OSError:
        return ""
    finally:
        calls.close(descriptor)
