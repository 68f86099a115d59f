"""`board user`: who may log in."""

import click

from agent_connector.cli import board_parts, options
from agent_connector.cli.output import emit, say, table

piped = click.option("--password-stdin", "piped", is_flag=True, help="The password is the first line of stdin.")
email = click.argument("email")


@click.group(
    "user",
    epilog="""Examples:

\b
  agent-connector board user add ada@example.com --owner
  agent-connector board user list --json""",
)
def command() -> None:
    """Who may log in to the board. Owners may also change people, roles and bundles."""


@command.command("add")
@email
@click.option("--owner", is_flag=True, help="May change people, roles and bundles.")
@piped
@board_parts.database
@options.as_json
def add(email: str, owner: bool, piped: bool, db: str | None, as_json: bool) -> None:
    """Add a person; asks for a password of 10 characters or more."""
    with board_parts.opened(db) as store:
        from agent_connector.board import users

        kept = users.hashed(board_parts.password(piped))
        user = store.write(users.add, email, kept, owner=owner)
    _told({"email": user.email, "owner": user.owner}, f"{user.email} may log in.", as_json)


@command.command("list")
@board_parts.database
@options.as_json
def listed(db: str | None, as_json: bool) -> None:
    """Everybody who may log in."""
    with board_parts.opened(db) as store:
        from agent_connector.board import users

        rows = [(user, store.read(users.keyed, user.id)) for user in store.read(users.everyone)]
    if as_json:
        emit([{"email": u.email, "owner": u.owner, "createdAt": u.created_at, "keys": keys} for u, keys in rows])
    else:
        shown = [(u.email, "owner" if u.owner else "member", str(keys), u.created_at[:10]) for u, keys in rows]
        table(("e-mail", "", "keys", "since"), shown)


@command.command("remove")
@email
@board_parts.database
@options.as_json
def remove(email: str, db: str | None, as_json: bool) -> None:
    """Remove a person with all keys; what the person wrote stays."""
    with board_parts.opened(db) as store:
        from agent_connector.board import users

        store.write(users.remove, email)
    _told({"removed": email}, f"{email} may not log in any more; the keys are gone.", as_json)


@command.command("password")
@email
@piped
@board_parts.database
@options.as_json
def password(email: str, piped: bool, db: str | None, as_json: bool) -> None:
    """Set a new password; whoever is logged in as that person is no more. Keys stay."""
    with board_parts.opened(db) as store:
        from agent_connector.board import users

        store.write(users.set_password, email, users.hashed(board_parts.password(piped)))
    _told({"email": email}, f"{email} has a new password.", as_json)


def _told(facts: dict[str, object], words: str, as_json: bool) -> None:
    if as_json:
        emit(facts)
    else:
        say(words)
