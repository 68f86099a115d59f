"""`worker`: take tasks from a board and have a host's agent do them, unattended; each verb is a module of its own."""

import click

from agent_connector.cli.lazy import LazyGroup

TABLE = {
    "local": "A board and its worker on this machine, in one command.",
    "login": "Get a key to a board, and keep it.",
    "setup": "Write connector.yml; asks for the one thing it needs.",
    "run": "Take tasks and do them, until it is stopped.",
    "spike": "A first look at the board: the key, a real read, what is missing.",
    "status": "What is set up, what runs, what waits for a person.",
    "stop": "The kill switch: begin nothing, end what runs.",
    "resume": "Take the kill switch away again.",
    "service": "Print a service file for systemd, launchd or Windows.",
}
ALIASES = {"init": "setup"}


class Verbs(LazyGroup):
    """The verbs, and `init` for `setup`."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return super().get_command(ctx, ALIASES.get(cmd_name, cmd_name))


@click.group(
    "worker",
    cls=Verbs,
    table=TABLE,
    prefix="agent_connector.cli.worker_",
    epilog="""Examples:

\b
  agent-connector worker login http://127.0.0.1:8700
  agent-connector worker setup ~/agent-work
  agent-connector worker run
  agent-connector worker stop --reason "I want to look at it first\"""",
)
def command() -> None:
    """An always-on worker: it takes tasks from a board and lets a host's agent do each of them in a sandbox.

    It asks a person when it must, never pushes, and keeps its key in a file that no agent can see. Its settings are in
    ~/.agent-connector/worker/connector.yml; docs/worker-config.md says what each key means.
    """
