"""Logs that were removed: from which event on a run has its log, and which runs may have events."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.add_column("board_runs", sa.Column("log_from", sa.BigInteger, nullable=False, server_default="0"))
    op.add_column("board_runs", sa.Column("log_kept", sa.Boolean, nullable=False, server_default=sa.true()))
    op.create_index(
        "board_runs_logs",
        "board_runs",
        ["updated_at"],
        postgresql_where=sa.text("log_kept"),
        sqlite_where=sa.text("log_kept"),
    )
