"""Who Factory Droid is and what it has."""

ID = "droid"
NAME = "Factory Droid"
VENDOR = "Factory"
KIND = "cli"
PARADIGM = "json-stdio"

SURFACES = {
    "server": ("native", "proven", "`mcpServers` of mcp.json, offered to the model behind a search for tools"),
    "hooks": (
        "native",
        "proven",
        "`hooks` of hooks.json, or of settings.json where only that is; nine of thirteen events",
    ),
    "commands": ("native", "documented", "Markdown files in commands/, with `$ARGUMENTS`"),
    "skills": ("native", "proven", ".agents/skills/<name>/SKILL.md, which other hosts read too"),
    "subagents": ("native", "documented", "droids/<name>.md; tools can be allowed, not denied"),
    "memory": ("native", "proven", "a block in AGENTS.md; a project's CLAUDE.md is read beside it"),
    "statusline": ("native", "uncertain", "`statusLine` of settings.json; what its command is told is not documented"),
    "actions": ("native", "proven", "executable files in commands/, called as /<connector>-<action>"),
    "config_patch": ("native", "documented", "keys of settings.json, set only when absent"),
    "native_hooks": ("skip-warn", "documented", "it has no events beyond the normalized ones"),
}
TRANSPORTS = {
    "stdio": ("proven", "`type: stdio` with `command`, `args`, `env`; no working folder"),
    "http": ("documented", "`type: http` with `url`, `headers`"),
    "sse": ("documented", "`type: sse` with `url`, `headers`"),
}
STEPS = (
    (
        "server",
        "",
        "allow its tools when asked; a headless run refuses them without --auto or --skip-permissions-unsafe",
    ),
    ("server", "", "the model finds its tools by a search, and a hook that denies ToolSearch cuts all of them off"),
    ("hooks", "", "start it anew: whether a running session takes up new hooks is not documented"),
)
REPLACED_BY = None
LOADS_HOOKS_OF: tuple[str, ...] = ()
# Settings that a config patch may not touch: permissions, models with their keys, and what we register ourselves.
CONFIG_FORMAT = "jsonc"
CONFIG_DENIED = (
    "commandAllowlist*",
    "commandDenylist*",
    "commandBlocklist*",
    "sessionDefaultSettings*",
    "autonomy*",
    "subagentAutonomyLevel",
    "customModels*",
    "enabledPlugins*",
    "extraKnownMarketplaces*",
    "hooks*",
    "mcpServers*",
    "mcpPolicy*",
    "statusLine*",
)
QUIRKS = (
    ("a server's tool is `<server>___<tool>`, with three underscores: `mcp__.*` catches nothing", "2026-11-30"),
    ("the model has to call ToolSearch before a server's tool: a direct call is refused", "2026-11-30"),
    ("a user's server wins over a project's of the same name", "2026-11-30"),
    ("UserPromptSubmit does not fire in `droid exec`, nor over ACP", "2026-11-30"),
    ("a Stop hook that always blocks is called without end: answer None when stop_hook_active", "2026-11-30"),
    ("every field of a hook's input is in its environment too, under the field's name", "2026-11-30"),
    ("the stream and the model's history keep the arguments that a hook has changed", "2026-11-30"),
    ("what hooks print is kept in the session's file", "2026-11-30"),
    ("a reference to a variable that is not set stays as it is written", "2026-07-24"),
    (
        "a hooks.json hides the hooks of settings.json beside it; its events stand at the top, not in `hooks`",
        "2026-11-30",
    ),
    ("a trailing comma or a BOM drops a whole file without a word; comments are read", "2026-11-30"),
    ("a failed call fires no event of a hook", "2026-11-30"),
    ("`ask` and a block after a tool are ignored where it acts by itself", "2026-11-30"),
    ("a tool's name is cut at 64 letters, with a hash at its end", "2026-11-30"),
    ("a first request does not wait for servers, unless `blockOnMcpLoad` is set", "2026-11-30"),
    ("subagents run in a daemon of its own", "2026-11-30"),
    (
        "the model reads an action's script and what it prints, of which 64 kB are kept; nothing can be typed",
        "2026-12-01",
    ),
)
SOURCES = (
    ("Factory Droid 0.215.0, run offline against a scripted model", "2026-11-30"),
    ("its help, and the documentation of about 0.174", "2026-07-24"),
)
