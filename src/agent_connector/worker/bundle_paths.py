"""Which paths a served bundle may name: what one system takes for a plain file is a way out, or another file, on the next.

Pure: nothing here looks at the disk.
"""

import re
import unicodedata
from collections.abc import Iterable

from agent_connector.board.values import BundleFile
from agent_connector.errors import WorkerError

FILE_BYTES, ALL_BYTES, MOST = 1024 * 1024, 16 * 1024 * 1024, 2000
PATH_BYTES, PART_BYTES, DEEPEST = 1024, 200, 16
_DEVICES = re.compile(r"(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³])(\..*)?", re.IGNORECASE)
_FORBIDDEN = set('\\:<>"|?*')  # a backslash or a colon leads elsewhere on Windows; the rest no file is named with there
_GIT = re.compile(r"\.?git(~\d+)?|\.git(modules|attributes)", re.IGNORECASE)  # what git reads commands from


def checked(files: Iterable[BundleFile]) -> dict[str, bytes]:
    """Path and content of every file; WorkerError names the first that is not taken, and then none is."""
    held, folded = dict[str, bytes](), dict[str, str]()
    total = 0
    for file in files:
        why = refusal(file.path)
        data = file.content.encode("utf-8", "surrogatepass")
        total += len(data)
        if why is None and (len(data) > FILE_BYTES or total > ALL_BYTES or len(held) >= MOST):
            why = f"more than {MOST} files, {FILE_BYTES} bytes in one or {ALL_BYTES} in all"
        why = why or _halves(data) or _collision(file.path, folded)
        if why is not None:
            raise WorkerError(
                f"the board serves a bundle that is not taken: {why}",
                where=_said(file.path),
                remedy="Nothing of it was written. Mend the bundle at the board.",
            )
        held[file.path] = data
    return held


def refusal(path: str) -> str | None:
    """Why `path` is no path of a bundle; None when it is one."""
    try:
        size = len(path.encode())
    except UnicodeEncodeError:
        return "half a character in a path"
    if not path or size > PATH_BYTES:
        return f"a path that is empty or longer than {PATH_BYTES} bytes"
    if not path.isprintable() or unicodedata.normalize("NFC", path) != path:
        return "a path with characters that are not seen, or that are written in two ways"
    if _FORBIDDEN & set(path):
        return 'a path with one of \\ : < > " | ? *'
    parts = path.split("/")
    if len(parts) > DEEPEST:
        return f"a path of more than {DEEPEST} folders"
    return next((why for why in map(_part, parts) if why), None)


def _part(part: str) -> str | None:
    if part in ("", ".", ".."):
        return "a path that is absolute, or has an empty part, `.` or `..`"
    if len(part.encode()) > PART_BYTES:
        return f"a name longer than {PART_BYTES} bytes"
    if part != part.strip(" ") or part.endswith("."):
        return "a name that begins or ends with a blank, or ends with a dot"
    if _DEVICES.fullmatch(part):
        return "a name that means a device on Windows"
    if _GIT.fullmatch(part):
        return "a name that git takes for its own"
    return None


def _collision(path: str, folded: dict[str, str]) -> str | None:
    """Two files that are one where case does not count, or a file where another needs a folder. Notes the path."""
    parts = path.split("/")
    for count in range(1, len(parts) + 1):
        here = "/".join(parts[:count])
        whole = count == len(parts)
        key = unicodedata.normalize("NFC", here.casefold())
        before = folded.get(key)
        if before is not None and (whole or before != here + "/"):
            return f"it stands twice, or as a file and a folder: {before!r}"
        folded[key] = here if whole else here + "/"
    return None


def _halves(data: bytes) -> str | None:
    try:
        data.decode()
    except UnicodeDecodeError:
        return "half a character in a file"
    return None


def _said(path: str) -> str:
    return "bundle: " + ascii(path)[:200]
