"""Who Warp is and what it has."""

from agent_connector.hosts.dialects import mcp_only

ID = "warp"
NAME = "Warp"
VENDOR = "Warp.dev"
KIND = "desktop"
PARADIGM = "mcp-only"

SURFACES = mcp_only.surfaces(
    "documented",
    {
        "server": ("documented", "`mcpServers` of .warp/.mcp.json"),
        "commands": ("documented", ".warp/skills/<name>/SKILL.md, which a person calls as /<name>"),
        "skills": ("documented", ".agents/skills/<name>/SKILL.md, which other hosts read too"),
        "memory": ("documented", "a block in WARP.md where there is one, else in AGENTS.md"),
        "actions": ("uncertain", "workflows/<connector>-<action>.yaml, whose command the person runs after a look"),
    },
)
TRANSPORTS = {
    "stdio": ("documented", "`command`, `args`, `env`, `working_directory`"),
    "http": ("documented", "`url`, `headers`"),
    "sse": ("documented", "`url`, `headers`: tried when Streamable HTTP fails"),
}
STEPS = (("server", "project", "approve it in the app: a project's servers ask in each session"),)
REPLACED_BY = None
LOADS_HOOKS_OF = ()
CONFIG_DENIED = ()
QUIRKS = (
    ("its command-line agent is called `oz` now, and its terminal UI has a file of servers of its own", "2026-11-30"),
    (
        "with File-based MCP Servers on it reads those of Claude Code and Codex too: a server may stand there twice",
        "2026-11-30",
    ),
    ("a comment or a trailing comma drops the whole file", "2026-11-30"),
    ("in one folder WARP.md hides AGENTS.md", "2026-11-30"),
    ("an argument or an address takes no variable's value, only `env` and `headers` do", "2026-11-30"),
)
SOURCES = (("docs.warp.dev and the source of warpdotdev/warp", "2026-11-30"),)
