"""`board`: a task board that workers draw from; each verb is a module of its own."""

import click

from agent_connector.cli.lazy import LazyGroup

VERBS = {
    "serve": "Run the board: its page, and what workers call.",
    "migrate": "Bring its database to the tables of this version.",
    "copy": "Take all of it into another database, such as PostgreSQL.",
    "user": "Who may log in: add, list, remove, password.",
    "key": "Keys for workers: new, list, revoke.",
    "bundle": "Folders of files that workers get: push, list.",
    "role": "How tasks are to be done: set, list, retire.",
    "task": "Tasks, from a script: add, list, show, move, comment.",
}


@click.group(
    "board",
    cls=LazyGroup,
    table=VERBS,
    prefix="agent_connector.cli.board_",
    epilog="""Examples:

\b
  agent-connector board serve
  agent-connector board key new ada@example.com --name build-machine
  agent-connector board task add "Mend the gate" --description "The hinge is loose."
  agent-connector board serve --db postgresql://board@db.example/board --host 0.0.0.0 --allow-host board.example""",
)
def command() -> None:
    """A task board of your own. Without --db it is a file in ~/.agent-connector; PostgreSQL serves many machines.

    All but `serve` work on the database itself, whether the board runs or not.
    """
