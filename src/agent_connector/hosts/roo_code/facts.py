"""Who Roo Code was and what it had; it is still served where a person has it."""

from agent_connector.hosts.dialects import mcp_only

ID = "roo-code"
NAME = "Roo Code"
VENDOR = "Roo Code, Inc."
KIND = "extension"
PARADIGM = "mcp-only"

SURFACES = mcp_only.surfaces(
    "documented",
    {
        "server": (
            "documented",
            "`mcpServers` of mcp_settings.json in VS Code's storage, or of a project's .roo/mcp.json",
        ),
        "commands": ("documented", ".roo/commands/<name>.md"),
        "skills": ("documented", ".agents/skills/<name>/SKILL.md, which other hosts read too"),
        "memory": ("documented", "a block in a project's AGENTS.md (or AGENT.md), or in a person's .roo/rules"),
    },
)
TRANSPORTS = {
    "stdio": ("documented", "`command`, `args`, `env`, `cwd`, `timeout` in seconds"),
    "http": ("documented", "`type` streamable-http, `url`, `headers`"),
    "sse": ("documented", "`type` sse, `url`, `headers`"),
}
STEPS = ()
REPLACED_BY = "Zoo Code (another extension, which continues it); Roo Code itself ended on 2026-05-15"
LOADS_HOOKS_OF = ()
CONFIG_DENIED = ()
QUIRKS = (
    ("a remote entry without a type is taken for sse", "2026-11-30"),
    ("a comment in its file leaves it without servers", "2026-11-30"),
    ("servers get a bare environment and what their entry names", "2026-11-30"),
    ("editors made from VS Code, and roo-cline.customStoragePath, keep its files elsewhere", "2026-11-30"),
)
SOURCES = (("the source of RooCodeInc/Roo-Code 3.52.1, and its archive notice", "2026-11-30"),)
