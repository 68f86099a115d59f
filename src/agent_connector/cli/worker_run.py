"""`worker run`: take tasks and do them."""

import asyncio
import os
import sys
from typing import TYPE_CHECKING

import click

from agent_connector.cli import worker_parts
from agent_connector.cli.output import emit
from agent_connector.home.system import person_home

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractAsyncContextManager

    from agent_connector.worker import daemon


@click.command(
    "run",
    epilog="""Examples:

\b
  agent-connector worker run
  agent-connector worker run --once --json
  agent-connector worker run --config ./connector.yml""",
)
@click.option("--once", is_flag=True, help="Do what is there now, and end.")
@worker_parts.config_file
@click.option(
    "--json", "as_json", is_flag=True, help="A JSON object on each line of stderr; with --once, one on stdout."
)
def command(once: bool, config: str | None, as_json: bool) -> int:
    """Take tasks from the board, let a host's agent do each of them in a sandbox, and tell the board what came of it.

    What happens is said on stderr, a line for each event, without secrets. Ctrl-C ends the running agents and then the
    worker; once more ends it at once. The exit code is 1 when it could not work, or with --once was stopped by the kill
    switch.
    """
    return work(once, config, as_json)


def work(once: bool, config: str | None, as_json: bool, until: "Callable[[], bool] | None" = None) -> int:
    """The command; it also ends, in order, once `until` is true."""
    worker_parts.needed()
    made = worker_parts.configured(config)
    held = worker_parts.opened(made.allow_insecure)
    from agent_connector.redaction import Redactor
    from agent_connector.worker import crew, daemon
    from agent_connector.worker.lines import Lines

    logins = crew.logins(os.environ, person_home())
    redactor = Redactor((*daemon.secrets(held, os.environ), *logins))
    colour = sys.stderr.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"
    lines = Lines(sys.stderr, redactor.text, as_json=as_json, colour=colour)

    if redactor.unwatched:
        lines(f"{redactor.unwatched} secrets of the environment are too short to be looked for in what agents say")

    def hire() -> "AbstractAsyncContextManager[daemon.Crew]":
        return crew.hire(made, os.environ, person_home(), lines)

    with worker_parts.asking(held):
        found = asyncio.run(daemon.serve(made, held, hire, redactor, lines, once=once, until=until))
    if found.why_idle:
        lines(found.why_idle)
    if once and as_json:
        emit({"taken": found.taken, "peakConcurrency": found.peak_concurrency, "whyIdle": found.why_idle})
    return 1 if once and found.why_idle else 0
