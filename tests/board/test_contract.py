"""The contract, walked by the board in memory and by our server on SQLite."""

import asyncio
from pathlib import Path

import pytest

from agent_connector.testing import board_checks, board_stage


@pytest.mark.parametrize("check", board_checks.CHECKS, ids=lambda check: check.__name__)
def test_the_board_in_memory_keeps_the_contract(check: board_checks.Check) -> None:
    asyncio.run(check(board_stage.in_memory()))


@pytest.mark.parametrize("check", board_checks.CHECKS, ids=lambda check: check.__name__)
def test_our_server_on_sqlite_keeps_the_contract(check: board_checks.Check, tmp_path: Path) -> None:
    async def walk() -> None:
        async with board_stage.served(f"sqlite:///{tmp_path}/board.db") as stage:
            await check(stage)

    asyncio.run(walk())
