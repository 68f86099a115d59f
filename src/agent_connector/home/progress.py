"""What takes long is said while it lasts, to whoever asked to hear it: the command line, where a person looks.

with progress.during("fetching it"): ...      said when it is not done within a second
progress.remark("read from a copy")           said at once, to a program's person as well
"""

import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar

SOON = 1.0  # seconds; what is done by then is not worth a line

Listener = Callable[[str], None]
_listener: ContextVar[Listener | None] = ContextVar("listener", default=None)
_remarks: ContextVar[tuple[Listener | None, set[str]]] = ContextVar("remarks")  # and what was said already


@contextmanager
def heard(listener: Listener | None, remarks: Listener | None = None) -> Generator[None]:
    """`listener` is told, from another thread, until this ends; None: nobody is. `remarks` hears what is remarked."""
    tokens = _listener.set(listener), _remarks.set((remarks, set()))
    try:
        yield
    finally:
        _listener.reset(tokens[0])
        _remarks.reset(tokens[1])


def remark(what: str) -> None:
    """Say, once, what a person should know of how it is done."""
    listener, said = _remarks.get((None, set[str]()))
    if listener is not None and what not in said:
        said.add(what)
        listener(what)


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
