"""Run by alembic, with the connection that `board.migrate` hands over: it holds the lock and commits."""

from alembic import context

from agent_connector.board.migrate import VERSION_TABLE
from agent_connector.board.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    version_table=VERSION_TABLE,
    transaction_per_migration=False,
)
context.run_migrations()
