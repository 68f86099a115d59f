"""`telemetry off`: stop counting."""

import click

from agent_connector.cli import options
from agent_connector.cli import telemetry_switches as switches
from agent_connector.cli.telemetry_options import connector as with_connector
from agent_connector.cli.telemetry_options import layer as with_layer


@click.command(
    "off",
    epilog="""Examples:

\b
  agent-connector telemetry off
  agent-connector telemetry off --connector acme-db""",
)
@with_connector
@with_layer
@options.as_json
def command(connector: str, layer: str, as_json: bool) -> None:
    """Stop counting, at once; what was counted stays."""
    switches.turn(False, connector, layer, as_json)
