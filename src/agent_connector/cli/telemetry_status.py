"""`telemetry status`: whether counting is on."""

import click

from agent_connector.cli import options
from agent_connector.cli import telemetry_switches as switches


@click.command(
    "status",
    epilog="""Examples:

\b
  agent-connector telemetry status --json""",
)
@options.as_json
def command(as_json: bool) -> None:
    """Whether counting is on, and where it is off."""
    switches.show(as_json)
