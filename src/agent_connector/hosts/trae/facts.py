"""Who Trae is and what it has."""

ID = "trae"
NAME = "Trae"
VENDOR = "ByteDance"
KIND = "ide"
PARADIGM = "json-stdio"

SURFACES = {
    "server": ("native", "documented", "`mcpServers` of mcp.json in the profile's User folder, or of .trae/mcp.json"),
    "hooks": ("native", "documented", "hooks.json, six of thirteen events (since 3.5.66)"),
    "commands": ("native", "documented", "commands/<name>.md"),
    "skills": ("native", "documented", ".agents/skills/<name>/SKILL.md, which other hosts read too"),
    "subagents": ("native", "documented", "agents/<name>.md; an MCP tool in its list stands for all of them"),
    "memory": ("native", "uncertain", "a block in a project's AGENTS.md, or in a person's user_rules"),
    "statusline": ("skip-warn", "documented", "it has no status line that a command could fill"),
    "actions": ("skip-warn", "documented", "it has nothing that a person could press"),
    "config_patch": ("native", "uncertain", "keys of the editor's settings.json, set only when absent"),
    "native_hooks": ("skip-warn", "documented", "it has no events beyond the six"),
}
TRANSPORTS = {
    "stdio": ("documented", "`command`, `args`, `env`"),
    "http": ("documented", "`url`, `headers`"),
    "sse": ("documented", "`url`, `headers`: Trae tells the two apart"),
}
STEPS = (
    ("server", "project", "turn on Settings > MCP > Enable Project MCP: the file is not read before"),
    ("hooks", "", "turn the hooks on in Settings > Hooks: they do nothing before"),
    ("subagents", "", "turn on custom agents (Beta) where the settings still ask for it"),
)
REPLACED_BY = None
LOADS_HOOKS_OF = ("claude-code",)
# Settings that a config patch may not touch: what the agent may do, accounts, and what we register ourselves.
CONFIG_DENIED = ("security*", "http.proxy*", "trae.*auto*", "*autoRun*", "*allowlist*", "*token*", "*auth*", "mcp*")
CONFIG_FORMAT, CONFIG_FLAT = "jsonc", True  # as in VS Code
QUIRKS = (
    ("it can take over the hooks of Claude Code's settings too", "2026-11-30"),
    ("the CN edition has folders of its own: ~/.trae-cn and a profile `Trae CN`; one edition is served", "2026-11-30"),
    ("no variable's value is put into its mcp.json", "2026-11-30"),
    ("calls of the subagent tool do not pass PreToolUse", "2026-11-30"),
    ("on Windows a byte order mark may stand before a hook's payload", "2026-11-30"),
    ("what a Stop hook sends back starts a new turn at most five times", "2026-11-30"),
    ("older versions and other installers used ~/.trae/mcp.json, which is not read now", "2026-11-30"),
)
SOURCES = (("docs.trae.ai and docs.trae.cn: hooks, MCP, skills, agents, rules; nothing was run", "2026-11-30"),)
