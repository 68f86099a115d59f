"""Tasks and their comments: pages for pollers, one task, and every change of one.

A change gives the task a new `updated_at`, later than every other in the database and visible in that order: whoever
asks for what is newer than the last one seen has missed nothing.
"""

import base64
import binascii
import heapq
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row, Select, insert, select, tuple_, update

from agent_connector.board import rules
from agent_connector.board.engine import Tx
from agent_connector.board.schema import clock, comments, leases, tasks
from agent_connector.board.values import Comment, Task

MOST_COMMENTS = 1000  # of one task, the newest; fewer where they are long
TOPIC = "tasks"


@dataclass(frozen=True, slots=True)
class Place:
    """Where a page ended; the next one begins behind it."""

    updated_at: int
    id: str

    def cursor(self) -> str:
        return base64.urlsafe_b64encode(f"{self.updated_at}:{self.id}".encode()).decode().rstrip("=")

    @classmethod
    def read(cls, cursor: str) -> "Place":
        try:
            text = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode()
            updated_at, _, id = text.partition(":")
            return cls(rules.between(int(updated_at), "cursor", 0, rules.BIGGEST), rules.word(id, "cursor", rules.NAME))
        except (ValueError, binascii.Error):
            raise rules.refuse("invalid", "not a cursor of this board", "cursor") from None


def add(
    tx: Tx,
    *,
    title: str,
    by: str,
    description: str = "",
    status: str = "todo",
    board: str = "main",
    role: str | None = None,
    priority: int = 0,
    id: str | None = None,
) -> Task:
    """A new task, as a person makes it."""
    now = tx.tick()
    held: dict[str, Any] = {
        "id": rules.new_id() if id is None else rules.word(id, "id", rules.NAME),
        "board": rules.word(board, "board"),
        "title": rules.word(title, "title", rules.TITLE),
        "description": rules.sized(description, "description", rules.DESCRIPTION_BYTES),
        "status": rules.word(status, "status"),
        "role": None if role is None else rules.word(role, "role", rules.NAME),
        "priority": rules.between(priority, "priority", -1000, 1000),
        "status_by": by,
    }
    if not tx.inserted(tx.insert(tasks).values(**held, created_at=now, updated_at=now)):
        raise rules.refuse("conflict", "there is a task of that id", "id")
    tx.connection.execute(insert(leases).values(task_id=held["id"], fence=0, until=0))
    tx.tell(TOPIC)
    return get(tx, held["id"])


def page(
    tx: Tx,
    *,
    board: str | None = None,
    status: Sequence[str] = (),
    since: int | None = None,
    after: Place | None = None,
    limit: int = rules.PAGE,
) -> tuple[list[Task], Place | None]:
    """The tasks from `since` on, by `updated_at` and `id`, behind the place `after`; and where the next page begins.

    Each status is asked for alone and the answers are merged: one question for several would have to sort all of them.
    """
    wanted = rules.statuses(status) or [None]
    found = [tx.connection.execute(_walk(board, one, since, after, limit + 1)).all() for one in wanted]
    rows = list(heapq.merge(*found, key=lambda row: (row.updated_at, row.id)))
    fits = min(limit, _fitting(len(row.description) for row in rows))
    held = [_task(row) for row in rows[:fits]]
    return held, Place(rows[fits - 1].updated_at, rows[fits - 1].id) if len(rows) > fits else None


def _fitting(sizes: Iterable[int]) -> int:
    """How many of these, at least one, make an answer of bearable size."""
    count, total = 0, 0
    for size in sizes:
        total += size
        if count and total > rules.ANSWER_BYTES:
            break
        count += 1
    return count


def _walk(board: str | None, status: str | None, since: int | None, after: Place | None, limit: int) -> Select[Any]:
    query = select(tasks)
    if board is not None:
        query = query.where(tasks.c.board == board)
    if status is not None:
        query = query.where(tasks.c.status == status)
    if since is not None:
        query = query.where(tasks.c.updated_at >= since)
    if after is not None:
        query = query.where(tuple_(tasks.c.updated_at, tasks.c.id) > tuple_(after.updated_at, after.id))
    return query.order_by(tasks.c.updated_at, tasks.c.id).limit(limit)


def get(tx: Tx, id: str) -> Task:
    """With its comments, oldest first."""
    row = tx.connection.execute(select(tasks).where(tasks.c.id == id)).one_or_none()
    if row is None:
        raise unknown()
    return _task(row, said(tx, id))


def said(tx: Tx, task_id: str) -> tuple[Comment, ...]:
    newest = comments.c.created_at.desc()
    query = select(comments).where(comments.c.task_id == task_id).order_by(newest).limit(MOST_COMMENTS)
    rows = tx.connection.execute(query).all()
    fits = rows[: _fitting(len(row.body) for row in rows)]
    return tuple(Comment(row.id, row.author, row.body, rules.iso(row.created_at)) for row in reversed(fits))


def comment(tx: Tx, task_id: str, body: str, *, by: str) -> Comment:
    rules.sized(body, "body", rules.COMMENT_BYTES)
    if not body.strip():
        raise rules.refuse("invalid", "empty", "body")
    now = _touch(tx, task_id, {}).updated_at
    made = Comment(rules.new_id(), by, body, rules.iso(now))
    tx.connection.execute(insert(comments).values(id=made.id, task_id=task_id, author=by, body=body, created_at=now))
    return made


def set_status(tx: Tx, task_id: str, status: str, *, by: str) -> Task:
    return _task(_touch(tx, task_id, {"status": rules.word(status, "status"), "status_by": by}))


def edit(tx: Tx, task_id: str, **changed: Any) -> Task:
    """Other fields of a task, as a person changes them: title, description, board, role, priority."""
    checks: dict[str, Callable[[Any], Any]] = {
        "title": lambda value: rules.word(value, "title", rules.TITLE),
        "description": lambda value: rules.sized(value, "description", rules.DESCRIPTION_BYTES),
        "board": lambda value: rules.word(value, "board"),
        "role": lambda value: None if value is None else rules.word(value, "role", rules.NAME),
        "priority": lambda value: rules.between(value, "priority", -1000, 1000),
    }
    _touch(tx, task_id, {name: checks[name](value) for name, value in changed.items()})
    return get(tx, task_id)


def new_run(tx: Tx, task_id: str, run_id: str) -> int:
    """The task's run from now on; when that was."""
    return _touch(tx, task_id, {"run_id": run_id}).updated_at


def exists(tx: Tx, id: str) -> bool:
    return tx.connection.scalar(select(tasks.c.id).where(tasks.c.id == id)) is not None


def unknown() -> Exception:
    return rules.refuse("not_found", "no such task", "taskId")


def _touch(tx: Tx, task_id: str, changed: dict[str, Any]) -> Row[Any]:
    """The task as it is then. On PostgreSQL in one statement: everybody waits while the commit lock is held."""
    change = update(tasks).where(tasks.c.id == task_id)
    if tx.postgres:
        ticked = tx.ticking().returning(clock.c.last).cte("ticked")
        change = change.values(**changed, updated_at=select(ticked.c.last).scalar_subquery())
    else:
        change = change.values(**changed, updated_at=tx.tick())
    row = tx.connection.execute(change.returning(*tasks.c)).one_or_none()
    if row is None:
        raise unknown()
    tx.tell(TOPIC)
    return row


def _task(row: Row[Any], said: Iterable[Comment] = ()) -> Task:
    return Task(
        row.id,
        row.board,
        row.title,
        row.description,
        row.status,
        row.role,
        row.run_id,
        row.priority,
        rules.iso(row.created_at),
        rules.iso(row.updated_at),
        row.status_by,
        tuple(said),
    )


from_row = _task
