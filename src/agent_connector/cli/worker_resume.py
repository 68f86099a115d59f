"""`worker resume`: take the kill switch away again."""

import click

from agent_connector.cli import options, worker_parts
from agent_connector.cli.output import emit, say
from agent_connector.cli.worker_stop import switch


@click.command("resume", epilog="""Examples:\n\n\b\n  agent-connector worker resume""")
@worker_parts.config_file
@options.as_json
def command(config: str | None, as_json: bool) -> int:
    """Let the worker go on: it takes tasks again at its next look. Tasks that were ended are taken up anew."""
    from agent_connector.worker import killswitch

    path, sure = switch(config)
    there = killswitch.release(path)
    if as_json:
        emit({"killSwitch": path, "engaged": False, "wasEngaged": there})
    else:
        say("It goes on: the kill switch is gone." if there else "It was not stopped.")
    return 0 if sure else 1
