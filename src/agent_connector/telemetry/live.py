"""Which measuring processes are still counting what a pump that has ended left them.

The pump leaves an empty file `<pump>.<measurer>` (process ids) when it starts one, which the measurer removes when it
is done. So a report that is asked for right after a session can wait the moment that is needed.
"""

import os
import sys
import time

from agent_connector.home import paths


def folder(root: str) -> str:
    """Where the files lie."""
    return os.path.join(paths.telemetry_folder(root), "live")


def done(root: str, pump: str) -> None:
    """The measurer says that all is counted."""
    try:
        os.unlink(os.path.join(folder(root), f"{pump}.{os.getpid()}"))
    except OSError:
        return


def settle(root: str, patience: float = 5.0) -> bool:
    """Wait until all that ended sessions left is counted. False when the patience was not enough."""
    end = time.monotonic() + patience
    while pending(root):
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


def pending(root: str) -> bool:
    """True while a measurer outlives its pump. Files of processes that are gone are removed."""
    if sys.platform == "win32":
        return False  # there, asking for a process would end it
    found = False
    try:
        names = os.listdir(folder(root))
    except OSError:
        return False
    for name in names:
        pump, _, measurer = name.partition(".")
        if not alive(measurer):
            try:
                os.unlink(os.path.join(folder(root), name))
            except OSError:
                continue
        elif not alive(pump):
            found = True
    return found


def alive(process: str) -> bool:
    """True when a process of this id runs."""
    try:
        os.kill(int(process), 0)
    except (ProcessLookupError, ValueError, OverflowError):
        return False
    except PermissionError:
        return True
    return not zombie(process)


def zombie(process: str) -> bool:
    """True when it has ended and only waits to be collected (told on Linux)."""
    try:
        with open(f"/proc/{process}/stat", "rb") as file:
            return file.read().rpartition(b")")[2].split()[0] == b"Z"
    except (OSError, IndexError):
        return False
