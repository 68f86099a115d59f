"""`usage leaderboard`: which hosts, models, projects or sessions cost most."""

import click

from agent_connector.cli import options, usage_report
from agent_connector.cli.output import emit, verbatim, width


@click.command(
    "leaderboard",
    epilog="""Examples:

\b
  agent-connector usage leaderboard
  agent-connector usage leaderboard --by project --since 30d --top 5
  agent-connector usage leaderboard --by session --measure tokens --json""",
)
@click.option(
    "--by",
    type=click.Choice(["model", "host", "project", "session"]),
    default="model",
    show_default=True,
    help="What is ranked.",
)
@click.option(
    "--measure", type=click.Choice(["usd", "tokens", "requests"]), default="usd", show_default=True, help="By what."
)
@click.option("--top", type=click.IntRange(min=1), default=10, show_default=True, metavar="N", help="How many.")
@usage_report.windowed
@options.as_json
def command(
    by: str,
    measure: str,
    top: int,
    since: str,
    until: str,
    zone: str,
    hosts: tuple[str, ...],
    fresh: bool,
    as_json: bool,
) -> None:
    """Who used most, with the share of all."""
    from agent_connector.usage import report, report_leaders

    wanted, there = usage_report.window(since, until, zone, usage_report.chosen(hosts))
    with usage_report.opened(wanted.hosts, fresh) as (index, scanned):
        made = report_leaders.of(report.make(index, by, wanted, there), measure, top)
    if as_json:
        emit(report_leaders.as_values(made, scanned))
    else:
        verbatim(report_leaders.as_text(made, width(), scanned, usage_report.plain()))
