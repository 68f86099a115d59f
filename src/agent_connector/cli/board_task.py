"""`board task`: tasks, from a script."""

import sys
from typing import TYPE_CHECKING

import click

from agent_connector.cli import board_parts, options
from agent_connector.cli.output import emit, say, table

if TYPE_CHECKING:
    from agent_connector.board.values import Task


@click.group(
    "task",
    epilog="""Examples:

\b
  agent-connector board task add "Mend the gate" --description "The hinge is loose."
  agent-connector board task list --status todo --json
  agent-connector board task move k3m9x2pqw8rt5vzn todo""",
)
def command() -> None:
    """Tasks of the board, as a person at its page has them."""


@command.command("add")
@click.argument("title")
@click.option("--description", "-d", default="", metavar="TEXT", help="What is to be done; - reads stdin.")
@click.option("--board", default="main", show_default=True, metavar="NAME")
@click.option("--status", default="todo", show_default=True, metavar="NAME")
@click.option("--role", metavar="NAME", help="The role that does it.")
@click.option("--priority", type=int, default=0, show_default=True)
@board_parts.by
@board_parts.database
@options.as_json
def add(
    title: str,
    description: str,
    board: str,
    status: str,
    role: str | None,
    priority: int,
    by: str | None,
    db: str | None,
    as_json: bool,
) -> None:
    """Add a task."""
    if description == "-":
        description = sys.stdin.read()
    with board_parts.opened(db) as store:
        from agent_connector.board import tasks

        task = store.write(
            tasks.add,
            title=title,
            description=description,
            board=board,
            status=status,
            role=role,
            priority=priority,
            by=board_parts.author(store, by),
        )
    _told(task, as_json)


@command.command("list")
@click.option("--board", metavar="NAME", help="Only of this board.")
@click.option("--status", multiple=True, metavar="NAME", help="Only in this status. Again for more.")
@click.option("--limit", type=click.IntRange(1, 200), default=50, show_default=True)
@board_parts.database
@options.as_json
def listed(board: str | None, status: tuple[str, ...], limit: int, db: str | None, as_json: bool) -> None:
    """Tasks, the one that changed longest ago first."""
    with board_parts.opened(db) as store:
        from agent_connector.board import tasks

        found, _ = store.read(tasks.page, board=board, status=status, limit=limit)
    if as_json:
        emit([task.wire() for task in found])
    else:
        table(("task", "status", "board", "title"), [(t.id, t.status, t.board, t.title) for t in found])


@command.command("show")
@click.argument("id")
@board_parts.database
@options.as_json
def show(id: str, db: str | None, as_json: bool) -> None:
    """A task with its comments and runs."""
    with board_parts.opened(db) as store:
        from agent_connector.board import readers

        view = store.read(readers.task, id)
    if as_json:
        emit({"task": view.task.wire(comments=True), "runs": [run.wire() for run in view.runs], "cost": view.cost})
        return
    task = view.task
    say(f"{task.title}\n  {task.id}, {task.status} on {task.board}" + (f", role {task.role}" if task.role else ""))
    say(task.description)
    for run in view.runs:
        say(f"run {run.id}: {run.status}" + (f", ${run.cost:.2f}" if run.cost is not None else ""))
    for comment in task.comments:
        say(f"{comment.author}, {comment.created_at[:16]}:\n  {comment.body}")


@command.command("move")
@click.argument("id")
@click.argument("status")
@board_parts.by
@board_parts.database
@options.as_json
def move(id: str, status: str, by: str | None, db: str | None, as_json: bool) -> None:
    """Put a task into another status."""
    with board_parts.opened(db) as store:
        from agent_connector.board import tasks

        task = store.write(tasks.set_status, id, status, by=board_parts.author(store, by))
    _told(task, as_json)


@command.command("comment")
@click.argument("id")
@click.argument("body")
@board_parts.by
@board_parts.database
@options.as_json
def comment(id: str, body: str, by: str | None, db: str | None, as_json: bool) -> None:
    """Say something on a task: an answer, when its worker asked."""
    with board_parts.opened(db) as store:
        from agent_connector.board import tasks

        made = store.write(tasks.comment, id, body, by=board_parts.author(store, by))
    if as_json:
        emit(made.wire())
    else:
        say(f"{made.author} said so.")


def _told(task: "Task", as_json: bool) -> None:
    if as_json:
        emit(task.wire())
    else:
        say(f"{task.id} is in {task.status}: {task.title}")
