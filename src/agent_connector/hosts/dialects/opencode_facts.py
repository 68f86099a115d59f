"""Lines of facts that OpenCode and its forks share."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agent_connector.hosts.contract import Support, Sure

# Settings that a config patch may not touch: permissions, accounts, secrets, and what we register ourselves.
CONFIG_DENIED = (
    "agent.*.permission*",  # an agent of the settings, or a mode, has its own
    "agent.*.tools*",
    "mode.*.permission*",
    "mode.*.tools*",
    "permission*",
    "tools*",
    "provider*",
    "mcp*",
    "plugin*",
    "hooks*",
    "mcpServers*",
    "statusLine*",
    "share*",
    "server*",
    "enterprise*",
    "autoupdate*",
)


def surfaces(sure: "Sure", config: str, agents: str = "agents") -> "Mapping[str, tuple[Support, Sure, str]]":
    """`config` are the names of its file, `agents` is its folder of subagents."""
    return {
        "server": ("native", sure, f"`mcp` of {config}"),
        "hooks": ("native", sure, "one generated module in plugins/, twelve of thirteen events"),
        "commands": ("native", sure, "commands/<name>.md, with `$ARGUMENTS`"),
        "skills": ("native", sure, "skills/<name>/SKILL.md"),
        "subagents": ("native", sure, f"{agents}/<name>.md with `mode: subagent`, tools as permissions"),
        "memory": ("native", sure, "a block in AGENTS.md, or in the file that is read in its place"),
        "statusline": ("skip-warn", "documented", "it has no status line that a command could fill"),
        "actions": ("skip-warn", "documented", "it has nothing that a person could press"),
        "config_patch": ("native", "documented", "keys of the same file, set only when absent"),
        "native_hooks": ("native", sure, "the plugin hooks and events that no normalized event stands for"),
    }


def transports(sure: "Sure") -> "Mapping[str, tuple[Sure, str]]":
    return {
        "stdio": (sure, "`type: local`, `command` as one list, `environment`, `cwd`"),
        "http": ("documented", "`type: remote`, Streamable HTTP with a fall back to SSE"),
        "sse": ("documented", "`type: remote`, after Streamable HTTP was tried"),
    }
