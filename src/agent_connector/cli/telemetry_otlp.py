"""`telemetry otlp`: send counts to an OpenTelemetry collector."""

import time

import click

from agent_connector.cli import options
from agent_connector.cli.output import emit, say
from agent_connector.cli.telemetry_options import root

EVERY = 5.0  # seconds


@click.command(
    "otlp",
    epilog="""Examples:

\b
  agent-connector telemetry otlp
  agent-connector telemetry otlp --endpoint http://collector.example:4318 --since 7d
  agent-connector telemetry otlp --follow""",
)
@click.option(
    "--endpoint",
    default="",
    metavar="URL",
    help="OTLP over HTTP. Default: $OTEL_EXPORTER_OTLP_ENDPOINT, else localhost:4318.",
)
@options.since
@click.option("--again", is_flag=True, help="Send also what this collector was told already.")
@click.option("--follow", is_flag=True, help="Go on sending what is counted, until it is interrupted.")
@options.as_json
def command(endpoint: str, since: str, again: bool, follow: bool, as_json: bool) -> None:
    """Send what was counted as spans and metrics: names of connectors, tools, hosts, sessions; counts and times.

    No argument, no result, no prompt, no folder's name; a project is a hash. Headers come from the variable
    OTEL_EXPORTER_OTLP_HEADERS. Each row is sent to a collector once.
    """
    from agent_connector.telemetry import otlp

    while True:
        sent = otlp.send(root(), endpoint, since, again)
        if as_json:
            emit({"endpoint": sent.endpoint, "spans": sent.spans, "points": sent.points})
        elif sent.spans or sent.points or not follow:
            say(f"{sent.spans} spans and {sent.points} metric points went to {sent.endpoint}")
        if not follow:
            return
        again = False
        time.sleep(EVERY)
