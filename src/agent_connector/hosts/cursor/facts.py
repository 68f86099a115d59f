"""Who Cursor is and what it has."""

ID = "cursor"
NAME = "Cursor"
VENDOR = "Anysphere"
KIND = "ide"
PARADIGM = "json-stdio"

SURFACES = {
    "server": ("native", "documented", "`mcpServers` of .cursor/mcp.json, for the IDE and its CLI"),
    "hooks": ("native", "documented", "hooks.json, ten of thirteen events"),
    "commands": ("native", "documented", "commands/<name>.md, plain text"),
    "skills": ("native", "documented", ".agents/skills/<name>/SKILL.md, which other hosts read too"),
    "subagents": ("native", "documented", "agents/<name>.md; lists of tools are not written"),
    "memory": ("native", "documented", "a block in a project's AGENTS.md; a person's own rules are kept by the IDE"),
    "statusline": ("native", "documented", "`statusLine` of cli-config.json, in the CLI only"),
    "actions": ("skip-warn", "documented", "it has nothing that a person could press"),
    "config_patch": ("native", "documented", "keys of the CLI's cli-config.json, set only when absent"),
    "native_hooks": ("native", "documented", "eleven more events, for the shell, MCP, files, answers and tabs"),
}
TRANSPORTS = {
    "stdio": ("documented", "`command`, `args`, `env`, `cwd`"),
    "http": ("documented", "`url`, `headers`"),
    "sse": ("documented", "`url`, `headers`: tried when Streamable HTTP fails"),
}
STEPS = (
    ("server", "project", "approve it: in the IDE's MCP settings, or `cursor-agent mcp enable <name>`"),
    ("server", "", "allow its tools when asked; a headless run needs --approve-mcps or --force"),
    ("hooks", "project", "trust the folder: hooks of a project do not run before"),
)
REPLACED_BY = None
LOADS_HOOKS_OF = ("claude-code",)
# Settings that a config patch may not touch: permissions, accounts, and what we register ourselves.
CONFIG_DENIED = (
    "permissions*",
    "approvalMode*",
    "sandbox*",
    "auth*",
    "network*",
    "hooks*",
    "mcpServers*",
    "statusLine*",
)
QUIRKS = (
    ("loads the hooks of Claude Code's settings too when third-party support is on", "2026-11-30"),
    (
        "an MCP tool is told to hooks without its server: a tool of the same name elsewhere looks like ours",
        "2026-11-30",
    ),
    ("an unknown event or a missing `version` in hooks.json drops the whole file", "2026-11-30"),
    ("`//` anywhere in hooks.json is taken for a comment, inside texts too", "2026-11-30"),
    ("at events that ask for permission a reply that is no JSON blocks the tool", "2026-11-30"),
    ("an additional context of more than 10,000 characters is dropped as a whole", "2026-11-30"),
    ("new arguments are laid over the old ones of an MCP call, so none can be taken away", "2026-11-30"),
    ("an mcp.json that does not parse counts as empty", "2026-11-30"),
)
SOURCES = (
    ("the agent runtime shipped in @cursor/sdk 1.0.32, read", "2026-11-30"),
    ("cursor.com/docs: hooks, MCP, CLI", "2026-11-30"),
)
