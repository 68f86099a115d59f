"""Who Qwen Code is and what it has."""

ID = "qwen-code"
NAME = "Qwen Code"
VENDOR = "Alibaba"
KIND = "cli"
PARADIGM = "json-stdio"

SURFACES = {
    "server": ("native", "proven", "`mcpServers` of settings.json, offered to the model behind a search for tools"),
    "hooks": ("native", "proven", "`hooks` of settings.json, all thirteen events; SessionEnd never fires headless"),
    "commands": ("native", "proven", "Markdown files in commands/, `$ARGUMENTS` becomes `{{args}}`"),
    "skills": ("native", "proven", "skills/<name>/SKILL.md"),
    "subagents": ("native", "proven", "agents/<name>.md"),
    "memory": (
        "native",
        "proven",
        "a block in the person's QWEN.md; in a project in AGENTS.md, which it reads beside it",
    ),
    "statusline": ("native", "documented", "`ui.statusLine` of settings.json, in the terminal only"),
    "actions": ("skip-warn", "documented", "it has nothing that a person could press"),
    "config_patch": ("native", "documented", "keys of settings.json, set only when absent"),
    "native_hooks": ("native", "proven", "the events that it has beyond the thirteen, MessageDisplay for one"),
}
TRANSPORTS = {
    "stdio": ("proven", "`command`, `args`, `env`, `cwd`"),
    "http": ("documented", "`httpUrl` with `headers`"),
    "sse": ("documented", "`url` with `headers`"),
}
STEPS = (
    (
        "server",
        "",
        "allow its tools when asked: a headless run refuses them, unless told to approve all or to trust the server",
    ),
    (
        "server",
        "",
        "the model finds its tools by a search; `tools.toolSearch.enabled: false` in settings.json offers them at once",
    ),
    (
        "server",
        "project",
        "approve the server when the terminal asks, or with `qwen mcp approve`: before it is not started",
    ),
    ("hooks", "", "start it anew or open /hooks: a running session does not see new hooks"),
)
REPLACED_BY = None
LOADS_HOOKS_OF: tuple[str, ...] = ()
# Settings that a config patch may not touch: approvals, accounts, secrets, and what we register ourselves.
CONFIG_DENIED = (
    "security*",
    "permissions*",
    "tools*",
    "mcp*",
    "hooks*",
    "disableAllHooks",
    "env*",
    "modelProviders*",
    "telemetry*",
    "outboundCorrelation*",
    "ui.statusLine*",
)
QUIRKS = (
    ("changed arguments are ignored, whatever its documentation says, with and without a grant", "2026-11-30"),
    ("a block after a tool is ignored; text for the model is taken there", "2026-11-30"),
    ("a hook before a tool has no way to give the model a text", "2026-11-30"),
    ("a text that Stop answers with is not read, whatever its documentation says: only a block goes on", "2026-11-30"),
    ("a call that needs approval is refused headless before any hook is asked", "2026-11-30"),
    (
        "UserPromptSubmit fires before every request to the model; handlers are not asked where there is no prompt",
        "2026-11-30",
    ),
    ("settings.json is rewritten at the next start (`$version` is added)", "2026-11-30"),
    ("settings.json: a trailing comma or an empty file keeps the program from starting", "2026-11-30"),
    ("a hook's time limit of 1000 or more means milliseconds", "2026-11-30"),
    ("a reference to a variable that is not set stays as it is written; there are no defaults", "2026-11-30"),
    ("a tool whose name is long or has a dot in it gets another one, with a hash at its end", "2026-11-30"),
    ("servers and hooks inherit the whole environment, the model's key too", "2026-11-30"),
    ("npm installs an old release without a word when Node is older than 22", "2026-11-30"),
)
SOURCES = (
    ("Qwen Code 0.24.4, run offline against a scripted model", "2026-11-30"),
    ("the documentation and code shipped in @qwen-code/qwen-code 0.24.4", "2026-11-30"),
)
