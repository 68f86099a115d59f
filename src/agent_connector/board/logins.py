"""A login: who has failed too often waits. Counted for the account and for the address, in the database, so that all
processes of a board count together; an attempt counts before it is judged, so that many at once gain nothing.
"""

import hashlib
from dataclasses import dataclass

from sqlalchemy import delete, func, insert, select

from agent_connector.board import rules
from agent_connector.board.engine import Tx
from agent_connector.board.schema import failures

MOST, WINDOW = 5, 15 * 60  # failures, in so many seconds


@dataclass(frozen=True, slots=True)
class Attempt:
    """`wait` is in seconds: None where the password may be looked at."""

    ids: tuple[str, ...]
    wait: int | None


def begin(tx: Tx, email: str, address: str) -> Attempt:
    """Counts as a failure until `succeeded` takes it back."""
    subjects = (f"account:{_hash(email.strip().lower())}", f"address:{address}")
    since = tx.now - WINDOW * 1_000_000
    for subject in subjects:
        recent = select(failures.c.at).where(failures.c.subject == subject, failures.c.at > since)
        times = tx.connection.scalars(recent.order_by(failures.c.at.desc()).limit(MOST)).all()
        if len(times) >= MOST:
            return Attempt((), max(1, (times[-1] - tx.time()) // 1_000_000 + WINDOW + 1))
    ids = tuple(rules.new_id() for _ in subjects)
    for id, subject in zip(ids, subjects, strict=True):
        tx.connection.execute(insert(failures).values(id=id, subject=subject, at=tx.now))
    return Attempt(ids, None)


def succeeded(tx: Tx, attempt: Attempt, email: str) -> None:
    """The account's failures are forgotten; of the address only this attempt, or one good account would open many."""
    tx.connection.execute(delete(failures).where(failures.c.id.in_(attempt.ids)))
    tx.connection.execute(delete(failures).where(failures.c.subject == f"account:{_hash(email.strip().lower())}"))


def prune(tx: Tx) -> int:
    return tx.connection.execute(delete(failures).where(failures.c.at <= tx.now - WINDOW * 1_000_000)).rowcount


def counted(tx: Tx) -> int:
    return int(tx.connection.scalar(select(func.count()).select_from(failures)) or 0)


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
