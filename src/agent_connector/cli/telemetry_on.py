"""`telemetry on`: count again."""

import click

from agent_connector.cli import options
from agent_connector.cli import telemetry_switches as switches
from agent_connector.cli.telemetry_options import connector as with_connector
from agent_connector.cli.telemetry_options import layer as with_layer


@click.command(
    "on",
    epilog="""Examples:

\b
  agent-connector telemetry on
  agent-connector telemetry on --layer hook""",
)
@with_connector
@with_layer
@options.as_json
def command(connector: str, layer: str, as_json: bool) -> None:
    """Count again."""
    switches.turn(True, connector, layer, as_json)
