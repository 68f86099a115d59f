"""A board that began on SQLite goes on on PostgreSQL, and the way back."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import text
from tests.board.copies import fill, held

from agent_connector.board import keys, tasks
from agent_connector.board.copy import copy
from agent_connector.board.store import Store, open_store
from agent_connector.errors import BoardError


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Store]:
    opened = open_store(f"sqlite:///{tmp_path}/board.db")
    yield opened
    opened.close()


@pytest.fixture
def large(postgres_url: str) -> Iterator[Store]:
    opened = open_store(postgres_url, upgrade=False)
    yield opened
    opened.close()


def test_a_board_moves_to_postgresql_and_back(small: Store, large: Store, tmp_path: Path):
    key = fill(small)
    rows = copy(small, large)
    assert held(large) == held(small)
    assert rows["board_events"] == 1_200
    assert large.read(keys.caller, key) is not None
    task = large.read(tasks.page)[0][0]
    assert large.write(tasks.set_status, task.id, "done", by="x").updated_at > task.updated_at
    back = open_store(f"sqlite:///{tmp_path}/back.db", upgrade=False)
    try:
        copy(large, back)
        assert held(back) == held(large)
    finally:
        back.close()


def test_no_table_counts_by_itself(large: Store):
    """Else a copy would have to say where to go on."""
    large.upgrade()
    with large.engine.connect() as connection:
        assert connection.scalar(text("SELECT count(*) FROM pg_class WHERE relkind = 'S'")) == 0


def test_a_target_with_a_board_in_it_is_refused(small: Store, large: Store):
    fill(small)
    large.upgrade()
    large.write(tasks.add, title="mine", by="x")
    before = held(large)
    with pytest.raises(BoardError, match="not empty"):
        copy(small, large)
    assert held(large) == before


def test_what_postgresql_cannot_hold_is_said_and_nothing_arrives(small: Store, large: Store):
    fill(small)
    with small.engine.begin() as connection:
        connection.execute(text("UPDATE board_tasks SET priority = 5000000000"))
    with pytest.raises(BoardError, match="was not copied"):
        copy(small, large)
    assert [name for name, rows in held(large).items() if rows] == ["board_clock", "board_lease_clock"]


def test_a_refusal_of_the_database_tells_no_row(small: Store, large: Store):
    """PostgreSQL puts the whole row behind it, here with the hash of a password."""
    fill(small)
    large.upgrade()
    with large.engine.begin() as connection:
        connection.execute(text("ALTER TABLE board_users ADD CHECK (email <> 'worker@example.com')"))
    with pytest.raises(BoardError, match=r"was not copied.*check constraint") as caught:
        copy(small, large)
    assert "worker@example.com" not in str(caught.value)
    assert "argon2" not in str(caught.value)
