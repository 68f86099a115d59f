"""`board bundle`: folders of files that workers get."""

import click

from agent_connector.cli import board_parts, options
from agent_connector.cli.output import emit, say, table


@click.group(
    "bundle",
    epilog="""Examples:

\b
  agent-connector board bundle push ./agents
  agent-connector board bundle push ./agents --name garden --json""",
)
def command() -> None:
    """Folders of files that the board gives to its workers: instructions, skills, settings. Each push is a version."""


@command.command("push")
@click.argument("folder")
@click.option("--name", default="default", show_default=True, help="What workers ask for.")
@board_parts.by
@board_parts.database
@options.as_json
def push(folder: str, name: str, by: str | None, db: str | None, as_json: bool) -> None:
    """Serve the text files of FOLDER from now on."""
    with board_parts.opened(db) as store:
        from agent_connector.board import folder as folders
        from agent_connector.board import served

        bundle = store.write(served.push_bundle, name, folders.read(folder), by=board_parts.author(store, by))
    if as_json:
        emit({"name": bundle.name, "version": bundle.version, "files": [file.path for file in bundle.files]})
    else:
        say(f"Workers get version {bundle.version} of {bundle.name}: {len(bundle.files)} files.")


@command.command("list")
@board_parts.database
@options.as_json
def listed(db: str | None, as_json: bool) -> None:
    """Every version of every bundle, the newest first."""
    with board_parts.opened(db) as store:
        from agent_connector.board import served

        found = store.read(served.bundle_versions)
    if as_json:
        emit([{"name": v.name, "version": v.version, "createdAt": v.created_at, "files": v.files} for v in found])
    else:
        rows = [(v.name, str(v.version), str(v.files), v.created_by, v.created_at[:16]) for v in found]
        table(("bundle", "version", "files", "by", "at"), rows)
