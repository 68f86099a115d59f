"""`board copy`: take a whole board into another, empty database."""

import os

import click

from agent_connector.cli import board_parts, options
from agent_connector.cli.output import columns, emit, say
from agent_connector.errors import BoardError
from agent_connector.home import paths


@click.command(
    "copy",
    epilog="""Examples:

\b
  agent-connector board copy --to postgresql://board@db.example/board
  agent-connector board copy --from sqlite:////srv/board.db --to sqlite:////srv/copy.db --json""",
)
@click.option("--from", "source", metavar="URL", help="The board. Default: the file in our own folder.")
@click.option(
    "--to",
    "target",
    metavar="URL",
    required=True,
    envvar=board_parts.VARIABLE,
    help=f"An empty database, which gets the tables of this version. Default: ${board_parts.VARIABLE}.",
)
@options.as_json
def command(source: str | None, target: str, as_json: bool) -> None:
    """Copy all of a board, people and keys too, in one transaction: all of it arrives, or nothing.

    The source is left as it is. Stop the board before: what is written to it while it is copied is not in the copy. A
    target that is not empty is refused.
    """
    from agent_connector.board.copy import copy

    found = source or f"sqlite:///{paths.board_database(paths.data_root(os.environ, os.path.expanduser('~')))}"
    board_parts.needed()
    _is_there(found)
    with board_parts.opened(found, upgrade=False) as old, board_parts.opened(target, upgrade=False) as new:
        rows = copy(old, new)
    if as_json:
        emit({"rows": dict(rows)})
        return
    columns([(name, str(count)) for name, count in rows.items()])
    say(f"Copied: {sum(rows.values())} rows. Serve it with: agent-connector board serve --db URL")


def _is_there(url: str) -> None:
    """Opening a file of SQLite would make it."""
    from sqlalchemy import make_url

    from agent_connector.board.engine import open_engine

    open_engine(url).dispose()  # says it where the URL is none
    path = make_url(url).database
    if url.startswith("sqlite:") and path and not os.path.isfile(path):
        raise BoardError("there is no such file", where=path, remedy="Say with --from where the board is.")
