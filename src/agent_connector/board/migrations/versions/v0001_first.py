"""The tables of the first version."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Written out, not taken from `schema`: that goes on, this stays."""
    people()
    work()
    served()
    op.bulk_insert(op_clock(), [{"id": 1, "last": 0}])


def op_clock() -> sa.Table:
    return op.create_table(
        "board_clock",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("last", sa.BigInteger, nullable=False),
        sa.CheckConstraint("id = 1", name="board_clock_one"),
    )


def people() -> None:
    op.create_table(
        "board_settings", sa.Column("name", sa.Text, primary_key=True), sa.Column("value", sa.Text, nullable=False)
    )
    op.create_table(
        "board_users",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("email", sa.Text, nullable=False, unique=True),
        sa.Column("password", sa.Text, nullable=False),
        sa.Column("owner", sa.Boolean, nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "board_keys",
        sa.Column("prefix", sa.Text, primary_key=True),
        sa.Column("hash", sa.Text, nullable=False),
        sa.Column("user_id", sa.Text, sa.ForeignKey("board_users.id", ondelete="CASCADE"), nullable=False),
        sa.Column("name", sa.Text),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("used_at", sa.BigInteger),
        sa.Column("revoked_at", sa.BigInteger),
    )
    op.create_index("board_keys_user", "board_keys", ["user_id"])
    op.create_table(
        "board_sessions",
        sa.Column("hash", sa.Text, primary_key=True),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("user_id", sa.Text, sa.ForeignKey("board_users.id", ondelete="CASCADE")),
        sa.Column("csrf", sa.Text, nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("expires_at", sa.BigInteger, nullable=False),
    )
    op.create_index("board_sessions_expiry", "board_sessions", ["expires_at"])
    op.create_index("board_sessions_user", "board_sessions", ["user_id"])
    op.create_table(
        "board_login_failures",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("subject", sa.Text, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
    op.create_index("board_login_failures_subject", "board_login_failures", ["subject", "at"])
    op.create_index("board_login_failures_at", "board_login_failures", ["at"])
    op.create_table(
        "board_requests",
        sa.Column("user_id", sa.Text, primary_key=True),
        sa.Column("request_id", sa.Text, primary_key=True),
        sa.Column("tool", sa.Text, nullable=False),
        sa.Column("answer", sa.Text, nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
    )
    op.create_index("board_requests_created", "board_requests", ["created_at"])


def work() -> None:
    op.create_table(
        "board_tasks",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("board", sa.Text, nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("description", sa.Text, nullable=False),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("role", sa.Text),
        sa.Column("run_id", sa.Text),
        sa.Column("priority", sa.Integer, nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("updated_at", sa.BigInteger, nullable=False),
        sa.Column("status_by", sa.Text),
    )
    op.create_index("board_tasks_updated", "board_tasks", ["updated_at", "id"])
    op.create_index("board_tasks_status", "board_tasks", ["status", "updated_at", "id"])
    op.create_index("board_tasks_board_updated", "board_tasks", ["board", "updated_at", "id"])
    op.create_index("board_tasks_board_status", "board_tasks", ["board", "status", "updated_at", "id"])
    op.create_table(
        "board_leases",
        sa.Column("task_id", sa.Text, sa.ForeignKey("board_tasks.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("connector", sa.Text),
        sa.Column("instance", sa.Text),
        sa.Column("fence", sa.BigInteger, nullable=False),
        sa.Column("until", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "board_comments",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("task_id", sa.Text, sa.ForeignKey("board_tasks.id", ondelete="CASCADE"), nullable=False),
        sa.Column("author", sa.Text, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
    )
    op.create_index("board_comments_task", "board_comments", ["task_id", "created_at"])
    op.create_table(
        "board_runs",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("task_id", sa.Text, sa.ForeignKey("board_tasks.id", ondelete="CASCADE"), nullable=False),
        sa.Column("connector", sa.Text, nullable=False),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("role_id", sa.Text),
        sa.Column("provider", sa.Text),
        sa.Column("model", sa.Text),
        sa.Column("cost", sa.Float),
        sa.Column("result", sa.Text),
        sa.Column("metadata", sa.Text),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("updated_at", sa.BigInteger, nullable=False),
        sa.Column("finished_at", sa.BigInteger),
        sa.Column("next_seq", sa.BigInteger, nullable=False),
    )
    op.create_index("board_runs_task", "board_runs", ["task_id", "created_at"])
    op.create_index("board_runs_created", "board_runs", ["created_at"])
    waiting = sa.text("status = 'awaiting_human'")
    op.create_index("board_runs_waiting", "board_runs", ["task_id"], postgresql_where=waiting, sqlite_where=waiting)
    op.create_table(
        "board_events",
        sa.Column("run_id", sa.Text, sa.ForeignKey("board_runs.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("seq", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("ts", sa.Text, nullable=False),
        sa.Column("type", sa.Text, nullable=False),
        sa.Column("channel", sa.Text, nullable=False),
        sa.Column("payload", sa.Text, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "board_presence",
        sa.Column("connector", sa.Text, primary_key=True),
        sa.Column("author", sa.Text, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("runs", sa.Text, nullable=False),
        sa.Column("version", sa.Text, nullable=False),
        sa.Column("hosts", sa.Text, nullable=False),
        sa.Column("seen_at", sa.BigInteger, nullable=False),
    )


def served() -> None:
    op.create_table(
        "board_roles",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("version", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("provider", sa.Text),
        sa.Column("model", sa.Text),
        sa.Column("fallback_models", sa.Text, nullable=False),
        sa.Column("capability_tier", sa.Text),
        sa.Column("instructions", sa.Text),
        sa.Column("retired", sa.Boolean, nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("created_by", sa.Text, nullable=False),
    )
    op.create_index("board_roles_name", "board_roles", ["name", "version"], unique=True)
    op.create_table(
        "board_bundles",
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("version", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("created_by", sa.Text, nullable=False),
    )
    op.create_table(
        "board_bundle_files",
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("version", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("path", sa.Text, primary_key=True),
        sa.Column("content", sa.Text, nullable=False),
        sa.ForeignKeyConstraint(
            ["name", "version"],
            ["board_bundles.name", "board_bundles.version"],
            ondelete="CASCADE",
            name="board_bundle_files_bundle",
        ),
    )
