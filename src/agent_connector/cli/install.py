"""`install`: put a connector into the hosts."""

import os
from typing import Any

import click

from agent_connector.cli import options
from agent_connector.cli.output import emit, paint, say, verbatim
from agent_connector.cli.report import remark_json, report_json, show_changes, show_steps, summary
from agent_connector.deploy import diff
from agent_connector.deploy.detect import this_machine
from agent_connector.deploy.install import Outcome, install, project_folder
from agent_connector.deploy.sources import Wanted, obtain
from agent_connector.deploy.surfaces import Options
from agent_connector.home import paths


@click.command(
    "install",
    epilog="""Examples:

\b
  agent-connector install                                  the declaration in this folder, into every host found
  agent-connector install -c acme/connector.py -n --diff   only show what would change
  agent-connector install --targets claude-code,codex --scope project
  agent-connector install --name everything -- npx -y @modelcontextprotocol/server-everything
  agent-connector install --name acme --url https://mcp.acme.com/mcp --bearer ACME_TOKEN""",
)
@options.named
@options.targets("those found")
@options.scope
@options.project
@click.option("--trust", is_flag=True, help="Give trust in the hosts' own files too (hooks, tools run unasked).")
@click.option("--measure-remote", is_flag=True, help="Register a remote server through a bridge that measures it.")
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
    dry_run: bool,
    show_diff: bool,
    force: bool,
    as_json: bool,
) -> int:
    """Put a connector into the hosts that are here, or into those that --targets names.

    Each file changes only where it has to; `uninstall` brings every one back byte for byte.
    """
    where = scope or ("project" if project else "user")
    machine = this_machine(project_folder(project, where))
    root = paths.data_root(os.environ, machine.home)
    outcome = install(
        obtain(wanted, root, dry=dry_run),
        machine=machine,
        root=root,
        hosts=options.hosts(targets),
        scope=where,
        options=Options(measure_remote, trust),
        force=force,
        dry=dry_run,
    )
    if as_json:
        emit(outcome_json(outcome))
    else:
        show(outcome, show_diff)
    return 1 if outcome.failed else 0


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
