"""Who Claude Code is and what it has."""

ID = "claude-code"
NAME = "Claude Code"
VENDOR = "Anthropic"
KIND = "cli"
PARADIGM = "json-stdio"

SURFACES = {
    "server": ("native", "proven", "`mcpServers` of ~/.claude.json, or of a project's .mcp.json"),
    "hooks": ("native", "proven", "`hooks` of settings.json, all thirteen events"),
    "commands": ("native", "proven", "commands/<name>.md, with `$ARGUMENTS`"),
    "skills": ("native", "proven", "skills/<name>/SKILL.md"),
    "subagents": ("native", "proven", "agents/<name>.md"),
    "memory": ("native", "proven", "a block in CLAUDE.md, whose markers the model does not see"),
    "statusline": ("native", "proven", "`statusLine` of settings.json, in the terminal only"),
    "actions": ("skip-warn", "documented", "it has nothing that a person could press"),
    "config_patch": ("native", "documented", "keys of settings.json, set only when absent"),
    "native_hooks": ("native", "documented", "all 34 events of its own"),
}
TRANSPORTS = {
    "stdio": ("proven", "`command`, `args`, `env`; no working folder"),
    "http": ("documented", "`type: http` with `url`, `headers`"),
    "sse": ("documented", "`type: sse`, deprecated but taken"),
    "ws": ("documented", "`type: ws` with `url`, `headers`"),
}
STEPS = (
    ("server", "", "allow its tools when asked; a headless run needs --allowedTools or a rule in permissions.allow"),
    ("server", "", "the model finds its tools by a search; start with ENABLE_TOOL_SEARCH=false to offer them at once"),
    ("server", "project", "approve the server of .mcp.json when the terminal asks (a headless run does not ask)"),
    ("hooks", "", "trust the folder when the terminal asks: no hook runs there before (a headless run does not ask)"),
    ("statusline", "", "trust the folder when the terminal asks: the line is not drawn before"),
)
REPLACED_BY = None
LOADS_HOOKS_OF: tuple[str, ...] = ()
# Settings that a config patch may not touch: permissions, accounts, secrets, and what we register ourselves.
CONFIG_DENIED = (
    "sandbox*",
    "skip*",
    "extraKnownMarketplaces*",
    "gcp*",
    "subagentStatusLine*",
    "permissions*",
    "allowedTools*",
    "allowManaged*",
    "disableAllHooks",
    "enableAllProjectMcpServers",
    "enabledMcpjsonServers",
    "enabledPlugins*",
    "apiKey*",
    "aws*",
    "forceLogin*",
    "otelHeadersHelper",
    "env.ANTHROPIC_*",
    "env.AWS_*",
    "env.*_PROXY",
    "env.*TOKEN*",
    "env.*KEY*",
    "env.*SECRET*",
    "hooks*",
    "mcpServers*",
    "statusLine*",
)
QUIRKS = (
    ("one comment in settings.json drops every setting and hook of the file without a word", "2026-11-30"),
    ("a comment or a trailing comma in ~/.claude.json keeps the program from starting", "2026-11-30"),
    ("~/.claude.json is rewritten by the host at every start", "2026-11-30"),
    ("a hook's reply without hookEventName is ignored, a denial too", "2026-11-30"),
    ("a hook that crashes, hangs or is gone lets the tool run; only exit code 2 and a reply block", "2026-11-30"),
    ("the matcher `mcp__server` catches nothing: a server's tools are `mcp__server__.*`", "2026-11-30"),
    ("a failed tool fires PostToolUseFailure in the place of PostToolUse", "2026-11-30"),
    ("a project's AGENTS.md is read only when there is no CLAUDE.md", "2026-11-30"),
    (
        "a prompt that is typed while a turn runs fires UserPromptSubmit at once, and not again when its turn comes",
        "2026-11-30",
    ),
    ("a turn that the person breaks off with Esc fires no hook", "2026-11-30"),
    ("a denied UserPromptExpansion shows its reason to the person and asks no model", "2026-11-30"),
    ("npm installs an old release without a word when Node is older than 22", "2026-11-30"),
)
SOURCES = (
    ("Claude Code 2.1.332, run offline against a scripted model", "2026-11-30"),
    ("the help and schemas shipped in @anthropic-ai/claude-code 2.1.332", "2026-11-24"),
)
