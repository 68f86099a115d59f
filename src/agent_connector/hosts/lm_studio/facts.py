"""Who LM Studio is and what it has."""

from agent_connector.hosts.dialects import mcp_only

ID = "lm-studio"
NAME = "LM Studio"
VENDOR = "Element Labs"
KIND = "desktop"
PARADIGM = "mcp-only"

SURFACES = mcp_only.surfaces(
    "documented", {"server": ("documented", "`mcpServers` of ~/.lmstudio/mcp.json, in Cursor's words")}
)
TRANSPORTS = {
    "stdio": ("documented", "`command`, `args`, `env`"),
    "http": ("documented", "`url`, `headers`"),
    "sse": ("documented", "`url`, `headers`"),
}
STEPS = (
    ("server", "", "start the app again, or switch the server off and on: an edit from outside is not seen"),
    ("server", "", "allow each tool when asked"),
)
REPLACED_BY = None
LOADS_HOOKS_OF = ()
CONFIG_DENIED = ()
QUIRKS = (
    ("an older home, ~/.cache/lm-studio, is read where it is there and ~/.lmstudio is not", "2026-11-30"),
    ("whether servers get the person's environment is not documented, so none that needs it is written", "2026-11-30"),
)
SOURCES = (("the documentation of LM Studio: MCP in the app", "2026-11-30"),)
