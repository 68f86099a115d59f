"""`telemetry`: what connectors cost, in tokens, calls and time; each verb is a module of its own."""

import click

from agent_connector.cli.lazy import LazyGroup

VERBS = {
    "report": "Tokens, calls, errors and time, with what each number rests on.",
    "leaderboard": "The tools, servers and hosts that cost most.",
    "budget": "What a server's definitions cost; for continuous integration.",
    "export": "Every counted call as a row.",
    "status": "Whether counting is on, and where it is off.",
    "on": "Count again.",
    "off": "Stop counting, at once; what was counted stays.",
    "calibrate": "Bring the counts of a model family nearer to its model's own.",
    "sampling": "Calibrate by itself: send samples to the vendor's own counter.",
    "turns": "Count what hosts report of their model's turns.",
    "otlp": "Send counts to an OpenTelemetry collector.",
}


@click.group(
    "telemetry",
    cls=LazyGroup,
    table=VERBS,
    prefix="agent_connector.cli.telemetry_",
    epilog="""Examples:

\b
  agent-connector telemetry report --by tool --since 7d
  agent-connector telemetry budget --max-definition-tokens 4000 -- npx -y @acme/db-mcp
  agent-connector telemetry off --connector acme-db""",
)
def command() -> None:
    """What connectors cost: tokens, calls, errors, time.

    Counts only, kept on this machine: no argument, no result, no prompt is stored.
    """
