"""Who OpenCode is and what it has."""

ID = "opencode"
NAME = "OpenCode"
VENDOR = "Anomaly"
KIND = "cli"
PARADIGM = "plugin"

SURFACES = {
    "server": ("native", "proven", "`mcp` of opencode.json or opencode.jsonc"),
    "hooks": ("native", "proven", "one generated module in plugins/, twelve of thirteen events"),
    "commands": ("native", "proven", "commands/<name>.md, with `$ARGUMENTS`"),
    "skills": ("native", "proven", "skills/<name>/SKILL.md"),
    "subagents": ("native", "proven", "agents/<name>.md with `mode: subagent`, tools as permissions"),
    "memory": ("native", "proven", "a block in AGENTS.md, or in the file that is read in its place"),
    "statusline": ("skip-warn", "documented", "it has no status line that a command could fill"),
    "actions": ("skip-warn", "documented", "it has nothing that a person could press"),
    "config_patch": ("native", "documented", "keys of opencode.json, set only when absent"),
    "native_hooks": ("native", "proven", "the plugin hooks and events that no normalized event stands for"),
}
TRANSPORTS = {
    "stdio": ("proven", "`type: local`, `command` as one list, `environment`, `cwd`"),
    "http": ("documented", "`type: remote`, Streamable HTTP with a fall back to SSE"),
    "sse": ("documented", "`type: remote`, after Streamable HTTP was tried"),
}
STEPS = (
    ("server", "", "start it anew: opencode.json is read once"),
    ("hooks", "", "start it anew: plugins are loaded once"),
    ("hooks", "", "the first start installs its plugin package from npm: without a network it waits about 95 s"),
)
REPLACED_BY = None
LOADS_HOOKS_OF: tuple[str, ...] = ()
# Settings that a config patch may not touch: permissions, accounts, secrets, and what we register ourselves.
CONFIG_DENIED = (
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
QUIRKS = (
    ("a wrong shape or an unknown key in opencode.json keeps the program from starting", "2026-11-30"),
    ("arguments change in place only: a new object is ignored", "2026-11-30"),
    ("an MCP tool's result is `content`, a built-in tool's `output`", "2026-11-30"),
    ("the plugin hook `permission.ask` is never called; the event permission.asked is", "2026-11-30"),
    ("a changed input may stand in the model's own history too (seen for built-in tools)", "2026-11-30"),
    ("a plugin that refuses a prompt looks like a server error, whose reason only the log has", "2026-11-30"),
    ('`opencode run "two words"` sends the prompt with the quotes around it', "2026-11-30"),
    ("a hook that hangs hangs the turn: the bridge has a time limit of its own", "2026-11-30"),
    ("Kilo sets OPENCODE=1 too", "2026-11-30"),
)
SOURCES = (
    ("OpenCode 1.18.33, run offline against a scripted model", "2026-11-30"),
    ("the code and the guide inside opencode-ai 1.18.33", "2026-11-30"),
)
