"""Where unix sockets of the worker lie: in private folders with short names, however long that of the person's home is."""

import os
import tempfile

LONGEST = 80  # bytes of a folder's name: the whole name of a socket has an end at 104
_SHORT = "/tmp"  # noqa: S108 - what is made in it is new, and private


def make_folder() -> str:
    """A new folder that nobody else can enter."""
    folder = tempfile.mkdtemp(prefix="agent-connector-")
    if len(os.fsencode(folder)) <= LONGEST:
        return folder
    os.rmdir(folder)
    return tempfile.mkdtemp(prefix="agent-connector-", dir=_SHORT)
