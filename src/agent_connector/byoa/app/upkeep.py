"""Forgetting: nothing is thrown away unless the app asks for it. Plain functions of a transaction."""

from agent_connector.byoa.app import turns
from agent_connector.byoa.app.store.base import Tx

OLD_TURNS = "SELECT id FROM byoa_turns WHERE ended < ?"
OLD_SESSIONS = (
    "SELECT id FROM byoa_sessions WHERE polled < ?"
    " AND NOT EXISTS (SELECT 1 FROM byoa_turns WHERE session = byoa_sessions.id)"
)


def prune(tx: Tx, before: float) -> None:
    """Turns that ended, sessions that were last seen, and connections that were revoked, before that time."""
    for (session,) in tx.rows("SELECT id FROM byoa_sessions WHERE polled < ? ORDER BY id", before):
        tx.alone(f"session {session}")
        turns.close(tx, session, before)
    tx.count(f"DELETE FROM byoa_events WHERE turn IN ({OLD_TURNS})", before)
    tx.count("DELETE FROM byoa_turns WHERE ended < ?", before)
    tx.count(f"DELETE FROM byoa_messages WHERE session IN ({OLD_SESSIONS})", before)
    tx.count(f"DELETE FROM byoa_sessions WHERE id IN ({OLD_SESSIONS})", before)
    tx.count(
        "DELETE FROM byoa_connections WHERE revoked < ?"
        " AND NOT EXISTS (SELECT 1 FROM byoa_sessions WHERE connection = byoa_connections.id)",
        before,
    )
