"""What is paired: whose a token is, its end, and the list that its person sees. Plain functions of a transaction."""

from collections.abc import Sequence

from agent_connector.byoa.app import codes, turns
from agent_connector.byoa.app.people import Account, Connection
from agent_connector.byoa.app.store.base import Row, Tx

COLUMNS = "id, account, account_name, host, host_version, connector, machine, address, created, seen"


def set_token(tx: Tx, connection: str, token: str) -> Connection | None:
    """Let `token` be the one of this connection, in place of any before. None once a token was used: a code works once."""
    where = "WHERE id = ? AND used = 0 AND revoked IS NULL"
    found = tx.row(
        f"UPDATE byoa_connections SET token = ? {where} RETURNING {COLUMNS}",
        *(codes.hashed(token), connection),
    )
    return None if found is None else _connection(found)


def of_token(tx: Tx, token: str) -> Connection | None:
    """Whose a token is. It is used by this: from here on the code that gave it gives no other."""
    where = "WHERE token = ? AND revoked IS NULL"
    found = tx.row(f"SELECT {COLUMNS}, used FROM byoa_connections {where}", codes.hashed(token))
    if found is None:
        return None
    if not found[-1] and not tx.count(f"UPDATE byoa_connections SET used = 1 {where}", codes.hashed(token)):
        return None  # another token took its place just now
    return _connection(found[:-1])


def revoke(tx: Tx, account: Account, connection: str, now: float) -> bool:
    """End a connection of this account, and the turns that are open in it. Polls that are held are told at once."""
    where = "WHERE id = ? AND account = ? AND revoked IS NULL"
    if not tx.count(f"UPDATE byoa_connections SET revoked = ?, token = NULL {where}", now, connection, account.id):
        return False
    for (session,) in tx.rows("SELECT id FROM byoa_sessions WHERE connection = ? ORDER BY id", connection):
        tx.alone(f"session {session}")
        turns.close(tx, session, now)
        tx.ring(f"session {session}")
    return True


def of_account(tx: Tx, account: Account) -> Sequence[Connection]:
    """The newest first."""
    where = "WHERE account = ? AND revoked IS NULL AND token IS NOT NULL ORDER BY created DESC, id"
    return [_connection(row) for row in tx.rows(f"SELECT {COLUMNS} FROM byoa_connections {where}", account.id)]


def mark_seen(tx: Tx, account: Account) -> None:
    tx.count("UPDATE byoa_connections SET seen = 1 WHERE account = ?", account.id)


def _connection(row: Row) -> Connection:
    id, account, account_name, host, host_version, connector, machine, address, created, seen = row
    whose = Account(account, account_name)
    return Connection(id, whose, host, host_version, connector, machine, address, created, not seen)
