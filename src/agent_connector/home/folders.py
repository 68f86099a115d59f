"""Folders that we create on the way to a file, and take away again when they are empty."""

import os

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
