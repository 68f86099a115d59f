"""A board that is killed while it is written to: what it said it has is there, and a retry makes no second one."""

import asyncio
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from tests.board.process import Process

from agent_connector.board import runs, tasks
from agent_connector.board.client import BoardClient
from agent_connector.board.store import open_store
from agent_connector.errors import BoardUnreachable
from agent_connector.testing.board_checks import event
from agent_connector.testing.board_stage import minted

WRITERS, KILLS, EACH = 4, 2, 12


def test_a_killed_board_loses_and_doubles_nothing(tmp_path: Path):
    db = f"sqlite:///{tmp_path}/board.db"
    store = open_store(db)
    key = minted(store, "worker@example.com")
    task = store.write(tasks.add, title="a", by="x")
    logs = [store.write(runs.create, task.id, connector="c").id for _ in range(WRITERS)]
    store.close()
    board = [Process(db)]
    written = 0

    async def say(client: BoardClient, writer: int) -> None:
        """Comments and log lines, each sent until it has its answer."""
        nonlocal written
        for number in range(EACH):
            name = f"{writer}-{number}"
            while True:
                with suppress(BoardUnreachable):
                    await client.comment(task.id, name, request_id=name)
                    assert (
                        await client.log_append(logs[writer], [event(number, name)], request_id=f"log {name}") > number
                    )
                    break
                await asyncio.sleep(0.05)
            written += 1

    async def work() -> None:
        async with BoardClient(board[0].url, key) as client:
            saying = [asyncio.create_task(say(client, writer)) for writer in range(WRITERS)]
            for kill in range(1, KILLS + 1):
                while written < kill * WRITERS * EACH // (KILLS + 1):
                    await asyncio.sleep(0.005)
                board[0].kill()
                board[0] = await asyncio.to_thread(Process, db, board[0].port)
            await asyncio.gather(*saying)

    try:
        asyncio.run(work())
    finally:
        board[0].kill()
    with closing(sqlite3.connect(tmp_path / "board.db")) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        said = [body for (body,) in connection.execute("SELECT body FROM board_comments")]
        lines = list(connection.execute("SELECT run_id, seq FROM board_events"))
        stamps = [at for (at,) in connection.execute("SELECT created_at FROM board_comments ORDER BY rowid")]
    assert sorted(said) == sorted(f"{writer}-{number}" for writer in range(WRITERS) for number in range(EACH))
    assert sorted(lines) == sorted((run, number) for run in logs for number in range(EACH))
    assert stamps == sorted(set(stamps))
