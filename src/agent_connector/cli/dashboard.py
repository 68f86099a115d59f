"""`dashboard`: what everything cost, as a page on this machine."""

import os
import sys
import webbrowser

import click

from agent_connector.cli import options
from agent_connector.cli.output import emit, say
from agent_connector.home import paths


@click.command(
    "dashboard",
    epilog="""Examples:

\b
  agent-connector dashboard
  agent-connector dashboard --port 8765 --no-open""",
)
@click.option("--port", type=click.IntRange(0, 65535), default=0, metavar="N", help="Default: one that is free.")
@click.option("--open/--no-open", "show", default=None, help="Open it in the browser. Default: in a terminal, yes.")
@click.option("--scan/--no-scan", "read", default=True, help="Read the hosts' logs while it runs. Default: yes.")
@options.as_json
def command(port: int, show: bool | None, read: bool, as_json: bool) -> None:
    """What each tool, server, host, model, project and day cost, and how the hosts' files are; until Ctrl-C.

    The page answers on loopback alone, and only to the browser that opens the address printed here. It changes nothing.
    """
    from agent_connector.dashboard import serve

    def ready(address: str) -> None:
        if as_json:
            emit({"url": address})
        else:
            say(f"The dashboard is at {address}\nCtrl-C ends it.")
        sys.stdout.flush()
        if show or (show is None and sys.stdout.isatty()):
            webbrowser.open(address)

    serve.run(paths.data_root(os.environ, os.path.expanduser("~")), port, ready, read)
