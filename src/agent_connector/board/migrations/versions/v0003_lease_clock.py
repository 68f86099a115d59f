"""A time of its own for leases, which does not jump with the clock."""

import time

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    made = op.create_table(
        "board_lease_clock",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("wall", sa.BigInteger, nullable=False),
        sa.Column("steady", sa.BigInteger, nullable=False),
        sa.CheckConstraint("id = 1", name="board_lease_clock_one"),
    )
    now = int(time.time() * 1_000_000)  # leases that are held were measured by the clock until now
    op.bulk_insert(made, [{"id": 1, "wall": now, "steady": now}])
