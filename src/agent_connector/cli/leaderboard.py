"""`leaderboard`: the three books side by side, never added."""

import os

import click

from agent_connector.cli import options, usage_report
from agent_connector.cli.output import emit, verbatim, width


@click.command(
    "leaderboard",
    epilog="""Examples:

\b
  agent-connector leaderboard
  agent-connector leaderboard --since 7d --scope project
  agent-connector leaderboard --connector acme-db --json""",
)
@options.since
@click.option(
    "--scope",
    type=click.Choice(["user", "project"]),
    default="user",
    show_default=True,
    help="Everything of yours, or only what was done in the project of this folder.",
)
@click.option("-c", "--connector", default="", metavar="ID", help="In the servers' book, only this connector.")
@click.option("--top", type=click.IntRange(min=1), default=5, show_default=True, metavar="N", help="How many of each.")
@usage_report.zone
@usage_report.scan
@options.as_json
def command(since: str, scope: str, connector: str, top: int, zone: str, fresh: bool, as_json: bool) -> None:
    """What servers put through, what the hosts' logs say, and what hosts tell of their turns.

    Three books, side by side: they overlap, so they are never added up.
    """
    from agent_connector.cli import books
    from agent_connector.telemetry import append
    from agent_connector.usage import report

    folder = os.getcwd()
    project = append.project(folder)[0] if scope == "project" else ""
    wanted, there = usage_report.window(since, "", zone, (), project)
    with usage_report.opened((), fresh) as (index, scanned):
        usage = report.make(index, "host", wanted, there)
    made = books.Books(*books.telemetry_books(usage_report.root(), folder, wanted, connector), usage, connector)
    if as_json:
        emit(books.as_values(made, top, scanned))
    else:
        verbatim(books.as_text(made, top, width(), scanned))
