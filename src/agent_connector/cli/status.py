"""`status`: how the hosts' files compare with what belongs there."""

import os
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import click

from agent_connector.cli import options
from agent_connector.cli.output import columns, emit, grouped, paint, say, short, verbatim
from agent_connector.deploy import record
from agent_connector.deploy.detect import this_machine
from agent_connector.deploy.health import WORDS, Checked, Finding, check_all
from agent_connector.deploy.launcher import problems
from agent_connector.home import paths
from agent_connector.hosts import query

_FEW = 12  # steps that are told; more are counted
_MANY = 3  # entries that are wrong for one reason and still told one by one


@click.command(
    "status",
    epilog="""Examples:

\b
  agent-connector status
  agent-connector status -c acme-db --json""",
)
@options.connector_id
@options.show_all
@options.as_json
def command(connector: str | None, show_all: bool, as_json: bool) -> int:
    """How the hosts' files compare with what belongs there: ok, missing, drifted, stale, foreign or duplicate.

    Hosts that are alike share a line. Always exits 0; `doctor` looks closer and exits 1 when something is wrong.
    """
    machine = this_machine()
    root = paths.data_root(os.environ, machine.home)
    known = record.connectors(root)
    chosen = known if connector is None else tuple(each for each in known if each == connector)
    results = list(check_all(root, machine, chosen))
    broken = problems(machine.home, root, platform=machine.platform) if known else ()
    if as_json:
        emit({"connectors": [_json(result) for result in results], "home": list(broken)})
        return 0
    if not results:
        say("no connector is installed" if connector is None else f"{connector} is not installed")
    for result in results:
        _show(result, show_all)
    for line in broken:
        say(paint("bad", "bad") + f"  {line} (agent-connector upgrade mends it)")
    return 0


def _show(result: Checked, show_all: bool) -> None:
    """A page at most, however many hosts there are; or every host in lines of its own."""
    say(paint(result.connector, "bold") + (f": {result.error}" if result.error else ""))
    rows = _rows(result.findings)
    alike = grouped(((where, said), host) for host, where, said in rows)
    columns(rows if show_all else ((where, said, ", ".join(hosts)) for (where, said), hosts in alike.items()))
    show_details(result.findings, each=show_all)
    if show_all or len(result.steps) <= _FEW:
        if result.steps:
            say("  if not done yet:")
            columns(result.steps, indent="    ")
    else:
        hosts = len({host for host, *_ in result.steps})
        say(f"  if not done yet: {len(result.steps)} steps in {hosts} hosts (--all tells them)")


def _json(result: Checked) -> dict[str, Any]:
    return {
        "connector": result.connector,
        "error": result.error,
        "findings": [asdict(finding) for finding in result.findings],
        "steps": [list(step) for step in result.steps],
    }


def _rows(findings: Sequence[Finding]) -> list[tuple[str, str, str]]:
    """One line per host and scope: each surface with its word, the worst when it has several nodes."""
    places = dict.fromkeys((finding.host, finding.scope, finding.project) for finding in findings)
    rows: list[tuple[str, str, str]] = []
    for host, scope, project in places:
        here = [f for f in findings if (f.host, f.scope, f.project) == (host, scope, project)]
        words = {
            surface: _worst([f.word for f in here if f.surface == surface])
            for surface in query.SURFACES
            if any(f.surface == surface for f in here)
        }
        said = "  ".join(f"{surface} {paint(word, 'ok' if word == 'ok' else 'bad')}" for surface, word in words.items())
        rows.append((host, f"{scope} {short(project)}" if project else scope, said))
    return rows


def _worst(words: Sequence[str]) -> str:
    return max(words, key=WORDS.index)


def show_details(findings: Sequence[Finding], *, each: bool = True) -> None:
    """Why a node is not ok, and what to do; where many are not for one reason, `each` or together."""
    wrong = [finding for finding in findings if finding.word != "ok"]
    for (word, note, remedy), group in grouped(((f.word, f.note, f.remedy), f) for f in wrong).items():
        why = f": {note}" if note else ""
        if each or len(group) <= _MANY:
            spots = dict.fromkeys(f"{finding.host} {finding.surface} in {short(finding.file)}" for finding in group)
        else:
            spots = [f"{len(group)} entries in {', '.join(dict.fromkeys(finding.host for finding in group))}"]
        for spot in spots:
            say(f"    {paint(word, 'bad')}  {spot}{why}", hang=6)
            if remedy:
                verbatim("      " + remedy.replace("\n", "\n      "))
