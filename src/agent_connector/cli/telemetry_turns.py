"""`telemetry turns`: count what hosts report of their model's turns, with the hooks of a ready connector."""

import os

import click

from agent_connector.cli import install as installs
from agent_connector.cli import options
from agent_connector.cli import uninstall as removals
from agent_connector.cli.output import emit, say
from agent_connector.deploy.detect import detect, this_machine
from agent_connector.deploy.install import install
from agent_connector.deploy.sources import Wanted, obtain
from agent_connector.deploy.uninstall import uninstall
from agent_connector.home import paths

READY = os.path.join(os.path.dirname(os.path.dirname(__file__)), "telemetry", "ready", "turns.py")
CONNECTOR = "host-turns"
HOSTS = ("gemini-cli", "cursor")


@click.command(
    "turns",
    epilog="""Examples:

\b
  agent-connector telemetry turns on
  agent-connector telemetry turns on -t gemini-cli
  agent-connector telemetry turns off""",
)
@click.argument("switch", type=click.Choice(["on", "off"]))
@options.targets("those of them that are here")
@options.as_json
def command(switch: str, targets: tuple[str, ...], as_json: bool) -> int:
    """Install, or take out, hooks that count the turns which a host reports itself: Gemini CLI and Cursor.

    A book of its own, shown by `agent-connector leaderboard` beside the two others and never added to them.
    """
    chosen = options.hosts(targets)
    unable = [host for host in chosen or () if host not in HOSTS]
    if unable:
        raise click.BadParameter(
            f"{unable[0]} reports no turns in its hooks; these do: {', '.join(HOSTS)}", param_hint="--targets"
        )
    machine = this_machine()
    root = paths.data_root(os.environ, machine.home)
    if switch == "off":
        removal = uninstall(machine=machine, root=root, connector=CONNECTOR, hosts=chosen)
        emit(removals.removal_json(removal)) if as_json else removals.show(removal)
        return 1 if removal.failed else 0
    here = chosen or tuple(found.host for found in detect(machine) if found.sure and found.host in HOSTS)
    if not here:
        say(f"none of the hosts that report their turns is here ({', '.join(HOSTS)}); --targets names one all the same")
        return 1
    outcome = install(obtain(Wanted(READY), root), machine=machine, root=root, hosts=here)
    emit(installs.outcome_json(outcome)) if as_json else installs.show(outcome)
    return 1 if outcome.failed else 0
