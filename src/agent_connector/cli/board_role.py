"""`board role`: how tasks are to be done."""

from typing import TextIO

import click

from agent_connector.cli import board_parts, options
from agent_connector.cli.output import emit, say, table


@click.group(
    "role",
    epilog="""Examples:

\b
  agent-connector board role set mender --provider anthropic --model claude-sonnet-5 --fallback claude-haiku-5
  agent-connector board role set reviewer --provider codex --instructions review.md
  agent-connector board role list --json""",
)
def command() -> None:
    """Roles say which agent does a task, and how. A task names one; each change is a new version."""


@command.command("set")
@click.argument("name")
@click.option("--provider", metavar="NAME", help="Whose agent: anthropic, codex, gemini-cli ...")
@click.option("--model", metavar="NAME", help="Which of its models.")
@click.option("--fallback", "fallbacks", multiple=True, metavar="NAME", help="The model after that. Again for more.")
@click.option("--tier", metavar="NAME", help="What the model must be able to do.")
@click.option("--instructions", type=click.File(encoding="utf-8"), help="A file of words to the agent; - is stdin.")
@board_parts.by
@board_parts.database
@options.as_json
def define(
    name: str,
    provider: str | None,
    model: str | None,
    fallbacks: tuple[str, ...],
    tier: str | None,
    instructions: TextIO | None,
    by: str | None,
    db: str | None,
    as_json: bool,
) -> None:
    """Make a role, or its next version: what is not given is empty."""
    with board_parts.opened(db) as store:
        from agent_connector.board import served
        from agent_connector.board.values import Role

        role = Role("", name, 0, provider, model, fallbacks, tier, instructions.read() if instructions else None)
        made = store.write(served.set_role, role, by=board_parts.author(store, by))
    if as_json:
        emit(made.wire())
    else:
        say(f"{made.name} is of version {made.version} now.")


@command.command("list")
@board_parts.database
@options.as_json
def listed(db: str | None, as_json: bool) -> None:
    """The roles that workers see."""
    with board_parts.opened(db) as store:
        from agent_connector.board import served

        found = store.read(served.served_roles)
    if as_json:
        emit([role.wire() for role in found])
    else:
        rows = [
            (r.name, str(r.version), r.provider or "", ", ".join((r.model or "", *r.fallback_models))) for r in found
        ]
        table(("role", "version", "provider", "models"), rows)


@command.command("retire")
@click.argument("name")
@board_parts.by
@board_parts.database
@options.as_json
def retire(name: str, by: str | None, db: str | None, as_json: bool) -> None:
    """No worker sees it any more."""
    with board_parts.opened(db) as store:
        from agent_connector.board import served

        store.write(served.retire_role, name, by=board_parts.author(store, by))
    if as_json:
        emit({"retired": name})
    else:
        say(f"{name} is retired.")
