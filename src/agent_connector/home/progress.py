"""What takes long is said while it lasts, to whoever asked to hear it: the command line, where a person looks.

with progress.during("fetching it"): ...      said when it is not done within a second
"""

import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar

SOON = 1.0  # seconds; what is done by then is not worth a line

Listener = Callable[[str], None]
_listener: ContextVar[Listener | None] = ContextVar("listener", default=None)


@contextmanager
def heard(listener: Listener | None) -> Generator[None]:
    """`listener` is told, from another thread, until this ends; None: nobody is."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


@contextmanager
def during(what: str) -> Generator[None]:
    """Say `what` when this takes long."""
    listener = _listener.get()
    if listener is None:
        yield
        return
    timer = threading.Timer(SOON, listener, (what,))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
