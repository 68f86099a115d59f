"""What the page shows, each read in one transaction: `await store.reading(readers.columns, board=None)`.

    boards(tx)                                   names of the boards
    columns(tx, board, limit=50)                 Column(status, count, tasks) in the order of a board
    task(tx, id) -> TaskView                     the task with comments, its runs (newest first), its lease
    run(tx, id) -> RunView                       the run, its task, how many events
    log(tx, run_id, after=-1, limit=500)         events with a higher seq, oldest first; `seq` is the id of a live stream
    waiting(tx, blocked=None)                    escalations: tasks with a run that awaits a person, longest first
    costs_by_day(tx, days=30), costs_by_task(tx, limit=50), costs_by_run(tx, limit=50)
    presence.workers(tx)                         in `presence`
    served.served_roles, .role_versions, .bundle, .bundle_versions to read; .set_role, .retire_role, .push_bundle to write
    tasks.add, .edit, .comment, .set_status      what a person does (`by=` the e-mail)
    sessions.start / find / end, users.*, keys.* login, people, keys; `doors.check_login` does a whole login

Live parts: `with store.wake.on(f"run:{id}") as signal:` read, send, `await signal.wait(seconds)`, read again.
Topics: `tasks`, `run:<id>`, `presence`, `served`.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import func, select

from agent_connector.board import lease_clock, rules, runs, tasks
from agent_connector.board import schema as s
from agent_connector.board.engine import Tx
from agent_connector.board.runs import Run
from agent_connector.board.values import Comment, Task

ORDER = (
    "todo",
    "doing",
    "running",
    "in_progress",
    "blocked",
    "review",
    "done",
    "failed",
)  # others come behind, by name
_DAY = 86_400_000_000


@dataclass(frozen=True, slots=True)
class Column:
    """A status; `count` is of all, `tasks` the first few: the highest priority, then what changed last."""

    status: str
    count: int
    tasks: tuple[Task, ...]


@dataclass(frozen=True, slots=True)
class Held:
    """Who holds a task."""

    connector: str
    fence: int
    until: str
    expired: bool


@dataclass(frozen=True, slots=True)
class TaskView:
    task: Task
    runs: tuple[Run, ...]
    held: Held | None
    cost: float


@dataclass(frozen=True, slots=True)
class RunView:
    run: Run
    task: Task
    events: int


@dataclass(frozen=True, slots=True)
class Event:
    seq: int
    ts: str
    type: str
    channel: str
    payload: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Waiting:
    """An escalation: the run that stopped, and the last word on its task, which says what is needed."""

    task: Task
    run: Run
    said: Comment | None


@dataclass(frozen=True, slots=True)
class Cost:
    """`key` is a day (2026-12-01), a task's id or a run's; `title` the task's where there is one."""

    key: str
    title: str
    cost: float
    runs: int


def boards(tx: Tx) -> list[str]:
    return list(tx.connection.scalars(select(s.tasks.c.board).distinct().order_by(s.tasks.c.board)))


def columns(tx: Tx, board: str | None = None, limit: int = 50) -> list[Column]:
    of = () if board is None else (s.tasks.c.board == board,)
    counted = select(s.tasks.c.status, func.count()).where(*of).group_by(s.tasks.c.status)
    counts = {status: int(count) for status, count in tx.connection.execute(counted)}
    places = {status: place for place, status in enumerate(ORDER)}
    ordered = sorted(counts, key=lambda status: (places.get(status, len(ORDER)), status))
    return [Column(status, counts[status], _first(tx, status, of, limit)) for status in ordered]


def _first(tx: Tx, status: str, of: tuple[Any, ...], limit: int) -> tuple[Task, ...]:
    """Of the many that a column may hold only those that changed last are looked at; the urgent among them lead."""
    recent = select(s.tasks).where(s.tasks.c.status == status, *of)
    rows = tx.connection.execute(recent.order_by(s.tasks.c.updated_at.desc()).limit(limit)).all()
    return tuple(tasks.from_row(row) for row in sorted(rows, key=lambda row: -row.priority))


def task(tx: Tx, id: str) -> TaskView:
    found = tasks.get(tx, id)
    of = select(s.runs).where(s.runs.c.task_id == id).order_by(s.runs.c.created_at.desc())
    held = tuple(runs.from_row(row) for row in tx.connection.execute(of.limit(200)))
    total = tx.connection.scalar(select(func.sum(s.runs.c.cost)).where(s.runs.c.task_id == id))
    return TaskView(found, held, _held(tx, id), float(total or 0))


def _held(tx: Tx, id: str) -> Held | None:
    row = tx.connection.execute(select(s.leases).where(s.leases.c.task_id == id)).one_or_none()
    if row is None or row.connector is None:
        return None
    now = lease_clock.now(tx)
    return Held(row.connector, row.fence, rules.iso(now.ends(row.until)), row.until <= now.steady)


def run(tx: Tx, id: str) -> RunView:
    found = runs.get(tx, id)
    count = tx.connection.scalar(select(func.count()).where(s.events.c.run_id == id))
    return RunView(found, tasks.get(tx, found.task_id), int(count or 0))


def log(tx: Tx, run_id: str, after: int = -1, limit: int = 500) -> list[Event]:
    of = (s.events.c.run_id == run_id, s.events.c.seq > after)
    rows = tx.connection.execute(select(s.events).where(*of).order_by(s.events.c.seq).limit(limit))
    return [Event(row.seq, row.ts, row.type, row.channel, json.loads(row.payload)) for row in rows]


def waiting(tx: Tx, blocked: str | None = None, limit: int = 200) -> list[Waiting]:
    """`blocked` keeps only the tasks in that status. A task whose newest run goes on does not wait."""
    newest = (s.runs.c.status == "awaiting_human", s.runs.c.id == s.tasks.c.run_id)
    query = select(s.runs).join(s.tasks, s.tasks.c.id == s.runs.c.task_id).where(*newest)
    if blocked is not None:
        query = query.where(s.tasks.c.status == blocked)
    found = list[Waiting]()
    for row in tx.connection.execute(query.order_by(s.runs.c.updated_at).limit(limit)).all():
        held = tasks.get(tx, row.task_id)
        found.append(Waiting(held, runs.from_row(row), held.comments[-1] if held.comments else None))
    return found


def costs_by_day(tx: Tx, days: int = 30) -> list[Cost]:
    """By the day (UTC) on which a run began, the newest first; a day without runs is left out."""
    day = s.runs.c.created_at - s.runs.c.created_at % _DAY
    since = tx.time() - days * _DAY
    query = select(day.label("day"), func.sum(s.runs.c.cost), func.count()).where(s.runs.c.created_at >= since)
    rows = tx.connection.execute(query.group_by("day").order_by(day.desc()))
    return [Cost(rules.iso(int(at))[:10], "", float(total or 0), int(count)) for at, total, count in rows]


def costs_by_task(tx: Tx, limit: int = 50) -> list[Cost]:
    """The dearest first."""
    total = func.sum(s.runs.c.cost).label("total")
    query = select(s.tasks.c.id, s.tasks.c.title, total, func.count()).join(s.runs, s.runs.c.task_id == s.tasks.c.id)
    query = query.where(s.runs.c.cost.is_not(None)).group_by(s.tasks.c.id, s.tasks.c.title)
    rows = tx.connection.execute(query.order_by(total.desc()).limit(limit))
    return [Cost(id, title, float(sum_), int(count)) for id, title, sum_, count in rows]


def costs_by_run(tx: Tx, limit: int = 50) -> list[Cost]:
    """The newest first."""
    query = select(s.runs.c.id, s.tasks.c.title, s.runs.c.cost).join(s.tasks, s.tasks.c.id == s.runs.c.task_id)
    rows = tx.connection.execute(query.order_by(s.runs.c.created_at.desc()).limit(limit))
    return [Cost(id, title, float(cost or 0), 1) for id, title, cost in rows]
