"""`explain`: what a connector becomes in each host."""

import os
from collections.abc import Sequence
from dataclasses import asdict

import click

from agent_connector.cli import options
from agent_connector.cli.output import columns, emit, paint, say, table
from agent_connector.deploy.detect import this_machine
from agent_connector.deploy.explain import Explained, explain
from agent_connector.deploy.install import project_folder
from agent_connector.deploy.sources import Wanted, obtain_any
from agent_connector.home import paths
from agent_connector.hosts import query

STYLES = {
    "native": "green",
    "refused": "bold red",
    "skip-warn": "yellow",
    "disabled": "dim",
    "off": "dim",
    "unused": "dim",
}


@click.command(
    "explain",
    epilog="""Examples:

\b
  agent-connector explain                     the declaration in this folder
  agent-connector explain -c acme-db          an installed one
  agent-connector explain --why -t codex      one host, with reasons, events and decisions""",
)
@options.named
@options.targets("every host")
@options.scope
@options.project
@click.option("--why", is_flag=True, help="Say how, how sure that is, and what each decision comes to.")
@options.as_json
def command(
    wanted: Wanted,
    targets: tuple[str, ...],
    scope: str | None,
    project: str | None,
    why: bool,
    as_json: bool,
) -> int:
    """What a connector becomes, host by host and surface by surface. No host's file is written."""
    where = scope or ("project" if project else "user")
    machine = this_machine(project_folder(project, where))
    root = paths.data_root(os.environ, machine.home)
    model = obtain_any(wanted, root).model
    every = query.hosts()
    named = options.hosts(targets) or every
    chosen = tuple(host for host in named if model.targets is None or host in model.targets)
    later = tuple(host for host in model.targets or () if host not in every)
    rows = explain(model, chosen, where, machine, paths.launcher_path(machine.home, machine.platform))
    if as_json:
        emit({"connector": model.id, "scope": where, "hosts": [asdict(row) for row in rows], "not_described": later})
        return 0
    say(paint(f"{model.id} {model.version}", "bold") + f", {where} scope")
    if rows:
        _matrix(rows)
        (_reasons if why else _lacks)(rows)
    elif not later:
        say(f"it is meant for {', '.join(model.targets or ())}, and for none of {', '.join(named)}")
    if later:
        say(f"note: {', '.join(later)}: named among its targets and not described yet, so nothing is written there")
    return 0


def _matrix(rows: Sequence[Explained]) -> None:
    surfaces = list(dict.fromkeys(surface for row in rows for surface in row.cells))
    table(("host", *surfaces), [(row.host, *(row.cells[s].support for s in surfaces)) for row in rows], STYLES)


def _lacks(rows: Sequence[Explained]) -> None:
    """One line for each cell that is not native."""
    told = [
        (row.host, surface, cell.how)
        for row in rows
        for surface, cell in row.cells.items()
        if cell.support not in ("native", "unused")
    ]
    if told:
        say()
        columns(told)


def _reasons(rows: Sequence[Explained]) -> None:
    for row in rows:
        say()
        say(paint(row.name, "bold"))
        columns((surface, cell.support, cell.sure, cell.how) for surface, cell in row.cells.items())
        for event in row.events:
            say(f"  {event.event}: " + (f"the host's {event.host_event}" if event.host_event else "no such event here"))
            if event.host_event:
                columns(
                    ((kind, honour.verdict, honour.sure, honour.why) for kind, honour in event.decisions.items()),
                    indent="    ",
                )
        for step in row.steps:
            say(f"  to be done by you: {step}")
