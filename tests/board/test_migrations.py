"""Databases of earlier versions, and of later ones. `version1.sql` was written by the first version and stays as it is."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import text

from agent_connector.board import keys, logins, migrate, presence, readers, requests, served, sessions, users
from agent_connector.board.schema import metadata
from agent_connector.board.store import Store, open_store
from agent_connector.errors import BoardError
from agent_connector.testing.board_stage import PASSWORD

HERE = Path(__file__).parent


@pytest.fixture
def old(tmp_path: Path) -> str:
    path = tmp_path / "board.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript((HERE / "version1.sql").read_text(encoding="utf-8"))
    return f"sqlite:///{path}"


def test_the_migrations_make_the_tables(store: Store):
    context = {"version_table": migrate.VERSION_TABLE}
    assert (
        store.read(lambda tx: compare_metadata(MigrationContext.configure(tx.connection, opts=context), metadata)) == []
    )
    assert store.upgrade() == (migrate.versions()[-1],) * 2, "a second time changes nothing"


def test_what_the_first_version_kept_is_all_there(old: str):
    store = open_store(old)
    try:
        view = store.read(readers.task, "task1")
        assert view.task.title == "Mend the gate"
        assert [comment.body for comment in view.task.comments] == ["The hinge is loose", "Which hinge?"]
        assert [run.status for run in view.runs] == ["awaiting_human"]
        assert view.held is not None
        assert view.held.fence == 3
        assert view.cost == 0.5
        assert [event.payload for event in store.read(readers.log, "run1")] == [{"text": "hello"}, {"text": "bye"}]
        assert [waiting.task.id for waiting in store.read(readers.waiting)] == ["task1"]
        found = store.read(users.with_password, "ada@example.com")
        assert found is not None
        assert users.verify(PASSWORD, found[1])
        assert [key.prefix for key in store.read(keys.of_user)] == ["abcdefgh"]
        assert [role.name for role in store.read(served.served_roles)] == ["mender"]
        bundle = store.read(served.bundle, "default")
        assert bundle is not None
        assert [file.path for file in bundle.files] == ["AGENTS.md"]
        assert [worker.connector for worker in store.read(presence.workers)] == ["shed"]
        assert store.read(logins.counted) == 1
        answer = store.write(lambda tx: requests.once(tx, "user1", "r1", "tasks_comment_add", dict))
        assert answer == {"comment": "c"}
        assert store.write(sessions.signing_secret) == "a secret"
    finally:
        store.close()


def test_a_database_of_a_later_version_is_left_alone(store: Store):
    store.write(lambda tx: tx.connection.execute(text("UPDATE board_version SET version_num = '9999'")))
    with pytest.raises(BoardError, match="9999") as caught:
        store.upgrade()
    assert "newer" in str(caught.value)
    assert store.read(lambda tx: migrate.version(tx.connection)) == "9999"
