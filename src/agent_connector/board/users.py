"""People: who may log in to the board, and as whom they act.

A password is kept as argon2id. To check one costs as much where there is no such account, so that nobody learns from the
time which accounts there are.
"""

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from sqlalchemy import Row, delete, func, select, update

from agent_connector.board import rules
from agent_connector.board.engine import Tx
from agent_connector.board.schema import keys, sessions, users

if TYPE_CHECKING:
    from argon2 import PasswordHasher

SHORTEST, LONGEST = 10, 1000  # characters of a password
# Of nobody's password: to check against it costs as much as against one of somebody.
_NOBODY = "$argon2id$v=19$m=65536,t=3,p=4$jbXrh9TBTjFHaAOQ9Qldgg$ZqxVXfvQ+IqEElX9hCCR5i31RfyADUTbeR41SJrx0u8"
_EMAIL = re.compile(r"[^\s@<>\"'\\,;:]+@[^\s@<>\"'\\,;:]+")


@dataclass(frozen=True, slots=True)
class User:
    """Owners may also change people, roles and bundles."""

    id: str
    email: str
    owner: bool
    created_at: str


def add(tx: Tx, email: str, password: str, *, owner: bool = False) -> User:
    """`password` was checked by `hashed` and is its answer: hashing is slow and has no place in a transaction."""
    email = _checked(email)
    id, now = rules.new_id(), tx.time()
    held = {"id": id, "email": email, "password": password, "owner": owner, "created_at": now}
    if not tx.inserted(tx.insert(users).values(**held)):
        raise rules.refuse("conflict", "there is an account of that address", "email")
    return User(id, email, owner, rules.iso(now))


def remove(tx: Tx, email: str) -> None:
    """With the keys and sessions; what the person wrote stays. The last owner cannot be removed."""
    user = named(tx, email)
    if user.owner and count(tx, owners=True) == 1:
        raise rules.refuse("conflict", "the only owner cannot be removed", "email")
    tx.connection.execute(delete(users).where(users.c.id == user.id))


def set_password(tx: Tx, email: str, password: str) -> None:
    """As for `add`. Whoever is logged in as that person is no more; keys stay."""
    user = named(tx, email)
    tx.connection.execute(update(users).where(users.c.id == user.id).values(password=password))
    tx.connection.execute(delete(sessions).where(sessions.c.user_id == user.id))


def everyone(tx: Tx) -> list[User]:
    return [_user(row) for row in tx.connection.execute(select(users).order_by(users.c.email))]


def named(tx: Tx, email: str) -> User:
    row = tx.connection.execute(select(users).where(users.c.email == email.strip().lower())).one_or_none()
    if row is None:
        raise rules.refuse("not_found", "no account of that address", "email")
    return _user(row)


def by_id(tx: Tx, id: str) -> User | None:
    row = tx.connection.execute(select(users).where(users.c.id == id)).one_or_none()
    return None if row is None else _user(row)


def count(tx: Tx, owners: bool = False) -> int:
    query = select(func.count()).select_from(users)
    return int(tx.connection.scalar(query.where(users.c.owner) if owners else query) or 0)


def with_password(tx: Tx, email: str) -> tuple[User, str] | None:
    """The person and what to `verify` against; None where there is no such account (then verify against nothing)."""
    row = tx.connection.execute(select(users).where(users.c.email == email.strip().lower())).one_or_none()
    return None if row is None else (_user(row), row.password)


def keyed(tx: Tx, user_id: str) -> int:
    """How many keys of that person work."""
    query = select(func.count()).where(keys.c.user_id == user_id, keys.c.revoked_at.is_(None))
    return int(tx.connection.scalar(query) or 0)


# Passwords; slow on purpose, so never on a loop and never in a transaction.


def hashed(password: str) -> str:
    """Refuses one that is too short."""
    if len(password) < SHORTEST or len(password) > LONGEST:
        raise rules.refuse("invalid", f"not {SHORTEST} to {LONGEST} characters", "password")
    return _hasher().hash(password.encode("utf-8", "surrogatepass"))


def verify(password: str, kept: str | None) -> bool:
    """Against what `hashed` gave; against nothing it takes as long and is False."""
    from argon2.exceptions import Argon2Error, InvalidHashError

    try:
        _hasher().verify(kept or _NOBODY, password[: LONGEST + 1].encode("utf-8", "surrogatepass"))
    except (Argon2Error, InvalidHashError):
        return False
    return kept is not None


@cache
def _hasher() -> "PasswordHasher":
    from argon2 import PasswordHasher

    return PasswordHasher()


def _checked(email: str) -> str:
    email = rules.word(email.strip().lower(), "email", rules.NAME)
    if not _EMAIL.fullmatch(email):
        raise rules.refuse("invalid", "not an e-mail address", "email")
    return email


def _user(row: Row[Any]) -> User:
    return User(row.id, row.email, row.owner, rules.iso(row.created_at))
