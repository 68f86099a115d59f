"""`worker local`: a board and its worker on this machine, in one command."""

import contextlib
import json
import os
import secrets
import subprocess
import sys
import threading
from collections.abc import Generator
from dataclasses import dataclass
from typing import IO, Any
from urllib.parse import urlsplit

import click

from agent_connector.cli import board_parts, worker_parts
from agent_connector.cli.output import say, short
from agent_connector.errors import BoardError, BoardUnreachable
from agent_connector.home.system import person_home

WORKER = "worker@localhost"
STATUSES = {"runningStatus": "doing", "doneStatus": "done", "failedStatus": "failed"}
SECONDS = 60.0  # for the board to answer
END = 10.0
SOON = 1.0


@click.command(
    "local",
    epilog="""Examples:

\b
  agent-connector worker local ~/src/project
  agent-connector worker local ~/src/project --port 9000 --adapter codex
  agent-connector worker local ~/src/project --once --json""",
)
@click.argument("sandbox_dir")
@click.option(
    "--adapter",
    metavar="HOST",
    help="The host that works; acp:HOST over the Agent Client Protocol. Default: the first that is here with a key or a login.",
)
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8700, show_default=True, help="Where the board's page is."
)
@click.option("--once", is_flag=True, help="Do what is on the board now, and end.")
@click.option(
    "--json", "as_json", is_flag=True, help="A JSON object on each line of stderr; with --once, one on stdout."
)
def command(sandbox_dir: str, adapter: str | None, port: int, once: bool, as_json: bool) -> int:
    """Serve a board on this machine and work for it, in SANDBOX_DIR: everything that is needed is made at the first start.

    The board's page is on loopback alone. Ctrl-C ends both; tasks, logs and settings stay for the next start.
    """
    from agent_connector.cli import worker_run

    worker_parts.needed(*board_parts.missing())
    agreed(sandbox_dir, adapter)
    reached(adapter)
    with board(port) as served:
        if not as_json:
            link = f"\nIt has no owner yet; this link makes one: {served.setup}" if served.setup else ""
            say(f"The board is at {served.url}{link}")
            sys.stdout.flush()
        key(served.url)
        settings(sandbox_dir, adapter, as_json)
        with served.alive():
            return worker_run.work(once, None, as_json, served.ended)


@dataclass(frozen=True, slots=True)
class Served:
    """A board in a process of its own: its address, and the link that makes its owner where it has none."""

    url: str
    setup: str | None
    process: "subprocess.Popen[bytes]"

    def ended(self) -> bool:
        return self.process.poll() is not None

    @contextlib.contextmanager
    def alive(self) -> Generator[None]:
        """Raises where the board has ended before the block has, whatever else came of that."""
        why: BoardError | None = None
        try:
            yield
        except BoardError as error:
            why = error
            with contextlib.suppress(subprocess.TimeoutExpired):  # it does not answer: is it about to end?
                self.process.wait(SOON)
        if self.ended():
            raise BoardUnreachable(
                f"the board ended while the worker ran (exit code {self.process.returncode})",
                remedy="What it said stands above. Tasks and logs are kept: start `worker local` again.",
            ) from why
        if why is not None:
            raise why


@contextlib.contextmanager
def board(port: int) -> Generator[Served]:
    """The board, until the end of the block."""
    # -P: whatever lies in the folder where this is called is no module of ours; agents may have written it.
    line = [
        sys.executable,
        "-P",
        "-m",
        "agent_connector",
        "board",
        "serve",
        "--json",
        "--until-eof",
        "--port",
        str(port),
    ]
    process = subprocess.Popen(
        line,
        stdin=subprocess.PIPE,  # which ends with this process, however that ends: so does the board
        stdout=subprocess.PIPE,
        start_new_session=True,  # Ctrl-C is for the worker, which has something to tell the board then
        creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
    )
    try:
        told = _told(process)
        yield Served(told["url"], told["setup"], process)
    finally:
        _end(process)


def key(url: str) -> None:
    """A key of the worker's own; one that is kept already for this board is used again, wherever that is served now."""
    from agent_connector.board import keys, users
    from agent_connector.worker import credentials

    path = worker_parts.credentials_path()
    with board_parts.opened(os.environ.get(board_parts.VARIABLE)) as store:
        if os.path.lexists(path):
            held = credentials.load(path, allow_insecure=True)
            if not _here(held.base_url) or store.read(lambda tx: keys.caller(tx, held.mcp_key)) is None:
                raise click.UsageError(f"{short(path)} is for another board; move it away, or use `worker run`")
            if held.base_url != url:
                credentials.save(path, credentials.Credentials(url, held.mcp_key))
            return
        if not any(user.email == WORKER for user in store.read(users.everyone)):
            store.write(users.add, WORKER, users.hashed(secrets.token_urlsafe(24)))
        made = store.write(lambda tx: keys.mint(tx, users.named(tx, WORKER).id, "worker"))
    credentials.save(path, credentials.Credentials(url, made))


def _here(url: str) -> bool:
    from agent_connector.worker import credentials

    parts = urlsplit(url)
    return parts.scheme == "http" and credentials.loopback(parts.hostname or "")


def agreed(folder: str, adapter: str | None) -> None:
    """A connector.yml that is there already says the same: nobody's agents work in another folder than the one named."""
    if os.path.lexists(worker_parts.config_path(None)):
        other = worker_parts.disagrees(worker_parts.configured(None), folder, adapter)
        if other is not None:
            raise click.UsageError(f"{other[0]}; {other[1]}")


def reached(adapter: str | None) -> None:
    """Before anything is made: the host that will work, or another one that is here, has a key or a login."""
    from agent_connector.hosts.machine import here
    from agent_connector.worker import crew, providers, setup

    home = person_home()
    if os.path.lexists(worker_parts.config_path(None)):
        host = worker_parts.configured(None).adapter
    else:
        host = setup.chosen(adapter, os.environ, home)
    crew.can_reach_a_model(host, providers.available(here()), os.environ, home, lambda said: None)


def settings(folder: str, adapter: str | None, quiet: bool) -> None:
    """connector.yml for the board that is served here; one that is there already is used as it is."""
    from agent_connector.worker import setup

    path = worker_parts.config_path(None)
    if os.path.lexists(path):
        if not quiet:
            say(f"{short(path)} is there already and was left as it is.")
        return
    setup.write(path, folder, os.environ, person_home(), adapter=adapter, more=STATUSES)


def _end(process: "subprocess.Popen[bytes]") -> None:
    assert process.stdin is not None and process.stdout is not None  # noqa: S101 - pipes by construction
    process.stdin.close()
    process.stdout.close()
    try:
        process.wait(END)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _told(process: "subprocess.Popen[bytes]") -> dict[str, Any]:
    """What the board says once it answers. Why it cannot, in its own words; other lines of it go to our stderr."""
    assert process.stdout is not None  # noqa: S101 - a pipe by construction
    watch = threading.Timer(SECONDS, process.kill)
    watch.start()
    try:
        told = json.loads(_document(process.stdout))
    except ValueError:
        raise BoardUnreachable(
            "the board did not start", remedy="`agent-connector board serve` says why; --port takes another port."
        ) from None
    finally:
        watch.cancel()
    if "error" in told:
        raise BoardUnreachable(**{part: told["error"][part] for part in ("what", "where", "remedy")})
    return told


def _document(stream: IO[bytes]) -> str:
    """One JSON document, to its last brace; "" at an early end."""
    text = ""
    for line in stream:
        text += line.decode("utf-8", "replace")
        if line.rstrip() == b"}":
            return text
    return ""
