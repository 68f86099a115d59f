"""`byoa claude install`: put the pairer into Claude Code, as any connector is."""

import os

import click

from agent_connector.byoa.sessions.claude_install import HOST, loaded
from agent_connector.cli import options
from agent_connector.cli.install import outcome_json, show
from agent_connector.cli.output import emit, say
from agent_connector.deploy.detect import this_machine
from agent_connector.deploy.install import install, project_folder
from agent_connector.home import paths

NEXT = "next: start Claude Code and type  /byoa connect ADDRESS"


@click.command(
    "install",
    epilog="""Examples:

\b
  agent-connector byoa claude install
  agent-connector byoa claude install -n --diff     only show what would change
  agent-connector byoa claude install --project .   for the sessions of this folder""",
)
@options.project
@options.dry_run
@options.diff
@options.force
@options.as_json
def command(project: str | None, dry_run: bool, show_diff: bool, force: bool, as_json: bool) -> int:
    """Register the pairer with Claude Code: a server, hooks and the command `/byoa`.

    `agent-connector byoa claude remove` brings every file back byte for byte.
    """
    scope = "project" if project else "user"
    machine = this_machine(project_folder(project, scope))
    root = paths.data_root(os.environ, machine.home)
    outcome = install(
        loaded(root, dry=dry_run), machine=machine, root=root, hosts=[HOST], scope=scope, force=force, dry=dry_run
    )
    if as_json:
        emit(outcome_json(outcome))
        return 1 if outcome.failed else 0
    show(outcome, show_diff)
    if not outcome.failed and not dry_run:
        say(NEXT)
    return 1 if outcome.failed else 0
