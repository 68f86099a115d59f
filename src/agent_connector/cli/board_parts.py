"""What the verbs of `board` share: the database that is meant, who does it, passwords."""

import contextlib
import importlib.util
import os
import sys
from collections.abc import Generator
from typing import TYPE_CHECKING

import click

from agent_connector.errors import AgentConnectorError
from agent_connector.home import paths, private

if TYPE_CHECKING:
    from agent_connector.board.store import Store

VARIABLE = "AGENT_CONNECTOR_BOARD_DB"
NEEDS = ("sqlalchemy", "alembic", "argon2", "psycopg")

database = click.option(
    "--db",
    envvar=VARIABLE,
    metavar="URL",
    help=f"sqlite:///PATH or postgresql://USER@HOST/NAME. Default: ${VARIABLE}, else a file in our own folder.",
)
by = click.option("--by", metavar="EMAIL", help="Who does it. Default: the board's owner, where there is one.")


@contextlib.contextmanager
def opened(db: str | None, upgrade: bool = True) -> "Generator[Store]":
    """The board's database, with the tables of this version."""
    needed()
    from agent_connector.board.store import open_store

    store = open_store(db or _own(), upgrade=upgrade)
    try:
        yield store
    finally:
        store.close()


def needed() -> None:
    """The packages of the extra `board` are there."""
    if absent := missing():
        raise AgentConnectorError(
            f"the board needs packages that are not installed: {', '.join(absent)}",
            remedy="Run, in the checkout: pip install '.[board]'",
        )


def missing() -> list[str]:
    """The packages of the extra `board` that are not there."""
    return [name for name in NEEDS if importlib.util.find_spec(name) is None]


def _own() -> str:
    """The file in our own folder; made here, so that nobody else may read it."""
    root = paths.data_root(os.environ, os.path.expanduser("~"))
    private.make_folder(paths.board_folder(root))
    path = paths.board_database(root)
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, private.FILE))
    return f"sqlite:///{path}"


def author(store: "Store", by: str | None) -> str:
    """The e-mail of who does something here."""
    from agent_connector.board import users

    if by is not None:
        return by
    owners = [user.email for user in store.read(users.everyone) if user.owner]
    if len(owners) > 1:
        raise click.UsageError(f"say who does it with --by EMAIL; the owners are {', '.join(owners)}")
    return owners[0] if owners else "owner@localhost"


def password(piped: bool) -> str:
    """Asked for twice, never shown; with `piped` the first line of stdin."""
    if piped:
        return sys.stdin.readline().rstrip("\r\n")
    if not sys.stdin.isatty():
        raise click.UsageError("no terminal to ask for a password at: give it on stdin with --password-stdin")
    return click.prompt("Password", hide_input=True, confirmation_prompt=True)
