"""Who Antigravity, the app and the editor, is and what it has."""

from agent_connector.hosts.dialects import antigravity_host

ID = "antigravity"
NAME = "Antigravity"
VENDOR = "Google"
KIND = "ide"
PARADIGM = "json-stdio"

_ENGINE = "as in its CLI, whose files it shares; not seen to fire in every build"
SURFACES = {
    "server": (
        "native",
        "documented",
        "`mcpServers` of ~/.gemini/config/mcp_config.json, or of .agents/mcp_config.json",
    ),
    "hooks": ("native", "uncertain", f"one named hook in hooks.json, {_ENGINE}"),
    "commands": ("native", "documented", "workflows/<name>.md, at most 12,000 characters"),
    "skills": ("native", "documented", "skills/<name>/SKILL.md of ~/.gemini/config or .agents"),
    "subagents": ("native", "documented", "agents/<name>.md; lists of tools are not written"),
    "memory": ("native", "documented", "a block in ~/.gemini/GEMINI.md; in a project's AGENTS.md (uncertain)"),
    "statusline": ("skip-warn", "documented", "only its CLI has a status line"),
    "actions": ("skip-warn", "uncertain", "it has nothing that a person could press"),
    "config_patch": ("skip-warn", "documented", "no file of settings is written down"),
    "native_hooks": ("native", "uncertain", "PostInvocation, and every PreInvocation"),
}
TRANSPORTS = antigravity_host.TRANSPORTS
STEPS = (
    ("server", "", "press Refresh under Manage MCP servers, or start it again"),
    ("hooks", "project", "trust the workspace when the editor asks"),
)
REPLACED_BY = None
LOADS_HOOKS_OF = ()
CONFIG_DENIED = ()
QUIRKS = (
    *antigravity_host.QUIRKS,
    ("older builds read ~/.gemini/antigravity/mcp_config.json; nothing is written there", "2026-11-30"),
)
SOURCES = (("antigravity.google/docs as others sum it up, and reports of others; nothing was run", "2026-11-30"),)
