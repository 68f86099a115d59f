"""`pin`: use one version of agent-connector in a project folder."""

import os

import click

from agent_connector.cli import options
from agent_connector.cli.output import emit, say, short, table
from agent_connector.deploy import pin
from agent_connector.home import paths
from agent_connector.version import __version__


@click.command(
    "pin",
    epilog="""Examples:

\b
  agent-connector pin                this folder, to the version that runs now
  agent-connector pin 1.4.2 -p ~/code/shop
  agent-connector pin --list
  agent-connector pin --remove""",
)
@click.argument("version", required=False)
@click.option("-p", "--project", metavar="DIR", help="The project's folder. Default: this one.")
@click.option("--list", "listed", is_flag=True, help="Show every pin.")
@click.option("--remove", is_flag=True, help="Take the folder's pin away.")
@options.as_json
def command(version: str | None, project: str | None, listed: bool, remove: bool, as_json: bool) -> int:
    """In this project folder (and below), let hosts run that version of agent-connector.

    The pin is kept in our own home, never in the repository.
    """
    home = os.path.expanduser("~")
    root = paths.data_root(os.environ, home)
    folder = project or os.getcwd()
    if sum((listed, remove, version is not None)) > 1:
        raise click.UsageError("a VERSION, --list or --remove, one of them")
    if remove:
        gone = pin.unpin(root, folder)
        emit({"folder": os.path.realpath(folder), "removed": gone}) if as_json else say(
            f"{short(os.path.realpath(folder))} is not pinned any more" if gone else "it was not pinned"
        )
        return 0
    if not listed:
        made = pin.pin(root, home, folder, version or __version__)
        emit(_json(made)) if as_json else say(f"{short(made.folder)} is pinned to {made.version}")
        return 0
    pins = pin.pins(root)
    if as_json:
        emit({"pins": [_json(each) for each in pins]})
    elif not pins:
        say("no folder is pinned")
    else:
        rows = [
            (short(each.folder), each.version, "yes" if each.there else "no: the current one is used") for each in pins
        ]
        table(("folder", "version", "installed"), rows)
    return 0


def _json(made: pin.Pin) -> dict[str, object]:
    return {"folder": made.folder, "version": made.version, "installed": made.there}
