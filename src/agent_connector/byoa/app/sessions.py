"""Sessions and what is on its way to them: register, poll, send (section 5 of the wire). Plain functions of a transaction."""

import json
from dataclasses import dataclass
from typing import Any

from agent_connector.byoa.app import codes, turns
from agent_connector.byoa.app.clock import Randomness
from agent_connector.byoa.app.people import Account, AppError, Connection
from agent_connector.byoa.app.store.base import Row, Tx
from agent_connector.byoa.protocol import Chat, Message, Poll, Register, SessionInfo, Setting, Workspace
from agent_connector.byoa.protocol.fields import dump
from agent_connector.byoa.protocol.limits import AWAY_AFTER_HOLD, MESSAGES, POLL_MESSAGES

NEW_A_DAY = 500  # sessions of one connection
DAY = 86_400.0
COLUMNS = (
    "byoa_sessions.id, connection, key, byoa_sessions.host, byoa_sessions.host_version, title, workspace, settings, can,"
    " state, polled, byoa_sessions.created, machine"
)
ROOM = 200  # bytes of a poll's answer that are no message


@dataclass(frozen=True, slots=True)
class SessionRecord:
    """A session as it was told last. `away`: nobody has polled it for long; its turns have been ended."""

    id: str
    connection: str
    info: SessionInfo
    machine: str
    state: str
    polled: float
    created: float
    away: bool


@dataclass(frozen=True, slots=True)
class Found:
    """What a poll gives: messages as JSON, and where they end."""

    cursor: int
    bodies: tuple[str, ...]

    def dump(self) -> bytes:
        return f'{{"cursor":"{self.cursor}","messages":[{",".join(self.bodies)}]}}'.encode()


def away_after(hold: float) -> float:
    return hold + AWAY_AFTER_HOLD


def register(
    tx: Tx, connection: Connection, asked: Register, hold: float, now: float, random: Randomness
) -> tuple[str, int] | None:
    """The session's id and its cursor; None when this connection has made too many of late."""
    tx.alone(f"connection {connection.id}")
    known = tx.row("SELECT id FROM byoa_sessions WHERE connection = ? AND key = ?", connection.id, asked.session.key)
    if known is None:
        count = "SELECT COUNT(*) FROM byoa_sessions WHERE connection = ? AND created > ?"
        made = tx.row(count, connection.id, now - DAY)
        if made is not None and made[0] >= NEW_A_DAY:
            return None
    info = asked.session
    told = (
        *(info.host, info.host_version, info.title, json.dumps(info.workspace.value())),
        *(json.dumps([setting.wire() for setting in info.settings]), json.dumps(info.can), now),
    )
    if known is None:
        id = codes.new_id(random, "s")
        tx.count(
            "INSERT INTO byoa_sessions (host, host_version, title, workspace, settings, can, polled, id, connection, key,"
            " state, last, acknowledged, created, ended) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'idle', 0, 0, ?, 0)",
            *(*told, id, connection.id, info.key, now),
        )
        return id, 0
    tx.alone(f"session {known[0]}")
    _sweep(tx, known[0], hold, now)
    found = tx.row(
        "UPDATE byoa_sessions SET host = ?, host_version = ?, title = ?, workspace = ?, settings = ?, can = ?, polled = ?,"
        " ended = (SELECT COUNT(*) FROM byoa_messages WHERE session = ? AND kind = 'end')"
        " WHERE id = ? RETURNING acknowledged",
        *(*told, known[0], known[0]),
    )
    acknowledged = 0 if found is None else int(found[0])
    turns.close(tx, known[0], now, up_to=acknowledged, holding=frozenset(asked.holding))
    return known[0], acknowledged


def belongs(tx: Tx, connection: Connection, session: str, hold: float, now: float) -> bool:
    """Whether the session is this connection's. Turns of one that was away are ended before anything else happens to it."""
    tx.alone(f"session {session}")
    found = tx.row("SELECT 1 FROM byoa_sessions WHERE id = ? AND connection = ?", session, connection.id)
    if found is not None:
        _sweep(tx, session, hold, now)
    return found is not None


def begin_poll(tx: Tx, asked: Poll, poll: str, now: float) -> bool:
    """Acknowledge, and let `poll` be the one that is held: any other is superseded. False: a cursor never given."""
    cursor = int(asked.cursor) if str(asked.cursor).isdecimal() and len(str(asked.cursor)) <= 16 else -1
    found = tx.row("SELECT last, acknowledged, poll FROM byoa_sessions WHERE id = ?", asked.session_id)
    if found is None or not 0 <= cursor <= found[0]:
        return False
    tx.count(
        "UPDATE byoa_sessions SET acknowledged = ?, state = ?, polled = ?, poll = ? WHERE id = ?",
        *(max(cursor, found[1]), asked.state, now, poll, asked.session_id),
    )
    if cursor > found[1]:
        tx.count("DELETE FROM byoa_messages WHERE session = ? AND number <= ?", asked.session_id, cursor)
    if found[2] is not None:
        tx.ring(f"session {asked.session_id}")
    return True


def is_held(tx: Tx, session: str, poll: str) -> bool:
    found = tx.row("SELECT poll FROM byoa_sessions WHERE id = ?", session)
    return found is not None and found[0] == poll


def end_poll(tx: Tx, session: str, poll: str) -> None:
    tx.count("UPDATE byoa_sessions SET poll = NULL WHERE id = ? AND poll = ?", session, poll)


def waiting(tx: Tx, session: str) -> Found | None:
    """What was not acknowledged, as much of it as one answer may hold."""
    rows = tx.rows(
        "SELECT number, body FROM byoa_messages WHERE session = ? ORDER BY number LIMIT ?", session, MESSAGES
    )
    bodies: list[str] = []
    cursor, size = 0, ROOM
    for number, body in rows:
        size += len(body.encode()) + 1
        if bodies and size > POLL_MESSAGES:
            break
        bodies.append(body)
        cursor = number
    return Found(cursor, tuple(bodies)) if bodies else None


def send(tx: Tx, session: str, message: Message) -> None:
    """Put a message on its way."""
    value = message.value()
    tx.alone(f"session {session}")
    found = tx.row("UPDATE byoa_sessions SET last = last + 1 WHERE id = ? RETURNING last", session)
    if found is None:
        raise AppError("this session is gone")
    turn = message.id if isinstance(message, Chat) else None
    tx.count(
        "INSERT INTO byoa_messages (session, number, kind, turn, body) VALUES (?, ?, ?, ?, ?)",
        *(session, found[0], value["type"], turn, dump(value).decode()),
    )
    tx.ring(f"session {session}")


def chat(tx: Tx, session: str, message: Chat, hold: float, now: float) -> None:
    """Record a turn and send it; in a session that is away or over it ends at once."""
    tx.alone(f"session {session}")
    send(tx, session, message)
    tx.count(
        "INSERT INTO byoa_turns (id, session, number, text, sender, created, next, events, size)"
        " SELECT ?, id, last, ?, ?, CAST(? AS DOUBLE PRECISION), 0, 0, 0 FROM byoa_sessions WHERE id = ?",
        *(message.id, message.text, message.sender, now, session),
    )
    _sweep(tx, session, hold, now)
    if tx.row("SELECT 1 FROM byoa_sessions WHERE id = ? AND ended = 1", session):
        turns.close(tx, session, now)


def end(tx: Tx, session: str) -> None:
    tx.count("UPDATE byoa_sessions SET ended = 1 WHERE id = ?", session)


def _sweep(tx: Tx, session: str, hold: float, now: float) -> None:
    """When nobody polls it any more, its turns end."""
    found = tx.row("SELECT polled FROM byoa_sessions WHERE id = ?", session)
    if found is not None and now - found[0] > away_after(hold):
        turns.close(tx, session, now)


def sweep(tx: Tx, session: str, hold: float, now: float) -> float:
    """Look after a session that somebody waits for; gives when it will have been away for too long."""
    tx.alone(f"session {session}")
    _sweep(tx, session, hold, now)
    found = tx.row("SELECT polled FROM byoa_sessions WHERE id = ?", session)
    return now if found is None else found[0] + away_after(hold)


def of_account(
    tx: Tx, account: Account, hold: float, now: float, since: float, id: str | None = None
) -> list[SessionRecord]:
    """Sessions that the app has not ended and that were polled after `since`, the one polled last first."""
    only = "" if id is None else " AND byoa_sessions.id = ?"
    rows = tx.rows(
        f"SELECT {COLUMNS} FROM byoa_sessions JOIN byoa_connections ON byoa_connections.id = connection"
        f" WHERE account = ? AND revoked IS NULL AND ended = 0 AND polled > ?{only} ORDER BY polled DESC, byoa_sessions.id",
        *(account.id, since, *(() if id is None else (id,))),
    )
    found = [_record(row, hold, now) for row in rows]
    for record in sorted(found, key=lambda record: record.id):
        if record.away:
            tx.alone(f"session {record.id}")
            _sweep(tx, record.id, hold, now)
    return found


def _record(row: Row, hold: float, now: float) -> SessionRecord:
    id, connection, key, host, version, title, workspace, settings, can, state, polled, created, machine = row
    info = SessionInfo(
        *(key, host, version, title, Workspace(**json.loads(workspace))),
        tuple(_setting(setting) for setting in json.loads(settings)),
        tuple(json.loads(can)),
    )
    return SessionRecord(id, connection, info, machine, state, polled, created, now - polled > away_after(hold))


def _setting(value: dict[str, Any]) -> Setting:
    return Setting(value["id"], value["label"], tuple(value["values"]), value.get("value"))
