"""`board serve`: run the board."""

import contextlib
import os
import sys
from typing import TYPE_CHECKING

import click

from agent_connector.cli import board_parts, options
from agent_connector.cli.output import complain, emit, say

if TYPE_CHECKING:
    from agent_connector.board.store import Store

_SETUP = "/setup?token="
_PIECE = 4096  # bytes of stdin at a time


@click.command(
    "serve",
    epilog="""Examples:

\b
  agent-connector board serve
  agent-connector board serve --port 9000 --json
  agent-connector board serve --db postgresql://board@db.example/board --host 0.0.0.0 --allow-host board.example""",
)
@board_parts.database
@click.option("--host", default="127.0.0.1", show_default=True, metavar="ADDRESS", help="Where it answers.")
@click.option("--port", type=click.IntRange(0, 65535), default=8700, show_default=True, help="0: one that is free.")
@click.option(
    "--allow-host", "names", multiple=True, metavar="NAME", help="A name that it may be called by. Again for more."
)
@click.option("--proxy", "proxies", multiple=True, metavar="ADDRESS", help="A reverse proxy that names its clients.")
@click.option("--certificate", type=click.Path(exists=True, dir_okay=False), help="PEM file; then it speaks https.")
@click.option("--certificate-key", type=click.Path(exists=True, dir_okay=False), help="Its key.")
@click.option(
    "--keep-logs",
    type=click.IntRange(0, 36_500),
    default=90,
    show_default=True,
    metavar="DAYS",
    help="For how long a run's log stays after its last change; 0: for ever.",
)
@click.option("--until-eof", is_flag=True, hidden=True, help="End when stdin does: with whoever holds its other end.")
@options.as_json
def command(
    db: str | None,
    host: str,
    port: int,
    names: tuple[str, ...],
    proxies: tuple[str, ...],
    certificate: str | None,
    certificate_key: str | None,
    keep_logs: int,
    until_eof: bool,
    as_json: bool,
) -> None:
    """Serve the board until Ctrl-C: the page at /, workers at /mcp.

    The first start makes the board's owner: it asks in a terminal, else it prints a link that works once.
    """
    board_parts.needed()
    from agent_connector.board import serve

    if not serve.is_loopback(host) and not names:
        raise click.UsageError("others can reach it there: say by which name with --allow-host NAME")
    with board_parts.opened(db) as store:
        token = first_owner(store, asks=not as_json and sys.stdin.isatty() and sys.stdout.isatty())
        listening = serve.Listening(host, port, names, proxies, certificate, certificate_key, keep_logs)

        def ready(url: str) -> None:
            told(url, None if token is None else url + _SETUP + token, as_json)
            if not serve.is_loopback(host) and not certificate and not as_json:
                complain("it speaks plain http: put TLS in front of it, or give --certificate")

        serve.run(store, listening, ready, stdin_ends if until_eof else None)


def stdin_ends() -> None:
    """Returns when nobody holds the other end of stdin any more, whatever became of them."""
    with contextlib.suppress(OSError):
        while os.read(0, _PIECE):  # not sys.stdin: its lock would be held while Python ends
            pass


def first_owner(store: "Store", asks: bool) -> str | None:
    """The token of a link that makes the owner, where there is none yet and nobody to ask."""
    from agent_connector.board import sessions, users

    if not asks or store.read(lambda tx: users.count(tx, owners=True)):
        return store.write(sessions.setup_link)
    say("This board has no owner yet. Who are you?")
    email = click.prompt("E-mail")
    kept = users.hashed(board_parts.password(piped=False))
    say(f"{store.write(users.add, email, kept, owner=True).email} owns the board.")
    return None


def told(url: str, setup: str | None, as_json: bool) -> None:
    if as_json:
        emit({"url": url, "mcp": f"{url}/mcp", "setup": setup})
    else:
        say(f"The board is at {url}\nWorkers connect with: agent-connector worker login {url}")
        if setup:
            say(f"It has no owner yet. This link makes one; it works once, for a day:\n  {setup}")
        say("Ctrl-C ends it.")
    sys.stdout.flush()
