"""What a store is: work runs in one transaction, wherever it runs, and its rings are heard once it is kept.

Work is a plain function of a `Tx`. It may be run again when the connection broke before anything was kept, so it must
do nothing but talk to its `Tx`. Statements are the same on SQLite and PostgreSQL, with `?` for each value. They are written out because
that is what a poll costs: the same two statements built by SQLAlchemy's core take fifty times as long.
"""

from collections.abc import Callable, Sequence
from importlib import resources
from typing import Any, Protocol, TypeVar

from agent_connector.byoa.app.people import AppError
from agent_connector.byoa.app.store.bell import Bell

T = TypeVar("T")
Row = tuple[Any, ...]


class Tx(Protocol):
    def rows(self, sql: str, *values: object) -> Sequence[Row]:
        """All rows of a statement; none for one that gives no rows."""
        ...

    def row(self, sql: str, *values: object) -> Row | None: ...

    def count(self, sql: str, *values: object) -> int:
        """How many rows the statement changed."""
        ...

    def alone(self, what: str) -> None:
        """Until the end of this transaction nobody else is in one that asked for the same."""
        ...

    def ring(self, topic: str) -> None:
        """Wake who listens to `topic`, in every process, when this transaction is kept."""
        ...


class Store(Protocol):
    bell: Bell

    async def run(self, work: Callable[[Tx], T]) -> T:
        """Run `work` in a transaction; an exception undoes it. Opens the store at the first call."""
        ...

    async def close(self) -> None: ...


def scripts() -> list[str]:
    """The steps from an empty database to the present schema, oldest first. A step that was released never changes."""
    folder = resources.files("agent_connector.byoa.app.store").joinpath("schema")
    files = sorted((file for file in folder.iterdir() if file.name.endswith(".sql")), key=lambda file: file.name)
    return [file.read_text("utf-8") for file in files]


def migrate(tx: Tx) -> None:
    """Bring the tables to the present version, forward only."""
    tx.alone("schema")
    tx.rows("CREATE TABLE IF NOT EXISTS byoa_schema (version INTEGER NOT NULL)")
    found = tx.row("SELECT MAX(version) FROM byoa_schema")
    version = found[0] or 0 if found is not None else 0
    steps = scripts()
    if version > len(steps):
        raise AppError(
            f"the tables are of version {version}, this package knows {len(steps)}",
            remedy="Install the newer version of agent-connector again.",
        )
    for number, script in enumerate(steps[version:], version + 1):
        for statement in filter(None, (part.strip() for part in script.split(";\n"))):
            tx.rows(statement)
        tx.rows("INSERT INTO byoa_schema (version) VALUES (?)", number)
