"""Who Junie is and what it has: the CLI, and what the plugin of JetBrains' IDEs shares with it."""

ID = "junie"
NAME = "Junie"
VENDOR = "JetBrains"
KIND = "cli"
PARADIGM = "json-stdio"

SURFACES = {
    "server": ("native", "documented", "`mcpServers` of .junie/mcp/mcp.json, for the CLI and the IDE's plugin"),
    "hooks": ("native", "uncertain", "`hooks` of a person's config.json, six of thirteen events, in the CLI only"),
    "commands": ("native", "documented", ".junie/commands/<name>.md"),
    "skills": ("native", "documented", ".junie/skills/<name>/SKILL.md"),
    "subagents": ("native", "documented", ".junie/agents/<name>.md; lists of tools are not written"),
    "memory": (
        "native",
        "documented",
        "a block in a project's .junie/AGENTS.md or AGENTS.md; a person's file is uncertain",
    ),
    "statusline": ("skip-warn", "documented", "it has no status line that a command could fill"),
    "actions": ("skip-warn", "documented", "it has nothing that a person could press"),
    "config_patch": ("native", "uncertain", "keys of config.json, set only when absent"),
    "native_hooks": ("native", "uncertain", "StopFailure"),
}
TRANSPORTS = {
    "stdio": ("documented", "`command`, `args`, `env`"),
    "http": ("documented", "`url`, `headers`; the plugin of the IDE began with stdio only"),
}
STEPS = (("server", "", "allow its tools when asked, or in ~/.junie/allowlist.json, which is yours alone"),)
REPLACED_BY = None
LOADS_HOOKS_OF = ()
# Settings that a config patch may not touch: what the agent may do, accounts, and what we register ourselves.
CONFIG_DENIED = ("hooks*", "mcp*", "*allow*", "*permission*", "*auth*", "*token*", "*key*", "*proxy*", "brave*")
QUIRKS = (
    ("hooks of a project's config.json are ignored by design", "2026-11-30"),
    ("what its hooks are told and may answer is not written down: only exit code 2 is sure", "2026-11-30"),
    ("sources differ on which events take a matcher, so none is written: every tool starts our program", "2026-11-30"),
    ("whether a variable's value is put into mcp.json is not written down, so none is asked for there", "2026-11-30"),
    ("no way is written down to go on with a session without a person, so it is driven over ACP alone", "2026-11-30"),
)
SOURCES = (("junie.jetbrains.com: MCP, hooks, commands, skills, agents; nothing was run", "2026-11-30"),)
