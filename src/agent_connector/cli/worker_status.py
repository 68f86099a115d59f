"""`worker status`: what is set up, what runs, what waits for a person."""

import os
from typing import TYPE_CHECKING

import click

from agent_connector.cli import options, worker_parts
from agent_connector.cli.output import columns, emit, paint, say, short
from agent_connector.home.system import person_home

if TYPE_CHECKING:
    from agent_connector.worker.status import Status


@click.command(
    "status",
    epilog="""Examples:

\b
  agent-connector worker status
  agent-connector worker status --json""",
)
@worker_parts.config_file
@options.as_json
def command(config: str | None, as_json: bool) -> int:
    """What is set up and in order, whether a worker runs, which tasks it has in work, and which wait for a person.

    Looks at this machine alone. The exit code is 1 when something keeps the worker from running, the kill switch
    among it.
    """
    from agent_connector.worker import status

    found = status.look(worker_parts.config_path(config), os.environ, person_home())
    if as_json:
        emit(_wire(found))
    else:
        _told(found)
    return 1 if found.problems or found.stopped else 0


def _wire(found: "Status") -> dict[str, object]:
    made, memory, stopped = found.config, found.memory, found.stopped
    return {
        "config": found.config_file,
        "credentials": found.credentials_file,
        "baseUrl": found.base_url,
        "sandboxDir": made.sandbox_dir if made else None,
        "git": found.git,
        "adapter": made.adapter if made else None,
        "connectorId": made.holder if made else None,
        "killSwitch": {"since": stopped.since, "reason": stopped.reason} if stopped else None,
        "running": found.running,
        "inWork": list(memory.runs),
        "waiting": [{"task": one.task, "kind": one.kind, "reason": one.reason} for one in memory.waiting],
        "outbox": memory.outbox,
        "spentTodayUsd": round(memory.spent_today, 4),
        "stateReadable": memory.readable,
        "problems": list(found.problems),
    }


def _told(found: "Status") -> None:
    made, memory = found.config, found.memory
    rows = [("board", found.base_url or "none yet"), ("configuration", short(found.config_file))]
    if made is not None:
        how = "a clone for each run" if found.git else "one run at a time, in the folder itself"
        rows += [
            ("works in", f"{short(made.sandbox_dir)} ({how})"),
            ("driven by", made.adapter),
            ("named", made.holder),
        ]
    rows.append(("worker", paint("runs", "ok") if found.running else "does not run"))
    if found.stopped is not None:
        since, why = found.stopped.since, found.stopped.reason
        told = (f" since {since}" if since else "") + (f": {why}" if why else "")
        rows.append(("kill switch", paint("stopped", "bad") + told + "; agent-connector worker resume"))
    rows.append(("in work", ", ".join(memory.runs) or "nothing"))
    rows.append(("board lags", f"{memory.outbox} messages wait to be sent"))
    rows.append(("spent today", f"${memory.spent_today:.2f}, reserved money counted"))
    columns([row for row in rows if row[0] != "board lags" or memory.outbox])
    if memory.waiting:
        say("Waiting for a person:")
        columns([(one.task, one.kind, one.reason) for one in memory.waiting])
    if not memory.readable:
        say(paint("The worker's memory cannot be read.", "bad"))
    for problem in found.problems:
        say(paint(problem, "bad"))
