"""`package`: a connector in the hosts' own package formats."""

import os
from typing import Any

import click

from agent_connector.cli import options
from agent_connector.cli.output import emit, say, short
from agent_connector.home import paths


@click.command(
    "package",
    epilog="""Examples:

\b
  agent-connector package --format claude-plugin
  agent-connector package --format goose
  agent-connector package --format all --output dist
  agent-connector package --format mcp-server-json --name io.github.acme/acme-db
  agent-connector package --format mcpb""",
)
@options.connector
@click.option(
    "--format",
    "form",
    required=True,
    metavar="FORMAT",
    help="One of those above, the id of a host that has one, or `all`.",
)
@click.option("-o", "--output", default="dist", show_default=True, metavar="DIR", help="Where it is written.")
@click.option("--name", default="", metavar="NAME", help="The name in the MCP registry: io.github.YOU/SERVER.")
@options.force
@options.as_json
def command(connector: str | None, form: str, output: str, name: str, force: bool, as_json: bool) -> None:
    """Write the connector as a bundle that can be published.

    agy-plugin, claude-plugin, codex-plugin, cursor-plugin, factory-plugin, gemini-extension, kimi-plugin, npm-plugin,
    open-plugin and qwen-extension are folders with a manifest, content, and hooks that carry what they need. By name alone:
    mcp-server-json (server.json for the MCP registry) and mcpb (for Claude Desktop), both checked against their
    published schemas.
    """
    from agent_connector.deploy.bundles.build import format_of
    from agent_connector.deploy.bundles.package import NAMED, formats, package
    from agent_connector.deploy.sources import Wanted, obtain

    form = format_of(form)
    if form != "all" and form not in formats():
        raise click.BadParameter(f"{form!r} is none of: all, {', '.join(formats())}", param_hint="--format")
    root = paths.data_root(os.environ, os.path.expanduser("~"))
    loaded = obtain(Wanted(connector), root, dry=True)
    done = package(loaded, form, output, name=name, force=force)
    if as_json:
        emit([_json(one) for one in done])
        return
    for one in done:
        count = "1 file" if len(one.files) == 1 else f"{len(one.files)} files"
        say(f"{one.format}: {short(one.path)} ({count})" if one.path else f"{one.format}: left out")
        for note in one.notes:
            say(f"  note: {note}")
    if form == "all":
        say(f"by name alone: {', '.join(f'--format {each}' for each in NAMED)}")


def _json(one: Any) -> dict[str, Any]:
    return {"format": one.format, "path": one.path, "files": list(one.files), "notes": list(one.notes)}
