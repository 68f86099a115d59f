"""Old logs go. A run stays, with its result and its cost, and says from which event on its log is there.

A log is old when its run was not changed for so long, unless the run is one that a person is still asked about or that a
worker holds at the moment. What is sent of it even later is taken, and goes in its turn.
"""

from datetime import timedelta

from sqlalchemy import ColumnElement, and_, delete, exists, or_, select, tuple_, update

from agent_connector.board import lease_clock
from agent_connector.board.engine import Tx
from agent_connector.board.schema import events, leases, runs, tasks

KEPT = 90  # days, where nothing else is said
RUNS, EVENTS = 50, 1_000  # at once: others wait for the writer


def prune(tx: Tx, days: float) -> int:
    """Remove some of what is older than `days`; how many events and runs were dealt with, 0 when nothing is left to do."""
    due = select(runs.c.id).where(_old(tx, days)).order_by(runs.c.updated_at).limit(RUNS)
    ids = list(tx.connection.scalars(due.with_for_update(skip_locked=True)))  # another process may be at them
    if not ids:
        return 0
    these = runs.c.id.in_(ids)
    tx.connection.execute(update(runs).where(these).values(log_from=runs.c.next_seq))
    which = select(events.c.run_id, events.c.seq).join(runs, runs.c.id == events.c.run_id)
    which = which.where(events.c.run_id.in_(ids), events.c.seq < runs.c.log_from).limit(EVENTS)
    gone = tx.connection.execute(delete(events).where(tuple_(events.c.run_id, events.c.seq).in_(which))).rowcount
    if gone < EVENTS:
        tx.connection.execute(update(runs).where(these).values(log_kept=False))
        tx.tell(*(f"run:{id}" for id in ids))
    return gone + len(ids)


def _old(tx: Tx, days: float) -> ColumnElement[bool]:
    before = tx.now - round(timedelta(days=days) / timedelta(microseconds=1))
    newest = exists().where(tasks.c.id == runs.c.task_id, tasks.c.run_id == runs.c.id)
    held = exists().where(
        leases.c.task_id == runs.c.task_id, leases.c.connector.is_not(None), leases.c.until > lease_clock.now(tx).steady
    )
    at_work = and_(runs.c.status.in_(("queued", "running")), newest, held)
    asks = and_(runs.c.status == "awaiting_human", newest)
    return and_(runs.c.log_kept, runs.c.updated_at < before, ~or_(at_work, asks))
