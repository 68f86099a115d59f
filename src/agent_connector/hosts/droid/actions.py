"""Actions of Factory Droid: executable files among its commands, `/<connector>-<action>`. On the hook path.

Droid takes the program from the `#!` of the first line itself, and shows what it prints to the person and the model.
"""

from agent_connector.hosts.dialects import named_actions
from agent_connector.hosts.nodes import Node, Whole

TYPE_CHECKING = False
if TYPE_CHECKING:
    from agent_connector.connector.model import Action

AFFORDANCE = "command"  # what a person uses
INVOCATION = "exec-file"  # how that runs our launcher

_POWERSHELL = "#!powershell -NoProfile -ExecutionPolicy Bypass -File"


def wire(action: "Action", file: str, command: str, marks: "tuple[str, ...]") -> "list[Node]":
    """One file in the folder `file`; its second line is what Droid lists it as."""
    from agent_connector.hosts.dialects.front_matter import join

    path = join(file, named_actions.name(action, marks))
    label = "# " + " ".join(action.label.split())
    if "\\" in path:  # PowerShell runs what is called .ps1, and takes the first line for a comment
        escaped = command.replace("`", "``").replace("$", "`$")
        return [Whole(path + ".ps1", f"{_POWERSHELL}\n{label}\n& {escaped} @args\nexit $LASTEXITCODE\n")]
    return [Whole(path, f'#!/bin/sh\n{label}\nexec {command} "$@"\n', executable=True)]
