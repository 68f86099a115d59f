"""`uninstall`: take a connector out of the hosts."""

import os
from typing import Any

import click

from agent_connector.cli import markets, options
from agent_connector.cli.output import emit, paint, say, verbatim
from agent_connector.cli.report import report_json, show_changes, summary
from agent_connector.deploy import diff, record
from agent_connector.deploy.bundles import market
from agent_connector.deploy.detect import this_machine
from agent_connector.deploy.install import project_folder
from agent_connector.deploy.uninstall import Removal, uninstall
from agent_connector.home import paths
from agent_connector.hosts.machine import Machine


@click.command(
    "uninstall",
    epilog="""Examples:

\b
  agent-connector uninstall -c acme-db            out of every host
  agent-connector uninstall -c acme-db -t codex   out of one
  agent-connector uninstall --purge               all of them, then our own home too
  agent-connector uninstall --scan -n             what would be found without our records""",
)
@options.connector_id
@options.targets("those that it is in")
@options.scope_installed
@options.project
@click.option("--purge", is_flag=True, help="When no connector is left: remove our own home, measurements included.")
@click.option(
    "--method",
    type=click.Choice(["auto", "files", "marketplace"]),
    default="auto",
    show_default=True,
    help="Undo what is there: files, what hosts' own commands did, or both.",
)
@click.option("--scan", is_flag=True, help="Find entries by our launcher and markers, without our records.")
@options.dry_run
@options.diff
@options.force
@options.as_json
def command(
    connector: str | None,
    targets: tuple[str, ...],
    scope: str | None,
    project: str | None,
    purge: bool,
    method: str,
    scan: bool,
    dry_run: bool,
    show_diff: bool,
    force: bool,
    as_json: bool,
) -> int:
    """Take a connector out of the hosts; every file comes back byte for byte when nobody else changed it."""
    machine = this_machine(project_folder(project, scope or "user"))
    root = paths.data_root(os.environ, machine.home)
    steps = [] if method == "files" else _by_commands(connector, options.hosts(targets), machine, root, dry_run)
    if method == "marketplace" or (steps and connector and record.load(root, connector) is None):
        return markets.show(steps, as_json)
    removal = uninstall(
        machine=machine,
        root=root,
        connector=connector,
        hosts=options.hosts(targets),
        scope=scope,
        purge=purge,
        scan=scan,
        force=force,
        dry=dry_run,
    )
    if as_json:
        emit({**removal_json(removal), "commands": [markets.step_json(step) for step in steps]})
    else:
        if steps:
            markets.show(steps, as_json)
        show(removal, show_diff, purge)
    return 1 if removal.failed or (any(step.outcome != "done" for step in steps) and not dry_run) else 0


def _by_commands(
    connector: str | None, hosts: tuple[str, ...] | None, machine: Machine, root: str, dry: bool
) -> list[market.Step]:
    """What hosts' own commands undo, of one connector or of all."""
    names = [connector] if connector else sorted(market.connectors(root))
    return [step for name in names for step in market.uninstall(name, hosts, machine, root, dry=dry)]


def show(removal: Removal, show_diff: bool = False, purge: bool = False) -> None:
    """A removal as a person reads it."""
    say(paint(", ".join(removal.connectors) or "no connector is installed", "bold"))
    show_changes(removal.report.changes)
    if show_diff:
        say()
        verbatim(diff.render(removal.report).rstrip("\n"))
    say(summary(removal.report, removal.dry))
    if removal.purged:
        say("our own home is removed")
    elif purge and not removal.dry:
        say("our own home is kept: " + ("something was left in place" if removal.failed else "other connectors use it"))


def removal_json(removal: Removal) -> dict[str, Any]:
    return {
        "connectors": list(removal.connectors),
        "gone": list(removal.gone),
        "purged": removal.purged,
        "dry_run": removal.dry,
        **report_json(removal.report),
    }
