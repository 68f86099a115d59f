"""Hooks that are programs with fixed names in a folder: a caller for each event, and beside it each connector's own part.

One file can stand for an event, and several connectors may want it: so the file with the host's name is the same text
for all of them, and calls every `agent-connector-<id>.<event>` beside it. At install only.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from agent_connector.hosts.dialects.front_matter import join
from agent_connector.hosts.dialects.shells import is_for_windows
from agent_connector.hosts.nodes import Node, Whole

if TYPE_CHECKING:
    from agent_connector.hosts.contract import HookUse

PREFIX = "agent-connector-"
_PART = """\
#!/bin/sh
# A hook of an agent-connector connector. `agent-connector upgrade` writes it anew, `agent-connector uninstall` removes it.
{command}
"""
# PowerShell would read what is piped through it as text of its own encoding, so the bytes go past it.
_POWERSHELL = """\
# A hook of an agent-connector connector. `agent-connector upgrade` writes it anew, `agent-connector uninstall` removes it.
$start = New-Object System.Diagnostics.ProcessStartInfo 'cmd.exe', '{arguments}'
$start.UseShellExecute = $false
$start.RedirectStandardInput = $true
$process = [System.Diagnostics.Process]::Start($start)
try {{ [Console]::OpenStandardInput().CopyTo($process.StandardInput.BaseStream); $process.StandardInput.Close() }} catch {{}}
$process.WaitForExit()
exit $process.ExitCode
"""


def wire(
    hooks: "Sequence[HookUse]", folder: str, caller: Callable[[str], str], part: Callable[[str], str] = str
) -> list[Node]:
    """The files of `hooks`; `caller(event)` is the text of the file that the host starts, `part(command)` what ours runs.

    On Windows the host's file runs the command itself: there one connector has an event.
    """
    nodes: dict[str, Node] = {}
    for hook in hooks:
        if is_for_windows(hook.command):
            arguments = hook.command.removeprefix("cmd ").replace("'", "''")
            file = join(folder, hook.event + ".ps1")
            nodes[file] = Whole(file, _POWERSHELL.format(arguments=arguments))
            continue
        connector = hook.marks[-1].rpartition(" ")[2]
        own, called = join(folder, f"{PREFIX}{connector}.{hook.event}"), join(folder, hook.event)
        nodes[own] = Whole(own, _PART.format(command=part(hook.command)), executable=True)
        nodes[called] = Whole(called, caller(hook.event), executable=True)
    return list(nodes.values())
