"""`worker setup`: write connector.yml; it asks for the one thing that has no default."""

import os

import click

from agent_connector.cli import options, worker_parts
from agent_connector.cli.output import emit, say, short
from agent_connector.home.system import person_home

FOLDER = "~/agent-work"


@click.command(
    "setup",
    epilog="""Examples:

\b
  agent-connector worker setup
  agent-connector worker setup ~/agent-work --board main
  agent-connector worker setup ~/src/project --adapter codex --json""",
)
@click.argument("sandbox_dir", required=False)
@click.option(
    "--adapter",
    metavar="HOST",
    help="The host that works; acp:HOST over the Agent Client Protocol. Default: the first that is here with a key or a login.",
)
@click.option("--board", metavar="ID", help="Take tasks of this board only.")
@worker_parts.config_file
@options.as_json
def command(sandbox_dir: str | None, adapter: str | None, board: str | None, config: str | None, as_json: bool) -> None:
    """Write connector.yml, with every key explained in it, for agents that work in SANDBOX_DIR (made where it is missing).

    A configuration that is there already is checked and left as it is; one for another folder, host or board is an error.
    """
    from agent_connector.errors import WorkerError
    from agent_connector.worker import config as configuration

    path = worker_parts.config_path(config)
    if os.path.lexists(path):
        found = configuration.load(path)
        other = worker_parts.disagrees(found, sandbox_dir, adapter)
        if other is None and board not in (None, found.board):
            other = (f"{short(path)} takes tasks of board {found.board or 'any'}, not of {board}", "change it there")
        if other is not None:
            raise WorkerError(f"{other[0]}; it was left as it is", remedy=f"{other[1][0].upper()}{other[1][1:]}.")
        _told(found, as_json, f"{short(path)} was there already and is in order; it was left as it is.")
        return
    if sandbox_dir is None and not worker_parts.asks():
        raise click.UsageError("say which folder agents work in: `worker setup SANDBOX_DIR`")
    if sandbox_dir is None:
        interactive(path, adapter, board)
    else:
        _written(path, sandbox_dir, adapter, board)
    _told(configuration.load(path), as_json, f"{short(path)} is written; every key is explained in it.")


def interactive(path: str, adapter: str | None = None, board: str | None = None) -> None:
    """Ask for the folder; a wrong answer is said, and asked for again."""
    from agent_connector.errors import WorkerError

    while True:
        folder = click.prompt("Folder that agents work in (a git repository, or any other)", default=FOLDER)
        try:
            _written(path, folder, adapter, board)
            return
        except WorkerError as error:
            say(str(error))


def _written(path: str, folder: str, adapter: str | None, board: str | None) -> None:
    from agent_connector.worker import setup

    setup.write(path, folder, os.environ, person_home(), adapter=adapter, board=board)


def _told(found: object, as_json: bool, what: str) -> None:
    from agent_connector.worker.config import Config
    from agent_connector.worker.config_read import is_repository

    assert isinstance(found, Config)  # noqa: S101 - it was loaded just now
    git = is_repository(found.sandbox_dir)
    if as_json:
        emit({"config": found.path, "sandboxDir": found.sandbox_dir, "git": git, "adapter": found.adapter})
        return
    say(what)
    how = "each run gets a clone of its own" if git else "no git repository: one run at a time, in the folder itself"
    say(f"Agents work in {short(found.sandbox_dir)} ({how}), driven by {found.adapter}.")
    say("Next: agent-connector worker spike, then agent-connector worker run")
