"""Which file a path really means, and whether a link on the way may be followed.

User scope: a link is followed, and stays a link, when it ends at a regular file of the same user outside our own
state. Project scope: only when it ends inside the project, since a repository's links are its authors' choice, not
the person's. Loops, links to nothing and files of other owners are refused.
"""

import os
import stat
from collections.abc import Iterator

from agent_connector.errors import HomeError, LinkRefused
from agent_connector.home.paths import FOLDER

_OWNERS = hasattr(os, "geteuid")
_ROOT = 0


def resolve(path: str, *, project: str | None = None, own: str | None = None) -> str:
    """The final target of `path`, absolute and without links. `own` is our data root. The target may be absent."""
    path = os.path.abspath(path)
    linked = False
    for link in _links(path):
        linked = True
        _check_link(link, path)
    target = os.path.realpath(path)
    if project is not None:
        _check_inside(target, os.path.realpath(project), path)
    if linked:
        _check_outside_own(target, own, path)
    _check_file(target, path, linked)
    return target


def within(path: str, folder: str) -> bool:
    """True when `path` is `folder` or lies below it; both absolute."""
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


def _links(path: str) -> Iterator[str]:
    """Every part of `path` that is a link, outermost first."""
    parts: list[str] = []
    while True:
        parts.append(path)
        parent = os.path.dirname(path)
        if parent == path:
            break
        path = parent
    for part in reversed(parts):
        if os.path.islink(part):
            yield part


def _check_link(link: str, path: str) -> None:
    try:
        os.stat(link)
    except FileNotFoundError:
        raise _refused(path, f"the link {link} leads to nothing", "Mend or remove the link.") from None
    except OSError:
        raise _refused(path, f"the link {link} cannot be followed (a loop?)", "Mend or remove the link.") from None
    if _OWNERS and os.lstat(link).st_uid not in (os.geteuid(), _ROOT):
        raise _refused(path, f"the link {link} belongs to another user", "Replace it by a link or file of your own.")


def _check_inside(target: str, project: str, path: str) -> None:
    if not within(target, project):
        raise _refused(
            path,
            f"it leads out of the project, to {target}",
            "Replace the link by a file, or install in user scope.",
        )


def _check_outside_own(target: str, own: str | None, path: str) -> None:
    if FOLDER in target.split(os.sep) or (own is not None and within(target, os.path.realpath(own))):
        raise _refused(path, f"it leads into agent-connector's own state, {target}", "Remove the link.")


def _check_file(target: str, path: str, linked: bool) -> None:
    try:
        found = os.lstat(target)
    except (FileNotFoundError, NotADirectoryError):
        return
    if stat.S_ISDIR(found.st_mode):
        raise HomeError("a folder stands where a file is expected", where=path, remedy="Move the folder away.")
    if not stat.S_ISREG(found.st_mode):
        raise HomeError("it is not a regular file", where=path, remedy="Replace it by a regular file.")
    if linked and _OWNERS and found.st_uid != os.geteuid():
        raise _refused(
            path,
            f"it leads to {target}, which belongs to another user",
            "Edit that file where it is managed, or replace the link by a file of your own.",
        )


def _refused(path: str, why: str, remedy: str) -> LinkRefused:
    return LinkRefused(f"the link is not followed: {why}", where=path, remedy=remedy)
