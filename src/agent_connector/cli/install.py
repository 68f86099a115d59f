"""`install`: put a connector into the hosts."""

import os
from typing import TYPE_CHECKING, Any

import click

from agent_connector.cli import markets, options
from agent_connector.cli.output import emit, paint, say, verbatim
from agent_connector.cli.report import remark_json, report_json, show_changes, show_steps, summary
from agent_connector.deploy import diff
from agent_connector.deploy.bundles import market
from agent_connector.deploy.detect import detect, this_machine
from agent_connector.deploy.install import Outcome, install, project_folder
from agent_connector.deploy.programs import lasting
from agent_connector.deploy.sources import Wanted, obtain
from agent_connector.deploy.surfaces import Options
from agent_connector.home import paths
from agent_connector.hosts import query

if TYPE_CHECKING:
    from agent_connector.connector.load import Loaded
    from agent_connector.hosts.machine import Machine


@click.command(
    "install",
    epilog="""Examples:

\b
  agent-connector install                                  the declaration in this folder, into every host found
  agent-connector install -c acme/connector.py -n --diff   only show what would change
  agent-connector install --targets claude-code,codex --scope project
  agent-connector install server.py                        a FastMCP or mcp server, with its project's dependencies
  agent-connector install --name everything -- npx -y @modelcontextprotocol/server-everything
  agent-connector install --name acme --url https://mcp.acme.com/mcp --bearer ACME_TOKEN""",
)
@options.named
@options.targets("those found")
@options.scope
@options.project
@click.option("--trust", is_flag=True, help="Give trust in the hosts' own files too (hooks, tools run unasked).")
@click.option("--measure-remote", is_flag=True, help="Register a remote server through a bridge that measures it.")
@click.option(
    "--method",
    type=click.Choice(["files", "marketplace"]),
    default="files",
    show_default=True,
    help="Write the hosts' files, or run the hosts' own commands on a bundle.",
)
@options.dry_run
@options.diff
@options.force
@options.as_json
def command(
    wanted: Wanted,
    targets: tuple[str, ...],
    scope: str | None,
    project: str | None,
    trust: bool,
    measure_remote: bool,
    method: str,
    dry_run: bool,
    show_diff: bool,
    force: bool,
    as_json: bool,
) -> int:
    """Put a connector into the hosts that are here, or into those that --targets names, now or when it was installed.

    Each file changes only where it has to; `uninstall` brings every one back byte for byte.
    """
    where = scope or ("project" if project else "user")
    machine = this_machine(project_folder(project, where))
    root = paths.data_root(os.environ, machine.home)
    loaded = lasting(obtain(wanted, root, dry=dry_run), machine)
    chosen = options.hosts(targets)
    if method == "marketplace":
        here = chosen or tuple(found.host for found in detect(machine) if found.sure and found.host in market.able())
        return markets.show(market.install(loaded, here, machine, root, dry=dry_run), as_json)
    market.refuse_both(root, loaded.model.id, chosen or query.hosts())
    outcome = install(
        loaded,
        machine=machine,
        root=root,
        hosts=chosen,
        scope=where,
        options=Options(measure_remote, trust),
        force=force,
        dry=dry_run,
    )
    if as_json:
        emit(outcome_json(outcome))
    else:
        show(outcome, show_diff)
        if chosen is None and (others := _others(loaded, outcome, machine)):
            say(f"also here, and not named when it was installed: {', '.join(others)} (--targets NAME adds one)")
        if wanted.python:
            say(f"the server starts {wanted.python.how}")
        if wanted.python and not wanted.name:
            kept = loaded.model.id != wanted.python.name
            whose = "as it was installed before" if kept else wanted.python.whose
            say(f"its id is {loaded.model.id}, {whose} (--id NAME gives it another)")
    return 1 if outcome.failed else 0


def _others(loaded: "Loaded", outcome: Outcome, machine: "Machine") -> list[str]:
    """Hosts that are here and would have been chosen, had nobody named others before."""
    allowed = loaded.model.targets
    here = [found.host for found in detect(machine) if found.sure]
    return [host for host in here if host not in outcome.hosts and (allowed is None or host in allowed)]


def show(outcome: Outcome, show_diff: bool = False) -> None:
    """An install as a person reads it."""
    say(paint(f"{outcome.connector} {outcome.version}", "bold") + f", {outcome.scope} scope")
    show_changes(outcome.report.changes, outcome.remarks)
    if show_diff:
        say()
        verbatim(diff.render(outcome.report).rstrip("\n"))
    for warning in outcome.warnings:
        say(f"note: {warning}")
    show_steps(outcome.remarks)
    say()
    say(summary(outcome.report, outcome.dry))


def outcome_json(outcome: Outcome) -> dict[str, Any]:
    return {
        "connector": outcome.connector,
        "version": outcome.version,
        "scope": outcome.scope,
        "hosts": list(outcome.hosts),
        "dry_run": outcome.dry,
        **report_json(outcome.report),
        "remarks": [remark_json(remark) for remark in outcome.remarks],
        "warnings": list(outcome.warnings),
    }
