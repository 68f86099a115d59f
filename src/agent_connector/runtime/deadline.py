"""Our own time limit, below the host's: who hangs is answered for while the host still listens.

A POSIX timer interrupts the main thread wherever it waits; Windows has none, so a thread watches there. Code that
holds the interpreter and never returns to it is left to the host's own limit.
"""

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal as _signal
    from collections.abc import Callable
else:
    try:
        import _signal  # `signal` would load `enum`
    except ImportError:
        import signal as _signal

DEFAULT = 10.0


def below(timeout: float) -> float:
    """The limit for work that the host gives `timeout` seconds: room to start and to answer is left."""
    return max(timeout - min(1.0, timeout * 0.2), 0.05)


def arm(seconds: float, expired: "Callable[[], object]") -> None:
    """Call `expired` after `seconds`; it has to end the process."""
    if sys.platform != "win32":
        _signal.signal(_signal.SIGALRM, lambda number, frame: expired())
        _signal.setitimer(_signal.ITIMER_REAL, seconds)
        return
    import _thread

    never = _thread.allocate_lock()
    never.acquire()
    _thread.start_new_thread(lambda: never.acquire(True, seconds) or expired(), ())
