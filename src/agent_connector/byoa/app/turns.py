"""Turns as the app records them: batches taken once, and exactly one end. Plain functions of a transaction."""

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import Enum, auto

from agent_connector.byoa.app.store.base import Row, Tx
from agent_connector.byoa.protocol import Batch, Ended, Outcome, Reason, TurnEvent
from agent_connector.byoa.protocol.fields import dump

TURN_BYTES = 16 * 1024 * 1024  # of events, more than a pairer keeps; the rest is refused
CLOSED = Ended(Outcome.ERROR, Reason.SESSION_CLOSED)
COLUMNS = "byoa_turns.id, session, text, sender, byoa_turns.created, outcome, reason"


@dataclass(frozen=True, slots=True)
class TurnRecord:
    """A turn without its events. `outcome` is None while it is open."""

    id: str
    session: str
    text: str
    sender: str
    created: float
    outcome: Outcome | None
    reason: Reason | None


class Fault(Enum):
    NOT_YOURS = auto()  # no turn of this session
    TOO_LARGE = auto()


def take(tx: Tx, batch: Batch, now: float) -> int | Fault:
    """Keep a batch that is not there yet; gives the number of the next. After the end everything is accepted and dropped."""
    found = tx.row("SELECT next, size FROM byoa_turns WHERE id = ? AND session = ?", batch.turn, batch.session_id)
    if found is None:
        return Fault.NOT_YOURS
    following, size = found
    if batch.seq < following:
        return following
    bodies = [dump(event.value()).decode() for event in batch.events]
    size += sum(len(body) for body in bodies)
    if size > TURN_BYTES:
        return Fault.TOO_LARGE
    tx.count("UPDATE byoa_turns SET next = ?, size = ? WHERE id = ?", batch.seq + 1, size, batch.turn)
    _append(tx, batch.turn, batch.events, bodies, now)
    return batch.seq + 1


def _append(tx: Tx, turn: str, events: Sequence[TurnEvent], bodies: Sequence[str], now: float) -> None:
    """Keep events up to an end; none when the turn has ended already."""
    last = next((number for number, event in enumerate(events) if isinstance(event, Ended)), len(events) - 1)
    kept = bodies[: last + 1]
    if not kept:
        return
    where = "WHERE id = ? AND outcome IS NULL RETURNING events"
    found = tx.row(f"UPDATE byoa_turns SET events = events + ? {where}", len(kept), turn)
    if found is None:
        return
    first = found[0] - len(kept) + 1
    for number, body in enumerate(kept, first):
        tx.count("INSERT INTO byoa_events (turn, number, body) VALUES (?, ?, ?)", turn, number, body)
    end = events[last]
    if isinstance(end, Ended):
        tx.count(
            "UPDATE byoa_turns SET outcome = ?, reason = ?, ended = ? WHERE id = ?",
            *(end.outcome.value, end.reason.value if end.reason else None, now, turn),
        )
    tx.ring(f"turn {turn}")


def close(tx: Tx, session: str, now: float, *, up_to: int | None = None, holding: Collection[str] = ()) -> None:
    """End, on the app's own account, the open turns of a session, but those that are still held.

    Without `up_to` also those that nobody has acknowledged: they are not delivered any more.
    """
    where = "WHERE session = ? AND outcome IS NULL"
    for id, number in tx.rows(f"SELECT id, number FROM byoa_turns {where}", session):
        if id in holding or (up_to is not None and number > up_to):
            continue
        _append(tx, id, (CLOSED,), (dump(CLOSED.value()).decode(),), now)
        if up_to is None:
            tx.count("DELETE FROM byoa_messages WHERE session = ? AND turn = ?", session, id)


def of_account(tx: Tx, account: str, turn: str) -> TurnRecord | None:
    """A turn, if it is of this account; also when the connection has been revoked since."""
    found = tx.row(
        f"SELECT {COLUMNS} FROM byoa_turns JOIN byoa_sessions ON byoa_sessions.id = session"
        " JOIN byoa_connections ON byoa_connections.id = connection WHERE byoa_turns.id = ? AND account = ?",
        *(turn, account),
    )
    return None if found is None else _record(found)


def of_session(tx: Tx, session: str, most: int) -> list[TurnRecord]:
    """The last `most` turns, oldest first."""
    rows = tx.rows(f"SELECT {COLUMNS} FROM byoa_turns WHERE session = ? ORDER BY number DESC LIMIT ?", session, most)
    return [_record(row) for row in reversed(rows)]


def events_after(tx: Tx, turn: str, number: int) -> list[tuple[int, dict[str, str]]]:
    rows = tx.rows("SELECT number, body FROM byoa_events WHERE turn = ? AND number > ? ORDER BY number", turn, number)
    return [(row[0], json.loads(row[1])) for row in rows]


def _record(row: Row) -> TurnRecord:
    id, session, text, sender, created, outcome, reason = row
    return TurnRecord(
        *(id, session, text, sender, created),
        None if outcome is None else Outcome(outcome),
        None if reason is None else Reason(reason),
    )


def is_open(tx: Tx, turn: str) -> bool:
    return tx.row("SELECT 1 FROM byoa_turns WHERE id = ? AND outcome IS NULL", turn) is not None


def open_of(tx: Tx, session: str) -> list[str]:
    rows = tx.rows("SELECT id FROM byoa_turns WHERE session = ? AND outcome IS NULL ORDER BY number", session)
    return [row[0] for row in rows]
