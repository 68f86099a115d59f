"""`byoa connect`: pair an app with the sessions of a host."""

import click

from agent_connector.cli import byoa_parts, options


@click.command(
    "connect",
    epilog="""Examples:

\b
  agent-connector byoa connect workspaces.example --host gemini-cli
  agent-connector byoa connect 127.0.0.1:4100 --host opencode --json""",
)
@click.argument("address")
@byoa_parts.host_option
@options.as_json
def command(address: str, host: str | None, as_json: bool) -> int:
    """Pair the app at ADDRESS: shows its address, a link and a code, and waits until you have decided on its page.

    Sessions of the host that are open, or are opened later, find the pairing by themselves.
    """
    from agent_connector.byoa.sessions import pairings

    files = byoa_parts.files()
    chosen = byoa_parts.chosen(host, lambda: pairings.hosts(files), "paired so far:")
    facts = {"host": chosen, "address": address}
    return byoa_parts.follow(lambda http, heard: pairings.connect(chosen, files, http, address, heard), as_json, facts)
