"""`usage rebuild`: forget what was read and read all logs again."""

import click

from agent_connector.cli import options
from agent_connector.cli.usage_scan import identify, machine, progress, root, tell


@click.command(
    "rebuild",
    epilog="""Examples:

\b
  agent-connector usage rebuild
  agent-connector usage rebuild --json""",
)
@options.as_json
def command(as_json: bool) -> int:
    """Forget what was read and read all logs again.

    What a host has cleaned up meanwhile was in the index alone, and is lost. Exit codes as of `usage scan`.
    """
    from agent_connector.usage import scan

    with progress(as_json) as listener:
        done = scan.rebuild(root(), machine(), identify(), listener)
    return tell(done, as_json)
