"""`byoa disconnect`: end a pairing."""

import click

from agent_connector.cli import byoa_parts, options


@click.command(
    "disconnect",
    epilog="""Examples:

\b
  agent-connector byoa disconnect workspaces --host gemini-cli
  agent-connector byoa disconnect https://workspaces.example --json""",
)
@click.argument("app")
@byoa_parts.host_option
@options.as_json
def command(app: str, host: str | None, as_json: bool) -> int:
    """End the pairing with APP (its id, name or address): the token is revoked, the files go.

    When the app cannot be reached the token stays, and the text says so: try again later.
    """
    from agent_connector.byoa.sessions import pairings

    files = byoa_parts.files()
    chosen = byoa_parts.chosen(host, lambda: pairings.hosts(files), "paired are apps of:")
    return byoa_parts.follow(
        lambda http, heard: pairings.disconnect(chosen, files, http, app, heard), as_json, {"host": chosen, "app": app}
    )
