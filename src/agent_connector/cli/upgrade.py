"""`upgrade` (also `update`, `sync`): render everything again and heal the launcher."""

import os

import click

from agent_connector.cli import options
from agent_connector.cli.install import outcome_json, show
from agent_connector.cli.output import emit, say
from agent_connector.deploy.detect import this_machine
from agent_connector.deploy.upgrade import CHANNELS, upgrade
from agent_connector.home import paths


@click.command(
    "upgrade",
    epilog="""Examples:

\b
  agent-connector upgrade            after a newer agent-connector, or a moved environment
  agent-connector upgrade -n --diff  only show what would change
  agent-connector upgrade --channel preview""",
)
@options.connector_id
@click.option(
    "--channel",
    type=click.Choice(CHANNELS),
    default="stable",
    show_default=True,
    help="Which newer versions of agent-connector to speak of.",
)
@options.dry_run
@options.diff
@options.force
@options.as_json
def command(connector: str | None, channel: str, dry_run: bool, show_diff: bool, force: bool, as_json: bool) -> int:
    """Render every installed connector again with this version, in the hosts that were chosen, and heal the launcher.

    Nothing is downloaded; how to get a newer agent-connector is said.
    """
    machine = this_machine()
    root = paths.data_root(os.environ, machine.home)
    done = upgrade(
        machine=machine,
        root=root,
        connectors=None if connector is None else [connector],
        channel=channel,
        force=force,
        dry=dry_run,
    )
    if as_json:
        emit(
            {
                "outcomes": [outcome_json(outcome) for outcome in done.outcomes],
                "notes": list(done.notes),
                "guidance": done.guidance,
                "failed": done.failed,
            }
        )
        return 1 if done.failed else 0
    for outcome in done.outcomes:
        show(outcome, show_diff)
        say()
    if not done.outcomes:
        say("no connector is installed")
    for note in done.notes:
        say(f"note: {note}")
    say(done.guidance)
    return 1 if done.failed else 0
