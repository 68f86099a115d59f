"""`byoa claude`: let apps join the sessions of Claude Code."""

import click

from agent_connector.cli.lazy import LazyGroup

TABLE = {
    "install": "Put the pairer into Claude Code.",
    "remove": "Take the pairer out again.",
    "serve": "What Claude Code starts for each session; not for a person.",
}


@click.group(
    "claude",
    cls=LazyGroup,
    table=TABLE,
    prefix="agent_connector.cli.byoa_claude_",
    epilog="""Examples:

\b
  agent-connector byoa claude install
  agent-connector byoa claude remove""",
)
def command() -> None:
    """Let apps join the sessions of Claude Code that you have open, in your own terminal.

    In a session, `/byoa connect ADDRESS` pairs an app. What the app sends waits until a turn of yours ends.
    """
