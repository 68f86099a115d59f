"""`init`: write a connector for the MCP server in a project."""

import os
import shutil

import click

from agent_connector.cli import options
from agent_connector.cli.output import emit, say, short, verbatim


@click.command(
    "init",
    epilog="""Examples:

\b
  agent-connector init
  agent-connector init path/to/project --dry-run""",
)
@click.argument("folder", default=".", type=click.Path(exists=True, file_okay=False))
@click.option("--id", "identity", metavar="NAME", help="The connector's id. Default: the server's own name.")
@options.force
@options.dry_run
@options.as_json
def command(folder: str, identity: str | None, force: bool, dry_run: bool, as_json: bool) -> None:
    """Write connector.py for a FastMCP or mcp server that stands in FOLDER (default: this one).

    The server is started with the dependencies of its project or script, by uv.
    """
    from agent_connector.deploy.init import init

    draft = init(folder, shutil.which, identity=identity, force=force, dry=dry_run)
    if as_json:
        others = [f"{one.path}:{one.attribute}" for one in draft.others]
        emit(
            {
                "path": draft.path,
                "id": draft.id,
                "text": draft.text,
                "how": draft.how,
                "others": others,
                "dry_run": dry_run,
            }
        )
        return
    if dry_run:
        verbatim(draft.text)
    say(f"{'would write' if dry_run else 'wrote'} {short(draft.path)}: the server starts {draft.how}")
    for one in draft.others:
        say(f"  another server: {os.path.relpath(one.path, folder)}:{one.attribute}")
    if not dry_run:
        say("Next: agent-connector install --dry-run, then agent-connector install")
