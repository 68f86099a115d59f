"""Folders that we create on the way to a file, and take away again when they are empty."""

import os
import secrets
from contextlib import suppress

from agent_connector.home.faults import explained


def missing(path: str) -> tuple[str, ...]:
    """The folders above `path` that are not there, outermost first."""
    found: list[str] = []
    folder = os.path.dirname(path)
    while not os.path.isdir(folder):
        found.append(folder)
        parent = os.path.dirname(folder)
        if parent == folder:
            break
        folder = parent
    return tuple(reversed(found))


def create(folders: tuple[str, ...], mode: int = 0o777) -> None:
    """Create them, outermost first; one that another program created meanwhile is as good."""
    for folder in folders:
        try:
            os.mkdir(folder, mode)
        except OSError as error:
            if not (isinstance(error, FileExistsError) and os.path.isdir(folder)):
                raise explained(error, folder, "created") from error


def remove_empty(folder: str) -> bool:
    """True when the folder is gone; False when something is in it, or it may not be removed."""
    try:
        os.rmdir(folder)
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return True


def remove_tree(path: str) -> bool:
    """Remove `path` and all that is in it, whatever somebody else has put there; True when it is gone.

    Links are removed, not followed; folders that were closed are opened; and no tree is too deep: the folders in each
    folder are moved up before it goes. Nothing else may be at work in it.
    """
    if os.path.islink(path) or not os.path.isdir(path):
        with suppress(OSError):
            os.unlink(path)
        return not os.path.lexists(path)
    left = True
    with suppress(OSError):
        os.chmod(path, 0o700)
        while left:
            left = False
            for folder in _emptied(path):
                for below in _emptied(folder):
                    left = True
                    os.rename(below, os.path.join(path, secrets.token_hex(16)))  # a name that nobody could have taken
                os.rmdir(folder)
        os.rmdir(path)
    return not os.path.lexists(path)


def _emptied(folder: str) -> list[str]:
    """The folders in `folder`, opened; everything else in it is gone."""
    found: list[str] = []
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                os.chmod(entry.path, 0o700)
                found.append(entry.path)
            else:
                if os.name == "nt" and not entry.is_symlink():
                    os.chmod(entry.path, 0o600)  # what is read-only there cannot be removed
                os.unlink(entry.path)
    return found
