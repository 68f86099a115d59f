"""The contract, walked by our server on PostgreSQL."""

import asyncio

import pytest

from agent_connector.testing import board_checks, board_stage


@pytest.mark.parametrize("check", board_checks.CHECKS, ids=lambda check: check.__name__)
def test_our_server_on_postgresql_keeps_the_contract(check: board_checks.Check, postgres_url: str) -> None:
    async def walk() -> None:
        async with board_stage.served(postgres_url) as stage:
            await check(stage)

    asyncio.run(walk())
