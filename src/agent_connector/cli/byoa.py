"""`byoa`: pair web apps with the agent sessions of this machine."""

import click

from agent_connector.cli.lazy import LazyGroup

TABLE = {
    "connect": "Pair an app with the sessions of a host.",
    "disconnect": "End a pairing: revoke its token and remove its files.",
    "status": "What is paired, host by host, and what is wrong with the files.",
    "run": "Open a session in this terminal that apps can join.",
    "attach": "Let apps join the sessions that you have open in OpenCode, Pi or OMP.",
    "claude": "Let apps join sessions of Claude Code.",
    "conformance": "Check an app against the wire.",
}


@click.group(
    "byoa",
    cls=LazyGroup,
    table=TABLE,
    prefix="agent_connector.cli.byoa_",
    epilog="""Examples:

\b
  agent-connector byoa run --host gemini-cli --app workspaces.example
  agent-connector byoa connect 127.0.0.1:4100 --host gemini-cli
  agent-connector byoa status --json""",
)
def command() -> None:
    """Bring your own agent: apps on the web talk to the agent session that you have open here.

    An app never gets a model key or a shell; it sees the turns that it started, and no others.
    """
