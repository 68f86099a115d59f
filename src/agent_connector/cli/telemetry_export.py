"""`telemetry export`: every counted call as a row."""

import os
from typing import TextIO, cast

import click

from agent_connector.cli import options
from agent_connector.cli.output import Shown
from agent_connector.cli.telemetry_options import root


@click.command(
    "export",
    epilog="""Examples:

\b
  agent-connector telemetry export --format csv --since 2026-11-01 > counts.csv
  agent-connector telemetry export --format json --output counts.json""",
)
@click.option("--format", "form", type=click.Choice(["csv", "json"]), default="csv", show_default=True)
@options.since
@click.option("--output", type=click.Path(dir_okay=False), help="A file instead of the standard output.")
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
def command(form: str, since: str, output: str | None, as_json: bool) -> None:
    """Every counted call as a row."""
    from agent_connector.telemetry.export import export as write

    form = "json" if as_json else form
    if output is None:
        write(root(), form, cast(TextIO, Shown()), since, os.getcwd())
        return
    with open(output, "w", encoding="utf-8", newline="") as file:
        write(root(), form, file, since, os.getcwd())
