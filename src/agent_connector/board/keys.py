"""Keys for `/mcp`: `mcp_<prefix>_<secret>`. The prefix is a name that may be shown; the whole is kept as its SHA-256 only.

256 random bits need no slow hash. A key acts as its person; where it has a name, that name is the author of what is
written with it.
"""

import hashlib
import hmac
import re
import secrets
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row, insert, select, update

from agent_connector.board import rules
from agent_connector.board.engine import Tx
from agent_connector.board.schema import keys, users

MOST = 100  # keys of a person that work
USED_EVERY = 60_000_000  # microseconds between two notes of when a key was used
_SMALL = "abcdefghijklmnopqrstuvwxyz0123456789"
_LARGE = _SMALL + _SMALL[:26].upper()
_KEY = re.compile(r"mcp_([a-z0-9]{8})_[A-Za-z0-9]{32,100}")


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks: a person, by a key."""

    user_id: str
    email: str
    author: str
    prefix: str
    owner: bool


@dataclass(frozen=True, slots=True)
class Key:
    """What may be shown of a key."""

    prefix: str
    email: str
    name: str | None
    created_at: str
    used_at: str | None
    revoked_at: str | None

    def wire(self) -> dict[str, Any]:
        return {
            "prefix": self.prefix,
            "email": self.email,
            "name": self.name,
            "createdAt": self.created_at,
            "usedAt": self.used_at,
            "revokedAt": self.revoked_at,
        }


def mint(tx: Tx, user_id: str, name: str | None = None) -> str:
    """A new key, shown this once."""
    if name is not None:
        rules.word(name, "name")
    if len([key for key in of_user(tx, user_id) if key.revoked_at is None]) >= MOST:
        raise rules.refuse("conflict", f"{MOST} keys are enough: revoke one first", "keys")
    prefix = "".join(secrets.choice(_SMALL) for _ in range(8))
    key = f"mcp_{prefix}_" + "".join(secrets.choice(_LARGE) for _ in range(43))
    tx.connection.execute(
        insert(keys).values(prefix=prefix, hash=_hash(key), user_id=user_id, name=name, created_at=tx.now)
    )
    return key


def caller(tx: Tx, key: str) -> tuple[Caller, bool] | None:
    """Whose key it is, and whether its use should be noted; None for one that is unknown or revoked."""
    match = _KEY.fullmatch(key)
    query = select(keys, users.c.email, users.c.owner).join(users, users.c.id == keys.c.user_id)
    row = match and tx.connection.execute(query.where(keys.c.prefix == match[1])).one_or_none()
    if not row or not hmac.compare_digest(row.hash, _hash(key)) or row.revoked_at is not None:
        return None
    stale = row.used_at is None or tx.time() - row.used_at > USED_EVERY
    return Caller(row.user_id, row.email, row.name or row.email, row.prefix, row.owner), stale


def used(tx: Tx, prefix: str) -> None:
    tx.connection.execute(update(keys).where(keys.c.prefix == prefix).values(used_at=tx.now))


def of_user(tx: Tx, user_id: str | None = None) -> list[Key]:
    """Of one person, or of everyone; the newest first."""
    query = select(keys, users.c.email).join(users, users.c.id == keys.c.user_id)
    if user_id is not None:
        query = query.where(keys.c.user_id == user_id)
    return [_key(row) for row in tx.connection.execute(query.order_by(keys.c.created_at.desc(), keys.c.prefix))]


def revoke(tx: Tx, prefix: str, user_id: str | None = None) -> None:
    """From now on it opens nothing. With `user_id` only a key of that person."""
    query = update(keys).where(keys.c.prefix == prefix, keys.c.revoked_at.is_(None))
    if user_id is not None:
        query = query.where(keys.c.user_id == user_id)
    if not tx.connection.execute(query.values(revoked_at=tx.now)).rowcount:
        raise rules.refuse("not_found", "no such key", "prefix")


def _hash(key: str) -> str:
    return hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()


def _key(row: Row[Any]) -> Key:
    used_at = None if row.used_at is None else rules.iso(row.used_at)
    revoked_at = None if row.revoked_at is None else rules.iso(row.revoked_at)
    return Key(row.prefix, row.email, row.name, rules.iso(row.created_at), used_at, revoked_at)
