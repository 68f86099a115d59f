"""`worker spike`: a first look at the board."""

import asyncio
import os
from typing import TYPE_CHECKING

import click

from agent_connector.cli import options, worker_parts
from agent_connector.cli.output import emit, paint, say

if TYPE_CHECKING:
    from agent_connector.worker.credentials import Credentials
    from agent_connector.worker.spike import Spike


@click.command(
    "spike",
    epilog="""Examples:

\b
  agent-connector worker spike
  agent-connector worker spike --board main --json""",
)
@click.option("--board", metavar="ID", help="Look at this board. Default: $APPSUITE_BOARD_ID, else connector.yml's.")
@worker_parts.config_file
@options.as_json
def command(board: str | None, config: str | None, as_json: bool) -> int:
    """Call the board once, read its tasks, and say what it lacks. Nothing is changed, no model is called.

    The exit code is 1 when a tool is missing that the worker cannot do without.
    """
    from agent_connector.worker import config as configuration
    from agent_connector.worker import places

    path = worker_parts.config_path(config)
    held = configuration.load(path) if os.path.lexists(path) else None
    key = worker_parts.opened(held.allow_insecure if held else False)
    chosen = board or os.environ.get(places.BOARD) or (held.board if held else None)
    status, insecure = held.poll_status if held else ("todo",), bool(held and held.allow_insecure)
    with worker_parts.asking(key):
        found = asyncio.run(_look(key, chosen, status, insecure))
    if as_json:
        emit(_wire(key, chosen, found))
    else:
        _told(key, chosen, found)
    return 0 if found.works else 1


async def _look(key: "Credentials", board_id: str | None, status: tuple[str, ...], insecure: bool) -> "Spike":
    from agent_connector.board.client import BoardClient
    from agent_connector.worker import spike

    async with BoardClient(key.base_url, key.mcp_key, allow_insecure=insecure) as board:
        return await spike.look(board, board_id, status)


def _wire(key: "Credentials", board_id: str | None, found: "Spike") -> dict[str, object]:
    return {
        "baseUrl": key.base_url,
        "board": board_id,
        "works": found.works,
        "boardTime": found.time,
        "seconds": round(found.seconds, 3),
        "waiting": dict(found.waiting),
        "missing": list(found.missing),
        "weaker": list(found.weaker),
        "tools": list(found.tools),
    }


def _told(key: "Credentials", board_id: str | None, found: "Spike") -> None:
    say(f"{key.base_url} answers in {found.seconds * 1000:.0f} ms; its time is {found.time}.")
    where = f"on the board {board_id}" if board_id else "on every board of this key"
    counted = ", ".join(f"{count} {status}" for status, count in sorted(found.waiting.items())) or "none"
    say(f"Tasks that could be taken {where}: {counted}.")
    for name in found.missing:
        say(paint(f"It lacks {name}, and the worker cannot do without it.", "bad"))
    for line in found.weaker:
        say(f"  {line}")
