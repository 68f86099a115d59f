"""`board migrate`: bring the database to the tables of this version."""

import click

from agent_connector.cli import board_parts, options
from agent_connector.cli.output import emit, say


@click.command(
    "migrate",
    epilog="""Examples:

\b
  agent-connector board migrate
  agent-connector board migrate --db postgresql://board@db.example/board --json""",
)
@board_parts.database
@options.as_json
def command(db: str | None, as_json: bool) -> None:
    """Make or change the tables. `board serve` does it at its start; this is for doing it at a time of your own.

    Make a backup first: versions only go up.
    """
    with board_parts.opened(db, upgrade=False) as store:
        before, after = store.upgrade()
    if as_json:
        emit({"before": before, "after": after})
    elif before == after:
        say(f"The database is of version {after} already.")
    else:
        say(f"The database is of version {after} now." + (f" It was of version {before}." if before else ""))
