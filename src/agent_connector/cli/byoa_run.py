"""`byoa run`: a session in this terminal that apps can join."""

import asyncio
import logging
import os
import signal
import sys
from collections.abc import Sequence
from types import FrameType
from typing import TYPE_CHECKING

import click

from agent_connector.cli import byoa_parts

if TYPE_CHECKING:
    from agent_connector.byoa.sessions.acp_host import Launch


@click.command(
    "run",
    context_settings={"ignore_unknown_options": True},
    epilog="""Examples:

\b
  agent-connector byoa run --host gemini-cli --app workspaces.example
  agent-connector byoa run --host claude-code
  agent-connector byoa run --host qwen-code -- --model qwen3-coder""",
)
@click.option("--host", required=True, metavar="ID", help="The host whose agent is opened; it has to speak ACP.")
@click.option("--app", "apps", multiple=True, metavar="ADDRESS", help="Pair this app first, unless it is paired.")
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED, metavar="[-- HOST ARGS...]")
def command(host: str, apps: Sequence[str], arguments: Sequence[str]) -> int:
    """Open a session of a host's agent in this terminal. Every app that is paired with the host can join it.

    You type here as ever, and are asked here when the agent needs a permission. What an app asks is shown with where it
    comes from; a prompt of yours takes over from it. `/byoa` lists the commands of the session, Ctrl-C stops a turn,
    twice leaves. Where this is no terminal, what comes in is worked off and no app joins.
    """
    from agent_connector.byoa.sessions.acp_host import launch

    interactive = sys.stdin.isatty() and sys.stdout.isatty()
    if apps and not interactive:
        raise click.UsageError(
            f"no app joins a session without a terminal; to pair one say: byoa connect {apps[0]} --host {host}"
        )
    found = launch(byoa_parts.known(host, "--host"), arguments, os.environ)
    logging.getLogger().addHandler(logging.NullHandler())  # libraries would write into the session
    with asyncio.Runner() as runner:
        return runner.run(_run(found, apps, interactive))


async def _run(found: "Launch", apps: Sequence[str], interactive: bool) -> int:
    from agent_connector.byoa.driver.http import HttpxPort
    from agent_connector.byoa.sessions.acp_room import Room
    from agent_connector.byoa.sessions.acp_screen import TerminalScreen
    from agent_connector.byoa.sessions.typed import Typed

    http, typed = HttpxPort(), Typed()
    room = Room(
        found, os.getcwd(), os.environ, byoa_parts.files(), TerminalScreen(sys.stdout), http, interactive=interactive
    )
    loop = asyncio.get_running_loop()

    def interrupted(number: int, frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(room.interrupt)

    before = signal.signal(signal.SIGINT, interrupted)
    typed.start()
    try:
        await room.run(typed, apps)
    finally:
        signal.signal(signal.SIGINT, before)
        await http.close()
    return 0
