"""Who may sign in, and who is signed in. Two accounts for a demo; the rest is as it would be with more.

Passwords are kept as scrypt hashes. The cookie holds a number and our mark on it, and ends when the person signs out.
"""

import hashlib
import hmac
import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass

from starlette.requests import Request

from agent_connector.byoa.app import Account
from notes_app.database import Database

NAMES: Mapping[str, str] = {"ada": "Ada", "bob": "Bob"}
LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"
LIFE = 14 * 86_400.0
GUESSES, GUESS_SECONDS = 10, 900.0
COOKIE = "notes"


@dataclass(frozen=True, slots=True)
class Person:
    """Someone who is signed in. `mark` is what forms of theirs carry."""

    account: Account
    sign_in: str
    mark: str


class People:
    def __init__(self, path: str, origin: str) -> None:
        self._database = Database(path)
        self._secret = self._shared_secret()
        self._wrong: dict[str, list[float]] = {}
        self.secure = origin.startswith("https:")
        # Cookies know no ports: two apps on one machine would sign each other's people out.
        self.cookie = f"__Host-{COOKIE}" if self.secure else f"{COOKIE}-{origin.rpartition(':')[2]}"

    def _shared_secret(self) -> bytes:
        insert = "INSERT INTO secret (value) SELECT ? WHERE NOT EXISTS (SELECT 1 FROM secret)"
        self._database.rows(insert, secrets.token_bytes(32))
        row = self._database.row("SELECT value FROM secret")
        return bytes(row[0]) if row is not None else b""

    def furnish(self, anew: bool) -> dict[str, str]:
        """Give every account that has none (or, anew, everyone) a password; these, by name."""
        made: dict[str, str] = {}
        for name in NAMES:
            if anew or self._database.row("SELECT 1 FROM accounts WHERE name = ?", name) is None:
                made[name] = "-".join("".join(secrets.choice(LETTERS) for _ in range(4)) for _ in range(4))
                salt = secrets.token_bytes(16)
                statement = "INSERT OR REPLACE INTO accounts (name, salt, hash) VALUES (?, ?, ?)"
                self._database.rows(statement, name, salt, _hashed(made[name], salt))
                self._database.rows("DELETE FROM sign_ins WHERE account = ?", name)
        return made

    def sign_in(self, name: str, password: str) -> str | None:
        """A cookie; None when that is not the name and password of anybody, or was guessed at too often."""
        name = name.strip().lower()
        if name not in NAMES:
            name = ""  # whoever it is, the answer takes as long
        now = time.time()
        wrong = self._wrong[name] = [at for at in self._wrong.get(name, []) if at > now - GUESS_SECONDS]
        if len(wrong) >= GUESSES:
            return None
        salt, right = self._database.row("SELECT salt, hash FROM accounts WHERE name = ?", name) or (b"none", b"")
        if not hmac.compare_digest(_hashed(password, salt), right):
            wrong.append(now)
            return None
        id = secrets.token_urlsafe(24)
        self._database.rows("DELETE FROM sign_ins WHERE until < ?", now)
        self._database.rows("INSERT INTO sign_ins (id, account, until) VALUES (?, ?, ?)", id, name, now + LIFE)
        return f"{id}.{self._signed('cookie', id)}"

    def person(self, request: Request) -> Person | None:
        id, _, mark = request.cookies.get(self.cookie, "").partition(".")
        if not hmac.compare_digest(mark.encode(), self._signed("cookie", id).encode()):
            return None
        row = self._database.row("SELECT account FROM sign_ins WHERE id = ? AND until > ?", id, time.time())
        if row is None:
            return None
        return Person(Account(row[0], NAMES[row[0]]), id, self._signed("form", id))

    def account_of(self, request: Request) -> Account | None:
        """For `Byoa`."""
        person = self.person(request)
        return None if person is None else person.account

    def sign_out(self, person: Person) -> None:
        self._database.rows("DELETE FROM sign_ins WHERE id = ?", person.sign_in)

    def _signed(self, purpose: str, id: str) -> str:
        return hmac.new(self._secret, f"{purpose}\0{id}".encode(), hashlib.sha256).hexdigest()


def _hashed(password: str, salt: bytes) -> bytes:
    return hashlib.scrypt(password.encode("utf-8", "replace")[:1024], salt=salt, n=2**14, r=8, p=1)
