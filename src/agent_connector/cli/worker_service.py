"""`worker service`: print a service file."""

import getpass
import os
import shutil
import sys

import click

from agent_connector.cli import options, worker_parts
from agent_connector.cli.output import emit, verbatim
from agent_connector.home import paths
from agent_connector.home.system import person_home


@click.command(
    "service",
    epilog="""Examples:

\b
  agent-connector worker service > ~/.config/systemd/user/agent-connector-worker.service
  agent-connector worker service --kind launchd
  agent-connector worker service --kind windows > worker.xml""",
)
@click.option("--kind", type=click.Choice(["systemd", "launchd", "windows"]), help="Default: this system's.")
@worker_parts.config_file
@options.as_json
def command(kind: str | None, config: str | None, as_json: bool) -> None:
    """Print a service file that keeps the worker running; how it is put in place stands at its top. Nothing is installed.

    It holds no key. For systemd, keys of models go into the file `environment` beside connector.yml.
    """
    from agent_connector.worker import service

    path = worker_parts.config_path(config)
    words = (*_program(), "worker", "run", *(("--config", path) if config else ()))
    beside = os.path.dirname(path)
    meant = kind or service.default_kind(sys.platform)
    text = service.text(
        meant,
        words,
        os.environ,
        keys=os.path.join(beside, "environment"),
        logs=os.path.join(beside, "worker.log"),
        user=getpass.getuser(),
    )
    if as_json:
        emit({"kind": meant, "text": text})
    else:
        verbatim(text.rstrip("\n"))


def _program() -> tuple[str, ...]:
    """The launcher, which an upgrade does not move; without one, what runs now."""
    launcher = paths.launcher_path(person_home())
    if os.path.isfile(launcher):
        return (launcher,)
    found = shutil.which("agent-connector")
    return (os.path.abspath(found),) if found else (sys.executable, "-P", "-m", "agent_connector")
