"""Who Zed is and what it has."""

from agent_connector.hosts.dialects import mcp_only

ID = "zed"
NAME = "Zed"
VENDOR = "Zed Industries"
KIND = "ide"
PARADIGM = "mcp-only"

SURFACES = mcp_only.surfaces(
    "documented",
    {
        "server": ("documented", "`context_servers` of settings.json, which may hold comments"),
        "commands": ("documented", "skills that only the person calls, as /<name>"),
        "skills": ("documented", ".agents/skills/<name>/SKILL.md, which other hosts read too"),
        "memory": ("documented", "a block in the first of nine files that it reads, else in AGENTS.md"),
        "actions": ("documented", "tasks of tasks.json, started from the palette"),
        "config_patch": ("documented", "keys of settings.json, set only when absent"),
    },
)
TRANSPORTS = {
    "stdio": ("documented", "`command`, `args`, `env`, `timeout` in seconds, `enabled`"),
    "http": ("documented", "`url`, `headers`, `timeout`, `enabled`"),
}
STEPS = (
    ("server", "project", "trust the folder: servers of a project do not start before"),
    ("skills", "project", "trust the folder: skills of a project are not read before"),
)
REPLACED_BY = None
LOADS_HOOKS_OF = ()
CONFIG_DENIED = (
    "context_servers*",
    "agent.tool_permissions*",
    "agent.always_allow_tool_actions*",
    "agent.profiles*",
    "session*",
    "ssh_connections*",
    "proxy*",
)
QUIRKS = (
    ("agents that run inside it over ACP (Claude Code, Codex ...) keep their own files and hooks", "2026-11-30"),
    ("a command that is an object, the form of 2024, is dropped without a word", "2026-11-30"),
    ("in a profile of its own a new server is off unless enable_all_context_servers is set", "2026-11-30"),
    ("it puts no variable's value anywhere; servers inherit its environment", "2026-11-30"),
    ("its channels (Preview, Nightly) share one settings.json", "2026-11-30"),
)
SOURCES = (("zed.dev/docs and the source of zed-industries/zed", "2026-11-30"),)
