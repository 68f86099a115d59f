"""A board whose disk is full says that it cannot now, keeps what it has answered, and goes on when there is room."""

from pathlib import Path

import pytest
from sqlalchemy import event

from agent_connector.board import tasks
from agent_connector.board.store import open_store
from agent_connector.errors import BoardUnreachable


def test_a_full_disk_loses_nothing_that_was_answered(tmp_path: Path):
    store = open_store(f"sqlite:///{tmp_path}/board.db")
    most = [0]

    def full(connection, record) -> None:
        connection.execute(f"PRAGMA max_page_count = {most[0]}")

    try:
        task = store.write(tasks.add, title="t", by="x")
        with store.engine.connect() as connection:
            most[0] = connection.exec_driver_sql("PRAGMA page_count").scalar_one() + 60
        store.engine.dispose()
        event.listen(store.engine, "connect", full)
        kept: list[str] = []
        with pytest.raises(BoardUnreachable) as refused:
            for _ in range(100):
                kept.append(store.write(tasks.comment, task.id, "x" * 20_000, by="x").id)
        assert kept and refused.value.retry_after
        assert [one.id for one in store.read(tasks.get, task.id).comments] == kept
        event.remove(store.engine, "connect", full)
        store.engine.dispose()
        kept.append(store.write(tasks.comment, task.id, "there is room", by="x").id)
        assert [one.id for one in store.read(tasks.get, task.id).comments] == kept
    finally:
        store.close()
