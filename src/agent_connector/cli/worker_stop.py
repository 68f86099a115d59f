"""`worker stop`: the kill switch."""

import os

import click

from agent_connector.cli import options, worker_parts
from agent_connector.cli.output import complain, emit, say, short
from agent_connector.home.system import person_home


@click.command(
    "stop",
    epilog="""Examples:

\b
  agent-connector worker stop
  agent-connector worker stop --reason "the budget is used up" --json""",
)
@click.option("--reason", metavar="TEXT", help="Why; `worker status` says it to whoever asks.")
@worker_parts.config_file
@options.as_json
def command(reason: str | None, config: str | None, as_json: bool) -> int:
    """Begin no task and end the running ones, by a file that the worker looks at; a worker that starts later waits too.

    `agent-connector worker resume` takes it away. A worker whose configuration is damaged is stopped as well.
    """
    from agent_connector.worker import killswitch

    path, sure = switch(config)
    killswitch.engage(path, reason)
    if as_json:
        emit({"killSwitch": path, "engaged": True})
    else:
        say(f"Stopped: {short(path)} is there. Nothing is begun, and what runs is being ended.")
        say("To go on: agent-connector worker resume")
    return 0 if sure else 1


def switch(config: str | None) -> tuple[str, bool]:
    """The kill switch; False when a damaged configuration may name another one."""
    from agent_connector.errors import WorkerError
    from agent_connector.worker import config as configuration
    from agent_connector.worker import places

    path = worker_parts.config_path(config)
    beside = os.path.join(os.path.dirname(path), places.KILL_SWITCH)
    if not os.path.lexists(path):
        return beside, True
    try:
        return configuration.load(path, os.environ, person_home()).ergonomics.kill_switch_file, True
    except WorkerError as error:
        complain(f"{error}\nThe kill switch beside it is used; if killSwitchFile names another, make that file too.")
        return beside, False
