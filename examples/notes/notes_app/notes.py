"""The notes of each account."""

import time
from collections.abc import Sequence
from dataclasses import dataclass

from notes_app.database import Database

TITLE, BODY = 200, 100_000  # characters
COLUMNS = "id, title, body, changed"


@dataclass(frozen=True, slots=True)
class Note:
    id: int
    title: str
    body: str
    changed: float

    @property
    def day(self) -> str:
        return time.strftime("%Y-%m-%d", time.localtime(self.changed))


class TooLong(ValueError):
    """What is left of a note's room, in words."""


class Notes:
    def __init__(self, path: str) -> None:
        self._database = Database(path)

    def search(self, account: str, words: str = "") -> Sequence[Note]:
        """The notes that hold every word, the one changed last first."""
        where, values = "account = ?", [account]
        for word in words.split()[:10]:
            where += " AND (title LIKE ? ESCAPE '\\' OR body LIKE ? ESCAPE '\\')"
            values += [_like(word)] * 2
        order = "ORDER BY changed DESC, id DESC LIMIT 200"
        found = self._database.rows(f"SELECT {COLUMNS} FROM notes WHERE {where} {order}", *values)  # noqa: S608
        return [Note(*row) for row in found]

    def get(self, account: str, id: int) -> Note | None:
        row = self._database.row(f"SELECT {COLUMNS} FROM notes WHERE account = ? AND id = ?", account, id)  # noqa: S608
        return None if row is None else Note(*row)

    def add(self, account: str, title: str, body: str) -> int:
        statement = "INSERT INTO notes (account, title, body, changed) VALUES (?, ?, ?, ?) RETURNING id"
        row = self._database.row(statement, account, *_checked(title, body), time.time())
        assert row is not None  # noqa: S101 - an insert that returns
        return int(row[0])

    def edit(self, account: str, id: int, title: str, body: str) -> bool:
        statement = "UPDATE notes SET title = ?, body = ?, changed = ? WHERE account = ? AND id = ? RETURNING id"
        return self._database.row(statement, *_checked(title, body), time.time(), account, id) is not None

    def remove(self, account: str, id: int) -> None:
        self._database.rows("DELETE FROM notes WHERE account = ? AND id = ?", account, id)

    def stamp(self, account: str) -> str:
        """Differs whenever the notes do."""
        row = self._database.row("SELECT COUNT(*), TOTAL(changed) FROM notes WHERE account = ?", account)
        return "{} {:.6f}".format(*row or (0, 0))


def _like(word: str) -> str:
    for letter in "\\%_":
        word = word.replace(letter, f"\\{letter}")
    return f"%{word}%"


def _checked(title: str, body: str) -> tuple[str, str]:
    title, body = " ".join(title.split()) or "Untitled", body.replace("\r\n", "\n").strip()
    if len(title) > TITLE or len(body) > BODY:
        raise TooLong(f"A title has at most {TITLE} characters, a note {BODY:,}.")
    return title, body
