"""The tables of the board, as they are after every migration. `migrations/` makes them; a test compares the two.

Times are microseconds since 1970. JSON is kept as text: no query looks into it. Names begin with `board_`, so that the
board can share a database.
"""

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Float,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    text,
    true,
)

metadata = MetaData()

# One row: the last `updated_at` that was given. Whoever gives one holds this row until it commits.
clock = Table(
    "board_clock",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("last", BigInteger, nullable=False),
    CheckConstraint("id = 1", name="board_clock_one"),
)

settings = Table(
    "board_settings",
    metadata,
    Column("name", Text, primary_key=True),
    Column("value", Text, nullable=False),
)

users = Table(
    "board_users",
    metadata,
    Column("id", Text, primary_key=True),
    Column("email", Text, nullable=False, unique=True),
    Column("password", Text, nullable=False),
    Column("owner", Boolean, nullable=False),
    Column("created_at", BigInteger, nullable=False),
)

keys = Table(
    "board_keys",
    metadata,
    Column("prefix", Text, primary_key=True),
    Column("hash", Text, nullable=False),
    Column("user_id", Text, ForeignKey("board_users.id", ondelete="CASCADE"), nullable=False),
    Column("name", Text),
    Column("created_at", BigInteger, nullable=False),
    Column("used_at", BigInteger),
    Column("revoked_at", BigInteger),
    Index("board_keys_user", "user_id"),
)

# Who is logged in: kind `page` (a cookie), `api` (a JWT's id) or `setup` (the link of the first start).
sessions = Table(
    "board_sessions",
    metadata,
    Column("hash", Text, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("user_id", Text, ForeignKey("board_users.id", ondelete="CASCADE")),
    Column("csrf", Text, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("expires_at", BigInteger, nullable=False),
    Index("board_sessions_expiry", "expires_at"),
    Index("board_sessions_user", "user_id"),
)

failures = Table(
    "board_login_failures",
    metadata,
    Column("id", Text, primary_key=True),
    Column("subject", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    Index("board_login_failures_subject", "subject", "at"),
    Index("board_login_failures_at", "at"),
)

tasks = Table(
    "board_tasks",
    metadata,
    Column("id", Text, primary_key=True),
    Column("board", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("description", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("role", Text),
    Column("run_id", Text),
    Column("priority", Integer, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("updated_at", BigInteger, nullable=False),
    Column("status_by", Text),
    # A poll walks one of these from where it stopped, however many tasks are parked beside its path.
    Index("board_tasks_updated", "updated_at", "id"),
    Index("board_tasks_status", "status", "updated_at", "id"),
    Index("board_tasks_board_updated", "board", "updated_at", "id"),
    Index("board_tasks_board_status", "board", "status", "updated_at", "id"),
)

# Apart from the tasks: a lease that is renewed touches no row, and no index, that a poll reads.
leases = Table(
    "board_leases",
    metadata,
    Column("task_id", Text, ForeignKey("board_tasks.id", ondelete="CASCADE"), primary_key=True),
    Column("connector", Text),
    Column("instance", Text),
    Column("fence", BigInteger, nullable=False),
    Column("until", BigInteger, nullable=False),  # by `lease_clock`
)

# One row: the time that leases are measured by, which goes on with the clock `wall` but never jumps as that does.
lease_clock = Table(
    "board_lease_clock",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("wall", BigInteger, nullable=False),
    Column("steady", BigInteger, nullable=False),
    CheckConstraint("id = 1", name="board_lease_clock_one"),
)

comments = Table(
    "board_comments",
    metadata,
    Column("id", Text, primary_key=True),
    Column("task_id", Text, ForeignKey("board_tasks.id", ondelete="CASCADE"), nullable=False),
    Column("author", Text, nullable=False),
    Column("body", Text, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Index("board_comments_task", "task_id", "created_at"),
)

runs = Table(
    "board_runs",
    metadata,
    Column("id", Text, primary_key=True),
    Column("task_id", Text, ForeignKey("board_tasks.id", ondelete="CASCADE"), nullable=False),
    Column("connector", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("role_id", Text),
    Column("provider", Text),
    Column("model", Text),
    Column("cost", Float),
    Column("result", Text),
    Column("metadata", Text),
    Column("created_at", BigInteger, nullable=False),
    Column("updated_at", BigInteger, nullable=False),
    Column("finished_at", BigInteger),
    Column("next_seq", BigInteger, nullable=False),
    Column("log_from", BigInteger, nullable=False, server_default="0"),  # what the log had before it was removed
    Column("log_kept", Boolean, nullable=False, server_default=true()),  # are there events, or may there be?
    Index("board_runs_task", "task_id", "created_at"),
    Index("board_runs_created", "created_at"),
    Index(
        "board_runs_waiting",
        "task_id",
        postgresql_where=text("status = 'awaiting_human'"),
        sqlite_where=text("status = 'awaiting_human'"),
    ),
    Index("board_runs_logs", "updated_at", postgresql_where=text("log_kept"), sqlite_where=text("log_kept")),
)

events = Table(
    "board_events",
    metadata,
    Column("run_id", Text, ForeignKey("board_runs.id", ondelete="CASCADE"), primary_key=True),
    Column("seq", BigInteger, primary_key=True, autoincrement=False),
    Column("ts", Text, nullable=False),
    Column("type", Text, nullable=False),
    Column("channel", Text, nullable=False),
    Column("payload", Text, nullable=False),
    sqlite_with_rowid=False,
)

roles = Table(
    "board_roles",
    metadata,
    Column("id", Text, primary_key=True),
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("name", Text, nullable=False),
    Column("provider", Text),
    Column("model", Text),
    Column("fallback_models", Text, nullable=False),
    Column("capability_tier", Text),
    Column("instructions", Text),
    Column("retired", Boolean, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("created_by", Text, nullable=False),
    Index("board_roles_name", "name", "version", unique=True),
)

bundles = Table(
    "board_bundles",
    metadata,
    Column("name", Text, primary_key=True),
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("created_at", BigInteger, nullable=False),
    Column("created_by", Text, nullable=False),
)

bundle_files = Table(
    "board_bundle_files",
    metadata,
    Column("name", Text, primary_key=True),
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("path", Text, primary_key=True),
    Column("content", Text, nullable=False),
    ForeignKeyConstraint(
        ["name", "version"],
        ["board_bundles.name", "board_bundles.version"],
        ondelete="CASCADE",
        name="board_bundle_files_bundle",
    ),
)

presence = Table(
    "board_presence",
    metadata,
    Column("connector", Text, primary_key=True),
    Column("author", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("runs", Text, nullable=False),
    Column("version", Text, nullable=False),
    Column("hosts", Text, nullable=False),
    Column("seen_at", BigInteger, nullable=False),
)

# The first answer to a `requestId`, for as long as somebody may ask again.
requests = Table(
    "board_requests",
    metadata,
    Column("user_id", Text, primary_key=True),
    Column("request_id", Text, primary_key=True),
    Column("tool", Text, nullable=False),
    Column("answer", Text, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Index("board_requests_created", "created_at"),
)
