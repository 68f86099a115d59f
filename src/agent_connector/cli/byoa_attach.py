"""`byoa attach`: let apps join a session that is open already."""

import asyncio
import logging
import os
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import click

from agent_connector.cli import byoa_parts
from agent_connector.cli.output import say, short

if TYPE_CHECKING:
    from agent_connector.byoa.core.ports import HttpPort
    from agent_connector.byoa.sessions.desk import Attached

LOAD = {
    "opencode": "an OpenCode that runs already has to be started anew",
    "pi": "a Pi that runs already loads it with /reload",
    "omp": "an OMP that runs already has to be started anew",
}


@click.command(
    "attach",
    epilog="""Examples:

\b
  agent-connector byoa attach opencode
  agent-connector byoa attach opencode --url http://127.0.0.1:4096
  agent-connector byoa attach pi --app workspaces.example
  agent-connector byoa attach pi --remove""",
)
@click.argument("host", type=click.Choice(list(LOAD)))
@click.option("--app", "apps", multiple=True, metavar="ADDRESS", help="Pair this app first, unless it is paired.")
@click.option("--url", metavar="URL", help="Where a server of OpenCode listens; nothing is put into OpenCode then.")
@click.option("--session", metavar="ID", help="Only this session of OpenCode. Default: the one you used last.")
@click.option("--remove", is_flag=True, help="Take our file out of HOST, and do nothing else.")
def command(host: str, apps: Sequence[str], url: str | None, session: str | None, remove: bool) -> int:
    """Let every app that is paired with HOST join the sessions that you have open there, until you leave with Ctrl-C.

    The first time one file is put among the plugins of OpenCode, or the extensions of Pi or OMP. It does nothing while
    no `attach` runs. Apps join every terminal that has it, and follow you to another session.

    With --url nothing is put there: OpenCode has to listen (`opencode --port 4096`, or `opencode serve` and `opencode
    attach`), and a password of its server is taken from OPENCODE_SERVER_PASSWORD.
    """
    if host != "opencode" and (url or session):
        raise click.UsageError("--url and --session are for opencode")
    if remove:
        return _remove(host)
    return _listening(url, session or "", apps) if url else _extended(host, session or "", apps)


def _listening(url: str, session: str, apps: Sequence[str]) -> int:
    from agent_connector.byoa.sessions.opencode_attach import Attachment
    from agent_connector.byoa.sessions.opencode_server import Server

    files, server = byoa_parts.files(), Server(url, os.environ)
    return _stay(lambda http, note: Attachment(server, files, http, note, session), apps)


def _extended(host: str, session: str, apps: Sequence[str]) -> int:
    from agent_connector.byoa.sessions import extensions, opencode_attach, pi_attach

    home = os.path.expanduser("~")
    files, place = byoa_parts.files(), extensions.place(host, os.environ, home)
    if (where := extensions.install(host, os.environ, home)) is not None:
        say(f"put {short(where)} there; {LOAD[host]}")
    say("apps join each terminal that has it, from now until you leave with Ctrl-C")

    def attach(http: "HttpPort", note: Callable[[str], None]) -> "Attached":
        if host == "opencode":
            return opencode_attach.Attachment(place, files, http, note, session)
        return pi_attach.Attachment(host, place, files, http, note)

    return _stay(attach, apps)


def _remove(host: str) -> int:
    from agent_connector.byoa.sessions import extensions

    where = extensions.remove(host, os.environ, os.path.expanduser("~"))
    say(f"took out {short(where)}" if where is not None else "there is no file of ours")
    return 0


def _stay(attach: "Callable[[HttpPort, Callable[[str], None]], Attached]", apps: Sequence[str]) -> int:
    logging.getLogger().addHandler(logging.NullHandler())  # libraries would write into the terminal
    try:
        with asyncio.Runner() as runner:
            runner.run(_run(attach, apps))
    except KeyboardInterrupt:
        pass
    return 0


async def _run(attach: "Callable[[HttpPort, Callable[[str], None]], Attached]", apps: Sequence[str]) -> None:
    from agent_connector.byoa.driver.http import HttpxPort
    from agent_connector.byoa.sessions import desk
    from agent_connector.byoa.sessions.acp_screen import TerminalScreen
    from agent_connector.byoa.sessions.typed import Typed

    http, typed, screen = HttpxPort(), Typed(), TerminalScreen(sys.stdout)
    typed.start()
    try:
        await desk.stay(attach(http, screen.note), typed, screen.note, apps)
    finally:
        await http.close()
