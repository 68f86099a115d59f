"""Who holds a task, until when, and the number that every write of the holder carries.

The holder is a pair: a connector's id, and a number that its process drew. `fence` grows whenever that pair changes, and
a write under an older one is refused: however late the last words of a lost worker come, they change nothing.
"""

from sqlalchemy import ColumnElement, Select, Update, or_, select, update

from agent_connector.board import lease_clock, rules, tasks
from agent_connector.board.engine import Tx, by_itself
from agent_connector.board.schema import leases
from agent_connector.board.values import Claim


@by_itself
def claim(tx: Tx, task_id: str, *, connector: str, instance: str, seconds: int) -> Claim:
    """Take the task or prolong the lease on it.

    Who is not the holder never waits: a lease that somebody else is just taking is taken. An expired lease is free, but
    while nobody took it, its last holder may prolong it under the same fence.
    """
    rules.word(connector, "connectorId", rules.NAME)
    rules.word(instance, "instanceId", rules.NAME)
    rules.between(seconds, "leaseSeconds", *rules.LEASE)
    mine = (leases.c.connector == connector) & (leases.c.instance == instance)
    now = lease_clock.look(tx)
    until = now.steady + seconds * lease_clock.SECOND
    taking = {"connector": connector, "instance": instance, "fence": leases.c.fence + 1, "until": until}
    row = _changed(tx, update(leases).where(leases.c.task_id.in_(_free(now.steady, task_id, mine))).values(**taking))
    row = row or _changed(tx, update(leases).where(leases.c.task_id == task_id, mine).values(until=until))
    if row is not None:
        return Claim(True, row[0], connector, rules.iso(now.ends(row[1])))
    held = tx.connection.execute(select(leases).where(leases.c.task_id == task_id)).one_or_none()
    if held is None:
        raise tasks.unknown()
    return Claim(False, None, held.connector, rules.iso(now.ends(held.until)) if held.connector else None)


def _free(now: int, task_id: str, mine: ColumnElement[bool]) -> Select[str]:
    """The task, where nobody holds it or somebody else did for too long. SQLite has one writer: nothing to skip."""
    free = or_(leases.c.connector.is_(None), (leases.c.until <= now) & ~mine)
    return select(leases.c.task_id).where(leases.c.task_id == task_id, free).with_for_update(skip_locked=True)


def _changed(tx: Tx, change: Update) -> tuple[int, int] | None:
    """The fence and the end of the lease then; None where the change found nothing."""
    row = tx.connection.execute(change.returning(leases.c.fence, leases.c.until)).one_or_none()
    return None if row is None else (int(row[0]), int(row[1]))


@by_itself
def release(tx: Tx, task_id: str, *, connector: str, instance: str, fence: int) -> None:
    """Give it back. The fence stays, and grows with the next holder."""
    mine = (leases.c.connector == connector, leases.c.instance == instance, leases.c.fence == fence)
    given = update(leases).where(leases.c.task_id == task_id, *mine).values(connector=None, instance=None, until=0)
    if _changed(tx, given) is None:
        check(tx, task_id, fence)


def check(tx: Tx, task_id: str, fence: int | None) -> None:
    """Refuse what was sent under another fence than the task's; whoever would change it waits for our commit."""
    if fence is None:
        return
    now = tx.connection.scalar(select(leases.c.fence).where(leases.c.task_id == task_id).with_for_update(read=True))
    if now is None:
        raise tasks.unknown()
    if now != fence:
        raise rules.refuse("stale_fence", "another worker has taken the task", "fence")
