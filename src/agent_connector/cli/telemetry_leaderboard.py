"""`telemetry leaderboard`: the tools, servers and hosts that cost most."""

import os

import click

from agent_connector.cli import options
from agent_connector.cli.output import emit, verbatim, width
from agent_connector.cli.telemetry_options import root


@click.command(
    "leaderboard",
    epilog="""Examples:

\b
  agent-connector telemetry leaderboard
  agent-connector telemetry leaderboard --by server --top 3 --since 7d --json""",
)
@click.option(
    "--by",
    type=click.Choice(["tool", "server", "session", "project", "host", "day"]),
    default="tool",
    show_default=True,
    help="What is ranked.",
)
@click.option("--top", type=click.IntRange(min=1), default=10, show_default=True, metavar="N", help="How many.")
@options.since
@options.as_json
def command(by: str, top: int, since: str, as_json: bool) -> None:
    """What cost most tokens, with its share of all."""
    from agent_connector.telemetry import ranking, report

    made = ranking.of(report.make(root(), by, since, os.getcwd()), top)
    emit(ranking.as_values(made)) if as_json else verbatim(ranking.as_text(made, width()))
