"""`worker login`: get a key to a board, and keep it."""

import asyncio
import sys
from typing import TYPE_CHECKING

import click

from agent_connector.cli import options, worker_parts
from agent_connector.cli.output import emit, say, short

if TYPE_CHECKING:
    from agent_connector.worker.credentials import Credentials

WHERE = "http://127.0.0.1:8700"  # where `board serve` answers by itself


@click.command(
    "login",
    epilog="""Examples:

\b
  agent-connector worker login http://127.0.0.1:8700
  agent-connector worker login https://board.example --email ada@example.com
  agent-connector worker login https://board.example --key-stdin < key""",
)
@click.argument("url", required=False)
@click.option("--email", metavar="EMAIL", help="Whose key is made; the password is asked for.")
@click.option("--key-stdin", is_flag=True, help="The key is the first line of stdin: for scripts.")
@click.option("--allow-insecure", is_flag=True, help="Plain http to a board that is not on this machine.")
@options.as_json
def command(url: str | None, email: str | None, key_stdin: bool, allow_insecure: bool, as_json: bool) -> None:
    """Get a key to the board at URL and keep it in a file that only you may read.

    With an e-mail and a password the board makes a key for this worker; the password is sent there once and kept nowhere.
    Or paste a key that you have. Either is tried before it is kept.
    """
    path = worker_parts.credentials_path()
    if key_stdin:
        if url is None or email is not None:
            raise click.UsageError("--key-stdin goes with an address, and with no --email")
        held = _pasted(url, sys.stdin.readline(), allow_insecure)
        time = _kept(path, held, allow_insecure)
    elif worker_parts.asks():
        held, time = interactive(path, url, allow_insecure, email)
    else:
        raise click.UsageError("no terminal to ask at: give the key on stdin, `worker login URL --key-stdin`")
    if as_json:
        emit({"baseUrl": held.base_url, "credentials": path, "boardTime": time})
    else:
        say(f"The key opens {held.base_url}. It is in {short(path)}, for you alone.")
        say("Next: agent-connector worker setup, then agent-connector worker run")


def interactive(
    path: str, url: str | None, allow_insecure: bool, email: str | None = None
) -> "tuple[Credentials, str]":
    """Ask until a key is there that the board takes; it is kept in `path`."""
    from agent_connector.worker import credentials, login

    url = url or click.prompt("Address of the board", default=WHERE)
    base = credentials.base_url(url, allow_insecure, "URL")
    email = email or click.prompt("Your e-mail there (empty: paste a key)", default="", show_default=False).strip()
    if email:
        password = click.prompt("Password (it is sent to the board, and kept nowhere)", hide_input=True)
        held = asyncio.run(login.mint(base, email, password))
    else:
        held = _pasted(base, click.prompt("Key (it is not shown)", hide_input=True), allow_insecure)
    return held, _kept(path, held, allow_insecure)


def _pasted(url: str, key: str, allow_insecure: bool) -> "Credentials":
    from agent_connector.worker import credentials

    base = credentials.base_url(url, allow_insecure, "URL")
    return credentials.Credentials(base, credentials.key(key, "key"))


def _kept(path: str, held: "Credentials", allow_insecure: bool) -> str:
    """The board's time, once the key has opened it and is in the file."""
    from agent_connector.worker import credentials, login

    time = asyncio.run(login.tried(held, allow_insecure=allow_insecure))
    credentials.save(path, held)
    return time
