"""Who is logged in. A token is random and kept as its hash only, so that who reads the database can use none.

Kinds: `page` (a cookie of the page; comes with a CSRF token), `api` (the id of a JWT of `/api/login`), `setup` (the link
that makes the first owner; of nobody, used once).
"""

import hashlib
import secrets
from dataclasses import dataclass

from sqlalchemy import delete, insert, select

from agent_connector.board import rules, users
from agent_connector.board.engine import Tx
from agent_connector.board.schema import sessions, settings
from agent_connector.board.users import User

PAGE_SECONDS = 12 * 3600
API_SECONDS = 3600
SETUP_SECONDS = 24 * 3600


@dataclass(frozen=True, slots=True)
class Session:
    """`csrf` stands in every form of the page and comes back with it."""

    user: User
    csrf: str
    expires_at: str


def start(tx: Tx, user_id: str | None, kind: str, seconds: int) -> tuple[str, str]:
    """The token, which is shown this once, and the CSRF token beside it."""
    token, csrf = secrets.token_urlsafe(32), secrets.token_urlsafe(32)
    held = {"hash": _hash(token), "kind": kind, "user_id": user_id, "csrf": csrf, "created_at": tx.now}
    tx.connection.execute(insert(sessions).values(**held, expires_at=tx.now + seconds * 1_000_000))
    return token, csrf


def find(tx: Tx, token: str, kind: str) -> Session | None:
    """None where it is unknown, over, or of a person who is gone."""
    query = select(sessions).where(sessions.c.hash == _hash(token), sessions.c.kind == kind)
    row = tx.connection.execute(query.where(sessions.c.expires_at > tx.now)).one_or_none()
    user = users.by_id(tx, row.user_id) if row and row.user_id else None
    return Session(user, row.csrf, rules.iso(row.expires_at)) if row and user else None


def end(tx: Tx, token: str) -> None:
    tx.connection.execute(delete(sessions).where(sessions.c.hash == _hash(token)))


def set_up(tx: Tx, token: str, email: str, password: str) -> User:
    """The first owner, made through the link; the link is used up. `password` as for `users.add`."""
    query = delete(sessions).where(
        sessions.c.hash == _hash(token), sessions.c.kind == "setup", sessions.c.expires_at > tx.now
    )
    if not tx.connection.execute(query).rowcount or users.count(tx, owners=True):
        raise rules.refuse("forbidden", "the link was used or is too old; `board serve` prints a new one", "token")
    return users.add(tx, email, password, owner=True)


def setup_link(tx: Tx) -> str | None:
    """A new token for the first owner, beside those of other processes that have one; None where there is one already."""
    if users.count(tx, owners=True):
        return None
    return start(tx, None, "setup", SETUP_SECONDS)[0]


def prune(tx: Tx) -> int:
    return tx.connection.execute(delete(sessions).where(sessions.c.expires_at <= tx.now)).rowcount


def signing_secret(tx: Tx) -> str:
    """What every process of this board signs JWTs with; made at the first start."""
    tx.inserted(tx.insert(settings).values(name="jwt", value=secrets.token_urlsafe(48)))
    return str(tx.connection.execute(select(settings.c.value).where(settings.c.name == "jwt")).scalar_one())


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()
