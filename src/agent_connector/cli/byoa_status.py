"""`byoa status`: what is paired, host by host."""

import time
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from agent_connector.cli import byoa_parts, options
from agent_connector.cli.output import emit, paint, say

if TYPE_CHECKING:
    from agent_connector.byoa.sessions.pairings import HostFiles, PairedApp


@click.command(
    "status",
    epilog="""Examples:

\b
  agent-connector byoa status
  agent-connector byoa status --host gemini-cli --json""",
)
@byoa_parts.host_option
@options.as_json
def command(host: str | None, as_json: bool) -> int:
    """Which apps are paired with which host, what they may see, and what is wrong with the files.

    It reads files alone: what an open session does is told by `/byoa status` in that session. Exits 1 when a file is
    refused.
    """
    from agent_connector.byoa.sessions import inert, pairings

    files = byoa_parts.files()
    hosts = (options.host(host, "--host"),) if host is not None else pairings.hosts(files)
    found = [pairings.look(files, each) for each in hosts]
    proven = inert.proven()
    if as_json:
        emit({"hosts": [asdict(each) for each in found], "proven": list(proven)})
    elif not found:
        say("no app is paired: agent-connector byoa connect ADDRESS --host ID")
    else:
        for each in found:
            _show(each)
    if not as_json:
        say(f"`byoa run` takes turns of apps in {', '.join(proven)}: there their text was proven to stay inert")
    return 1 if any(each.problems for each in found) else 0


def _show(found: "HostFiles") -> None:
    say(paint(found.host, "bold"))
    if not found.apps:
        say("  no app is paired")
    for app in found.apps:
        say(f"  {_line(app)}")
    for problem in (*found.problems, *filter(None, [found.note])):
        say("  " + paint("!", "bad") + f" {problem}")


def _line(app: "PairedApp") -> str:
    parts = [f"{app.name} ({app.origin}) as {app.account}"]
    parts.append("sees " + (", ".join(app.shares) or "nothing of the workspace"))
    if app.tools is not None and app.cached is not None:
        parts.append(f"{app.tools} tools, last read {time.strftime('%Y-%m-%d %H:%M', time.localtime(app.cached))}")
    if app.newcomer:
        parts.append("another address had this id first")
    if app.problem:
        parts.append(app.problem)
    return "; ".join(parts)
