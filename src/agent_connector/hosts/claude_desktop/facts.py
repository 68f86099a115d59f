"""Who Claude Desktop is and what it has."""

from agent_connector.hosts.dialects import mcp_only

ID = "claude-desktop"
NAME = "Claude Desktop"
VENDOR = "Anthropic"
KIND = "desktop"
PARADIGM = "mcp-only"

SURFACES = mcp_only.surfaces(
    "documented",
    {
        "server": ("documented", "`mcpServers` of claude_desktop_config.json, a person's own; programs only"),
        "config_patch": ("documented", "keys of claude_desktop_config.json, set only when absent"),
    },
)
TRANSPORTS = {"stdio": ("documented", "`command`, `args`, `env`; a remote server is reached through our launcher")}
STEPS = (("server", "", "quit the app wholly and start it again: it reads the file at its start"),)
REPLACED_BY = None
LOADS_HOOKS_OF = ()
CONFIG_DENIED = ("mcpServers*", "preferences*", "globalShortcut*", "isLocalDevMcpEnabled*", "isDxtEnabled*")
QUIRKS = (
    ("its Code tab is Claude Code and reads that host's files", "2026-11-30"),
    ("it writes its own keys into the same file", "2026-11-30"),
    ("on Windows a packaged build reads the file below %LOCALAPPDATA%\\Packages, and no other", "2026-12-01"),
    ("started from a desktop it has another PATH than a terminal, and its folder is often /", "2026-11-30"),
)
SOURCES = (
    ("the documentation of Claude Desktop and of its extensions", "2026-11-30"),
    ("the folder of its package on Windows: github.com/anthropics/claude-code, issues 25579 and 57998", "2026-12-01"),
)
