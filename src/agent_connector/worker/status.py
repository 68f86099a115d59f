"""How things stand on this machine, read without disturbing a worker that runs. The board is not asked."""

import os
import sqlite3
import time
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from urllib.parse import quote

from filelock import FileLock, Timeout

from agent_connector.errors import WorkerError
from agent_connector.worker import config, credentials, killswitch, places
from agent_connector.worker.budget import day_of
from agent_connector.worker.config import Config
from agent_connector.worker.config_read import is_repository
from agent_connector.worker.killswitch import Engaged


@dataclass(frozen=True, slots=True)
class Waiting:
    """A task that waits for a person."""

    task: str
    kind: str
    reason: str


@dataclass(frozen=True, slots=True)
class Memory:
    """What the state holds. `readable` False: it is there and cannot be read."""

    runs: tuple[str, ...] = ()  # tasks
    waiting: tuple[Waiting, ...] = ()
    outbox: int = 0  # what the board has not heard yet
    spent_today: float = 0.0
    readable: bool = True


@dataclass(frozen=True, slots=True)
class Status:
    """`problems` are what keeps the worker from running, each with what to do."""

    config_file: str
    credentials_file: str
    base_url: str | None
    config: Config | None
    git: bool
    stopped: Engaged | None
    running: bool
    memory: Memory
    problems: tuple[str, ...]


def look(config_file: str, variables: Mapping[str, str], home: str) -> Status:
    """Everything that can be said; what is missing is a problem, not an error."""
    problems = list[str]()
    found: Config | None = None
    try:
        found = config.load(config_file, variables, home)
    except WorkerError as error:
        problems.append(str(error))
    key_file = places.credentials_file(variables, home)
    base: str | None = None
    try:
        base = credentials.load(key_file, allow_insecure=found.allow_insecure if found else False).base_url
    except WorkerError as error:
        problems.append(str(error))
    beside = os.path.dirname(config_file)
    state = found.state_path if found else os.path.join(beside, places.STATE)
    switch = found.ergonomics.kill_switch_file if found else os.path.join(beside, places.KILL_SWITCH)
    return Status(
        config_file, key_file, base, found, bool(found and is_repository(found.sandbox_dir)),
        killswitch.engaged(switch), _held(state + ".lock"), _remembered(state), tuple(problems),
    )  # fmt: skip


def _held(lock: str) -> bool:
    """True when a worker lives: it holds the lock of its state as long as it does."""
    if not os.path.exists(lock):
        return False
    one = FileLock(lock)
    try:
        one.acquire(timeout=0)
    except (Timeout, OSError):
        return True
    one.release()
    return False


def _remembered(path: str) -> Memory:
    if not os.path.exists(path):
        return Memory()
    try:
        with closing(sqlite3.connect(f"file:{quote(path)}?mode=ro", uri=True, timeout=2.0)) as db:
            runs = [row[0] for row in db.execute("SELECT task FROM runs WHERE state = 'open' ORDER BY run")]
            waiting = [
                Waiting(*row) for row in db.execute("SELECT task, kind, reason FROM escalations ORDER BY asked_at")
            ]
            outbox = db.execute("SELECT COUNT(*) FROM outbox").fetchone()[0]
            today = (day_of(time.time()),)
            spent = db.execute("SELECT SUM(COALESCE(settled, reserved)) FROM spend WHERE day = ?", today).fetchone()[0]
    except sqlite3.Error:
        return Memory(readable=False)
    return Memory(tuple(runs), tuple(waiting), int(outbox), float(spent or 0.0))
