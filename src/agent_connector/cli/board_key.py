"""`board key`: keys for workers."""

import click

from agent_connector.cli import board_parts, options
from agent_connector.cli.output import emit, say, table, verbatim


@click.group(
    "key",
    epilog="""Examples:

\b
  agent-connector board key new ada@example.com --name build-machine
  agent-connector board key list --json
  agent-connector board key revoke k3m9x2pq""",
)
def command() -> None:
    """Keys with which workers call the board. Only a key's prefix can be shown again."""


@command.command("new")
@click.argument("email")
@click.option("--name", metavar="NAME", help="Who comments with it. Default: the e-mail.")
@board_parts.database
@options.as_json
def new(email: str, name: str | None, db: str | None, as_json: bool) -> None:
    """Make a key of a person, and print it this once."""
    with board_parts.opened(db) as store:
        from agent_connector.board import keys, users

        key = store.write(lambda tx: keys.mint(tx, users.named(tx, email).id, name))
    if as_json:
        emit({"key": key})
    else:
        verbatim(key)


@command.command("list")
@board_parts.database
@options.as_json
def listed(db: str | None, as_json: bool) -> None:
    """Every key, by its prefix."""
    with board_parts.opened(db) as store:
        from agent_connector.board import keys

        found = store.read(keys.of_user)
    if as_json:
        emit([key.wire() for key in found])
        return
    rows = [
        (key.prefix, key.email, key.name or "", "revoked" if key.revoked_at else "", (key.used_at or "never")[:16])
        for key in found
    ]
    table(("prefix", "of", "name", "", "used"), rows)


@command.command("revoke")
@click.argument("prefix")
@board_parts.database
@options.as_json
def revoke(prefix: str, db: str | None, as_json: bool) -> None:
    """From now on it opens nothing."""
    with board_parts.opened(db) as store:
        from agent_connector.board import keys

        store.write(keys.revoke, prefix)
    if as_json:
        emit({"revoked": prefix})
    else:
        say(f"The key {prefix} opens nothing any more.")
