"""Lines of facts that hosts without hooks share."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agent_connector.hosts.contract import Support, Sure

_LACKS = {
    "server": "it takes no servers",
    "hooks": "it has no hooks",
    "commands": "it has no commands as files",
    "skills": "it has no skills as files",
    "subagents": "it has no subagents as files",
    "memory": "it has no memory file",
    "statusline": "it has no status line that a command could fill",
    "actions": "it has nothing that a person could press",
    "config_patch": "none of its settings is patched",
    "native_hooks": "it has no hooks",
}


def surfaces(sure: "Sure", native: "Mapping[str, tuple[Sure, str]]") -> "dict[str, tuple[Support, Sure, str]]":
    """What a host has (`native`: how sure, and how), and in the place of everything else that it lacks it."""
    found: dict[str, tuple[Support, Sure, str]] = {name: ("skip-warn", sure, why) for name, why in _LACKS.items()}
    for name, (how_sure, how) in native.items():
        found[name] = ("native", how_sure, how)
    return found
