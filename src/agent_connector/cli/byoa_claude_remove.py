"""`byoa claude remove`: take the pairer out of Claude Code."""

import os

import click

from agent_connector.byoa.sessions.claude_install import CONNECTOR
from agent_connector.cli import options
from agent_connector.cli.output import emit
from agent_connector.cli.uninstall import removal_json, show
from agent_connector.deploy.detect import this_machine
from agent_connector.deploy.install import project_folder
from agent_connector.deploy.uninstall import uninstall
from agent_connector.home import paths


@click.command(
    "remove",
    epilog="""Examples:

\b
  agent-connector byoa claude remove
  agent-connector byoa claude remove -n --diff   only show what would change""",
)
@options.project
@options.dry_run
@options.diff
@options.force
@options.as_json
def command(project: str | None, dry_run: bool, show_diff: bool, force: bool, as_json: bool) -> int:
    """Take the pairer out; every file comes back byte for byte when nobody else changed it.

    Pairings stay: `agent-connector byoa disconnect APP --host claude-code` ends one.
    """
    scope = "project" if project else None
    machine = this_machine(project_folder(project, scope or "user"))
    root = paths.data_root(os.environ, machine.home)
    removal = uninstall(machine=machine, root=root, connector=CONNECTOR, scope=scope, force=force, dry=dry_run)
    if as_json:
        emit(removal_json(removal))
    else:
        show(removal, show_diff)
    return 1 if removal.failed else 0
