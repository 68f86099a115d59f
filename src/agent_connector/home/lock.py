"""One writer at a time: the lock that every install, upgrade and removal holds while it works."""

from collections.abc import Generator
from contextlib import contextmanager

from filelock import FileLock, Timeout

from agent_connector.errors import HomeError, LockTimeout
from agent_connector.home import paths, private

PATIENCE = 60.0  # seconds; an install takes a few at most


@contextmanager
def held(root: str, timeout: float = PATIENCE) -> Generator[None]:
    """Hold the lock of the data root; a holder that dies lets it go. Within a process it may be taken again."""
    path = paths.lock(root)
    private.make_folder(root)
    lock = FileLock(path, mode=private.FILE, is_singleton=True)
    try:
        lock.acquire(timeout=timeout)
    except Timeout:
        raise LockTimeout(
            f"another agent-connector has been at work for more than {timeout:g} seconds",
            where=path,
            remedy="Wait for it to end, or end it; the lock goes with its process.",
        ) from None
    except (OSError, NotImplementedError) as error:
        raise HomeError(
            f"the lock cannot be taken: {error}",
            where=path,
            remedy="Put the data root on a local file system (AGENT_CONNECTOR_DATA_DIR).",
        ) from error
    try:
        yield
    finally:
        lock.release()
