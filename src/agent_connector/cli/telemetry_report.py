"""`telemetry report`: tokens, calls, errors and time, with what each number rests on."""

import os

import click

from agent_connector.cli import options, usage_report
from agent_connector.cli.output import emit, verbatim, width
from agent_connector.cli.telemetry_options import root


@click.command(
    "report",
    epilog="""Examples:

\b
  agent-connector telemetry report
  agent-connector telemetry report --by project --since 7d --json""",
)
@click.option(
    "--by",
    type=click.Choice(["tool", "server", "session", "project", "host", "connector", "day"]),
    default="tool",
    show_default=True,
    help="What one line stands for.",
)
@options.since
@options.as_json
def command(by: str, since: str, as_json: bool) -> None:
    """Tokens, calls, errors and time, with what each number rests on."""
    from agent_connector.telemetry import report as reports
    from agent_connector.telemetry import show

    made = reports.make(root(), by, since, os.getcwd())
    emit(show.as_values(made)) if as_json else verbatim(show.as_text(made, width(), usage_report.plain()))
