"""Bring a database to the tables of this version. Versions only go up; each is a file in `migrations/versions`."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sqlalchemy import Connection, text

from agent_connector.errors import BoardError

if TYPE_CHECKING:
    from alembic.config import Config

VERSION_TABLE = "board_version"
_LOCK = 0x6163_626F_6172_6431  # of PostgreSQL's advisory locks: several processes of a board may start at once


def upgrade(connection: Connection, to: str = "head") -> tuple[str | None, str | None]:
    """Inside the caller's write transaction. The version that was found, and the one that is there now."""
    from alembic import command
    from alembic.util.exc import CommandError

    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
    before = version(connection)
    if before is not None and before not in versions():
        raise _newer(before)
    config = _config()
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, to)
    except CommandError as error:
        raise BoardError(f"the database cannot be brought to version {to}: {error}") from error
    return before, version(connection)


def version(connection: Connection) -> str | None:
    """The version of the tables; None where there are none."""
    from alembic.runtime.migration import MigrationContext

    return MigrationContext.configure(connection, opts={"version_table": VERSION_TABLE}).get_current_revision()


def versions() -> Sequence[str]:
    """Every version, oldest first."""
    from alembic.script import ScriptDirectory

    found = [script.revision for script in ScriptDirectory.from_config(_config()).walk_revisions()]
    return found[::-1]


def _config() -> "Config":
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", "agent_connector.board:migrations")
    config.set_main_option("path_separator", "os")
    return config


def _newer(found: str) -> BoardError:
    return BoardError(
        f"the database is of version {found}, which this agent-connector does not know: a newer one has used it",
        remedy="Start the newer agent-connector, or restore a backup from before its upgrade.",
    )
