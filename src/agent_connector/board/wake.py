"""Wake who waits for a change: at once in this process, through LISTEN/NOTIFY in the others of one PostgreSQL.

It is a hint and no more: nothing is read from it but "look again", and whoever waits also looks again by itself every
few seconds, so a lost one (a database restart, a process that writes to SQLite beside us) only costs time.
"""

import asyncio
import contextlib
import threading
from collections import defaultdict
from collections.abc import Generator, Iterable

import psycopg

CHANNEL = "agent_connector_board"
_TOGETHER = 0.02  # seconds in which changes are told as one
_FIRST_WAIT, _LONGEST_WAIT = 0.2, 5.0  # seconds until the listener connects again


class Signal:
    """What one waiter holds; it remembers a change that came before it waits."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._event = asyncio.Event()

    def set(self) -> None:
        """From any thread."""
        with contextlib.suppress(RuntimeError):  # the loop has closed: nobody waits there any more
            self._loop.call_soon_threadsafe(self._event.set)

    async def wait(self, seconds: float) -> bool:
        """True when there was a change, False when the time is over."""
        try:
            await asyncio.wait_for(self._event.wait(), seconds)
        except TimeoutError:
            return False
        self._event.clear()
        return True


class Wake:
    """Topics are texts: `tasks` (any task, comment or run changed), `run:<id>` (its log or status), `presence`."""

    def __init__(self, conninfo: str | None = None) -> None:
        """`conninfo` is of PostgreSQL, where there is one."""
        self._lock = threading.Lock()
        self._waiting: dict[str, set[Signal]] = defaultdict(set)
        self._conninfo = conninfo
        self._listener: Listener | None = None
        self._teller: Teller | None = None

    @contextlib.contextmanager
    def on(self, *topics: str) -> Generator[Signal]:
        """A signal for these topics, while the block runs. Take it before you look, or you may miss a change."""
        signal = Signal(asyncio.get_running_loop())
        with self._lock:
            for topic in topics:
                self._waiting[topic].add(signal)
        try:
            yield signal
        finally:
            with self._lock:
                for topic in topics:
                    self._waiting[topic].discard(signal)
                    if not self._waiting[topic]:
                        del self._waiting[topic]

    def tell(self, topics: Iterable[str]) -> None:
        """Here at once, in other processes soon: never in the transaction, whose commit would then wait for all others."""
        told = set(topics)
        self.here(told)
        if told and self._conninfo is not None:
            with self._lock:
                self._teller = self._teller or Teller(self._conninfo)
            self._teller.add(told)

    def here(self, topics: Iterable[str]) -> None:
        with self._lock:
            signals = {signal for topic in topics for signal in self._waiting.get(topic, ())}
        for signal in signals:
            signal.set()

    def everywhere_here(self) -> None:
        """Every waiter of this process: something may have been missed."""
        with self._lock:
            topics = list(self._waiting)
        self.here(topics)

    def listen(self) -> None:
        """Also hear what other processes at this PostgreSQL tell."""
        if self._listener is None and self._conninfo is not None:
            self._listener = Listener(self._conninfo, self)

    def close(self) -> None:
        for thread in (self._teller, self._listener):
            if thread is not None:
                thread.stop()
        self._teller = self._listener = None


class Teller:
    """A thread that tells many changes at once, on a connection of its own. What cannot be told is let go."""

    def __init__(self, conninfo: str) -> None:
        self._conninfo = conninfo
        self._some = threading.Event()
        self._over = threading.Event()
        self._lock = threading.Lock()
        self._topics: set[str] = set()
        self._thread = threading.Thread(target=self._run, name="board-teller", daemon=True)
        self._thread.start()

    def add(self, topics: set[str]) -> None:
        with self._lock:
            self._topics |= topics
        self._some.set()

    def stop(self) -> None:
        """What is left is told first."""
        self._over.set()
        self._some.set()
        self._thread.join(10)

    def _run(self) -> None:
        while not self._over.is_set() or self._topics:
            try:
                with psycopg.connect(self._conninfo, autocommit=True, connect_timeout=5) as connection:
                    connection.execute("SET synchronous_commit = off")
                    while not self._over.is_set() or self._topics:
                        self._tell(connection)
            except psycopg.Error:
                self._taken()
                self._over.wait(_FIRST_WAIT)

    def _tell(self, connection: "psycopg.Connection[tuple[object, ...]]") -> None:
        self._some.wait()
        self._over.wait(_TOGETHER)
        topics = self._taken()
        if topics:
            connection.execute("SELECT pg_notify(%s, topic) FROM unnest(%s::text[]) topic", (CHANNEL, sorted(topics)))

    def _taken(self) -> set[str]:
        with self._lock:
            self._some.clear()
            topics, self._topics = self._topics, set()
        return topics


class Listener:
    """A thread with a connection of its own, which it opens again whenever it is lost."""

    def __init__(self, conninfo: str, wake: Wake) -> None:
        self._conninfo = conninfo
        self._wake = wake
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="board-listener", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._over.set()
        self._thread.join(10)

    def _run(self) -> None:
        wait = _FIRST_WAIT
        while not self._over.is_set():
            try:
                with psycopg.connect(self._conninfo, autocommit=True, connect_timeout=5) as connection:
                    connection.execute(f"LISTEN {CHANNEL}")
                    self._wake.everywhere_here()  # what was told while nobody listened
                    wait = _FIRST_WAIT
                    self._hear(connection)
            except psycopg.Error:
                self._over.wait(wait)
                wait = min(wait * 2, _LONGEST_WAIT)

    def _hear(self, connection: "psycopg.Connection[tuple[object, ...]]") -> None:
        while not self._over.is_set():
            for note in connection.notifies(timeout=1, stop_after=1):
                self._wake.here([note.payload])
