"""What came of hosts' own commands, as text and as JSON."""

import shlex
from collections.abc import Sequence
from typing import Any

from agent_connector.cli.output import emit, paint, say, verbatim
from agent_connector.deploy.bundles.market import Step

_STYLES = {"done": "ok", "failed": "bad", "to do": "~"}


def show(steps: Sequence[Step], as_json: bool) -> int:
    """Print the steps; 1 when a command failed or could not be run."""
    if as_json:
        emit({"commands": [step_json(step) for step in steps]})
    elif not steps:
        say("no host here has commands of its own for this")
    for step in () if as_json else steps:
        say(
            f"{paint(step.host, 'bold')}: {paint(step.outcome, _STYLES[step.outcome])}"
            + (f" ({step.said})" if step.said else "")
        )
        for note in step.notes:
            say(f"  note: {note}")
        if step.outcome != "done":
            for command in step.commands:
                verbatim(f"    {shlex.join(command)}")
    return 1 if not steps or any(step.outcome != "done" for step in steps) else 0


def step_json(step: Step) -> dict[str, Any]:
    return {
        "host": step.host,
        "outcome": step.outcome,
        "commands": [list(command) for command in step.commands],
        "said": step.said,
        "notes": list(step.notes),
    }
