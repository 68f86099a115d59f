"""Runs of tasks, and their logs.

An event is known by its `seq`, a number that the worker gives. One that is held is dropped, so a batch may be sent again.
Gaps are allowed: what a worker could not send at all must not hold up the rest. `next` is the number behind the highest
one that is held, and one below it that was never sent is still taken.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row, case, insert, select, update

from agent_connector.board import leases, rules, tasks
from agent_connector.board.engine import Tx
from agent_connector.board.schema import events, runs


@dataclass(frozen=True, slots=True)
class Run:
    """A run as it stands. Times are ISO texts; `result` and `metadata` are what the worker sent.

    Events before `log_from` were removed, as the board keeps logs for a time only.
    """

    id: str
    task_id: str
    connector: str
    status: str
    role_id: str | None
    provider: str | None
    model: str | None
    cost: float | None
    result: Mapping[str, Any] | None
    metadata: Mapping[str, Any] | None
    created_at: str
    updated_at: str
    finished_at: str | None
    next_seq: int
    log_from: int

    def wire(self) -> dict[str, Any]:
        held = {
            "id": self.id,
            "taskId": self.task_id,
            "connectorId": self.connector,
            "status": self.status,
            "roleId": self.role_id,
            "provider": self.provider,
            "model": self.model,
            "cost": self.cost,
            "result": self.result,
            "metadata": self.metadata,
            "createdAt": self.created_at,
            "updatedAt": self.updated_at,
            "finishedAt": self.finished_at,
            "logFrom": self.log_from or None,
        }
        return {name: value for name, value in held.items() if value is not None}


def create(
    tx: Tx,
    task_id: str,
    *,
    connector: str,
    role_id: str | None = None,
    provider: str | None = None,
    model: str | None = None,
    fence: int | None = None,
) -> Run:
    """A new run, which the task names from now on."""
    leases.check(tx, task_id, fence)
    held = {"connector": connector, "role_id": role_id, "provider": provider, "model": model}
    held = {name: None if value is None else rules.word(value, name, rules.NAME) for name, value in held.items()}
    id = rules.new_id()
    now = tasks.new_run(tx, task_id, id)
    tx.connection.execute(
        insert(runs).values(id=id, task_id=task_id, status="queued", created_at=now, updated_at=now, next_seq=0, **held)
    )
    return get(tx, id)


def change(
    tx: Tx,
    id: str,
    *,
    status: str,
    result: Mapping[str, Any] | None = None,
    finished_at: str | None = None,
    metadata: Mapping[str, Any] | None = None,
    provider: str | None = None,
    model: str | None = None,
    cost: float | None = None,
    fence: int | None = None,
) -> Run:
    """What is None stays as it is."""
    leases.check(tx, _place(tx, id)[0], fence)
    changed: dict[str, Any] = {
        "result": None if result is None else packed(result, "result", rules.RECORD_BYTES),
        "metadata": None if metadata is None else packed(metadata, "metadata", rules.RECORD_BYTES),
        "finished_at": None if finished_at is None else rules.micros(finished_at, "finishedAt"),
        "provider": None if provider is None else rules.word(provider, "provider", rules.NAME),
        "model": None if model is None else rules.word(model, "model", rules.NAME),
        "cost": rules.cost(cost),
    }
    changed = {name: value for name, value in changed.items() if value is not None}
    values = {"status": rules.run_status(status), "updated_at": tx.now, **changed}
    tx.connection.execute(update(runs).where(runs.c.id == id).values(**values))
    tx.tell(f"run:{id}", tasks.TOPIC)
    return get(tx, id)


def append(tx: Tx, id: str, given: Sequence[Mapping[str, Any]], *, fence: int | None = None) -> tuple[int, int]:
    """How many were new, and the next `seq`."""
    task_id, log_from = _place(tx, id)
    leases.check(tx, task_id, fence)
    rows: list[dict[str, Any]] = [
        event | {"run_id": id, "payload": packed(event["payload"], f"events[{number}].payload", rules.EVENT_BYTES)}
        for number, event in enumerate(rules.events(given))
    ]
    if sum(len(row["payload"].encode()) + len(row["type"]) + len(row["ts"]) for row in rows) > rules.EVENT_BYTES:
        raise rules.refuse("invalid", f"more than {rules.EVENT_BYTES} bytes", "events")
    told = {row["seq"]: row for row in rows}  # a batch that names one twice means the last
    fresh = [row for seq, row in told.items() if seq >= log_from]  # what was removed was held
    statement = tx.insert(events).on_conflict_do_nothing().returning(events.c.seq)
    accepted = len(tx.connection.execute(statement, fresh).all()) if fresh else 0
    behind = max(told) + 1
    higher = case((runs.c.next_seq < behind, behind), else_=runs.c.next_seq)
    moved = update(runs).where(runs.c.id == id).values(next_seq=higher, log_kept=True).returning(runs.c.next_seq)
    tx.tell(f"run:{id}")
    return accepted, int(tx.connection.execute(moved).scalar_one())


def get(tx: Tx, id: str) -> Run:
    row = tx.connection.execute(select(runs).where(runs.c.id == id)).one_or_none()
    if row is None:
        raise unknown()
    return from_row(row)


def from_row(row: Row[Any]) -> Run:
    return Run(
        id=row.id,
        task_id=row.task_id,
        connector=row.connector,
        status=row.status,
        role_id=row.role_id,
        provider=row.provider,
        model=row.model,
        cost=row.cost,
        result=None if row.result is None else json.loads(row.result),
        metadata=None if row.metadata is None else json.loads(row.metadata),
        created_at=rules.iso(row.created_at),
        updated_at=rules.iso(row.updated_at),
        finished_at=None if row.finished_at is None else rules.iso(row.finished_at),
        next_seq=row.next_seq,
        log_from=row.log_from,
    )


def unknown() -> Exception:
    return rules.refuse("not_found", "no such run", "runId")


def packed(value: object, where: str, most: int) -> str:
    """JSON as it is kept: what is no character becomes a question mark, what is no JSON is refused."""
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except (TypeError, ValueError, RecursionError):
        raise rules.refuse("invalid", "not JSON", where) from None
    data = text.encode("utf-8", "replace")
    if len(data) > most:
        raise rules.refuse("invalid", f"longer than {most} bytes", where)
    return data.decode()


def _place(tx: Tx, id: str) -> tuple[str, int]:
    """The run's task, and where its log begins."""
    row = tx.connection.execute(select(runs.c.task_id, runs.c.log_from).where(runs.c.id == id)).one_or_none()
    if row is None:
        raise unknown()
    return row.task_id, row.log_from
