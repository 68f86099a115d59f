"""`doctor`: look at everything that could be wrong."""

import os
from dataclasses import asdict

import click

from agent_connector.cli import options
from agent_connector.cli.output import columns, emit, paint, say
from agent_connector.cli.status import show_details
from agent_connector.deploy.detect import this_machine
from agent_connector.deploy.doctor import Diagnosis, diagnose
from agent_connector.deploy.probe import Probed
from agent_connector.home import paths


@click.command(
    "doctor",
    epilog="""Examples:

\b
  agent-connector doctor
  agent-connector doctor --probe     also start each server and ask for its tools""",
)
@options.connector_id
@click.option("--probe", "live", is_flag=True, help="Start each server and ask it: discover, ping, list of tools.")
@options.as_json
def command(connector: str | None, live: bool, as_json: bool) -> int:
    """Look at our home, every connector's code, every entry in the hosts' files, and what failed in hooks.

    Nothing is mended unasked. Exits 1 when something is wrong.
    """
    machine = this_machine()
    root = paths.data_root(os.environ, machine.home)
    diagnosis = diagnose(machine, root, connectors=None if connector is None else [connector], live=live)
    if as_json:
        _emit(diagnosis)
    else:
        _show(diagnosis)
    return 1 if diagnosis.failed else 0


def _show(diagnosis: Diagnosis) -> None:
    for line in diagnosis.lines:
        style = "dim" if line.level == "note" else line.level
        say(f"{paint(line.level.ljust(4), style)}  {line.about}: {line.text}", hang=6)
        if line.remedy and line.level != "ok":
            say(f"      {line.remedy}", hang=6)
    if every := len(diagnosis.findings):
        fine = sum(finding.word == "ok" for finding in diagnosis.findings)
        level = "ok" if fine == every else "bad"
        say(f"{paint(level.ljust(4), level)}  {fine} of {every} entries in the hosts' files are as they should be")
    show_details(diagnosis.findings)
    for probed in diagnosis.probes:
        say(_probed(probed), hang=6)
    if diagnosis.steps:
        say("If not done yet:")
        columns(diagnosis.steps)


def _probed(probed: Probed) -> str:
    if probed.error:
        return f"{paint('bad ', 'bad')}  {probed.connector} server: {probed.error}"
    ping = f", ping {probed.ping_ms:.0f} ms" if probed.ping_ms is not None else ""
    who = f"{probed.server} {probed.version}".strip() or "it"
    tools = ", ".join(probed.tools) or "none"
    return f"{paint('ok  ', 'ok')}  {probed.connector} server: {who} speaks {probed.protocol}{ping}; tools: {tools}"


def _emit(diagnosis: Diagnosis) -> None:
    emit(
        {
            "lines": [asdict(line) for line in diagnosis.lines],
            "findings": [asdict(finding) for finding in diagnosis.findings],
            "steps": [list(step) for step in diagnosis.steps],
            "probes": [asdict(probed) for probed in diagnosis.probes],
            "failed": diagnosis.failed,
        }
    )
