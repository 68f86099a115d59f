"""Who Oh My Pi is and what it has."""

ID = "omp"
NAME = "Oh My Pi"
VENDOR = "Can Bölük"
KIND = "cli"
PARADIGM = "plugin"

SURFACES = {
    "server": ("native", "proven", "`mcpServers` of mcp.json"),
    "hooks": ("native", "proven", "one generated extension, ten of thirteen events"),
    "commands": ("native", "documented", "commands/<name>.md, with `$ARGUMENTS`"),
    "skills": ("native", "proven", "skills/<name>/SKILL.md"),
    "subagents": ("native", "documented", "agents/<name>.md, which lists the tools that it may use"),
    "memory": ("native", "proven", "a block in AGENTS.md"),
    "statusline": ("skip-warn", "documented", "only an extension can write there, no command"),
    "actions": ("native", "proven", "commands /<connector>-<action> of a generated extension"),
    "config_patch": ("native", "documented", "keys of config.yml, set only when absent"),
    "native_hooks": ("native", "documented", "the events of extensions that no normalized event stands for"),
}
TRANSPORTS = {
    "stdio": ("proven", "`command`, `args`, `env`, `cwd`"),
    "http": ("documented", "`type: http`, `url`, `headers`"),
    "sse": ("documented", "`type: sse`, `url`, `headers`"),
}
STEPS = (
    ("server", "", "start it anew"),
    ("hooks", "", "start it anew: extensions are loaded once"),
)
REPLACED_BY = None
LOADS_HOOKS_OF: tuple[str, ...] = ()
# Settings that a config patch may not touch: what decides of leave, of code that is loaded, and of accounts.
CONFIG_DENIED = (
    "tools.approval*",
    "extensions*",
    "disabledExtensions*",
    "providers*",
    "mcp*",
    "skills*",
    "commands*",
    "share*",
    "shell*",
    "secrets*",
    "auth*",
)
QUIRKS = (
    ("its model calls an MCP tool by writing to xd://<name>; the call is told by its own name once more", "2026-11-30"),
    ("names are small letters with one `_` after the server, and lose the server's name at their start", "2026-11-30"),
    ("the event `input` is not told in a run without a terminal, so no prompt can be refused there", "2026-11-30"),
    ("an extension that throws before a tool blocks the call: the bridge throws nothing", "2026-11-30"),
    (
        "servers of Claude Code, Codex, Gemini CLI, OpenCode and editors are taken over; a name counts once",
        "2026-11-30",
    ),
    ("nothing in the environment of what it starts tells that it is Oh My Pi", "2026-11-30"),
)
SOURCES = (
    ("Oh My Pi 18.2.3 on Bun 1.4.5, run offline against a scripted model", "2026-11-30"),
    ("the source and documentation in @oh-my-pi/pi-coding-agent 18.2.3 and 18.3.4", "2026-11-30"),
)
