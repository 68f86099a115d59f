"""Who Gemini CLI is and what it has."""

ID = "gemini-cli"
NAME = "Gemini CLI"
VENDOR = "Google"
KIND = "cli"
PARADIGM = "json-stdio"

SURFACES = {
    "server": (
        "native",
        "proven",
        "`mcpServers` of settings.json; a `_` in the server's name confuses its policy rules",
    ),
    "hooks": ("native", "proven", "`hooks` of settings.json, nine of thirteen events"),
    "commands": ("native", "proven", "TOML files in commands/, `$ARGUMENTS` becomes `{{args}}`"),
    "skills": ("native", "proven", "skills/<name>/SKILL.md, opened by its own tool activate_skill"),
    "subagents": ("native", "proven", "agents/<name>.md; those of a project were not offered in a headless run"),
    "memory": ("native", "proven", "a block in GEMINI.md; AGENTS.md and CLAUDE.md are not read"),
    "statusline": ("skip-warn", "documented", "its footer shows built-in items only, no command's output"),
    "actions": ("skip-warn", "documented", "it has nothing that a person could press"),
    "config_patch": ("native", "documented", "keys of settings.json, set only when absent"),
    "native_hooks": ("native", "proven", "BeforeModel, AfterModel and BeforeToolSelection"),
}
TRANSPORTS = {
    "stdio": ("proven", "`command`, `args`, `env`, `cwd`"),
    "http": ("documented", "`url` with `type: http`"),
    "sse": ("documented", "`url` with `type: sse`"),
}
_TRUST = "trust the folder (start `gemini` in it once): in an untrusted one {} user scope included"
STEPS = (
    ("server", "", _TRUST.format("no server starts,")),
    (
        "server",
        "",
        "approve its tools when asked: a headless run does not offer them before, unless told to approve all",
    ),
    ("hooks", "", _TRUST.format("no hook fires,")),
    ("hooks", "project", "the first run in the project names the new hooks: look at them once"),
    ("commands", "project", "trust the folder: project commands are not loaded before"),
)
REPLACED_BY = None
LOADS_HOOKS_OF: tuple[str, ...] = ()
CONFIG_DENIED = (
    "security*",
    "tools*",
    "mcp*",
    "hooks*",
    "admin*",
    "policyPaths*",
    "adminPolicyPaths*",
    "telemetry*",
    "general.defaultApprovalMode",
    "advanced.excludedEnvVars",
)
QUIRKS = (
    (
        "every exit code of a hook but 0 and 1 blocks, 127 of a missing program too: no prompt gets through",
        "2026-11-30",
    ),
    ("a hook that answers `ask` hangs a headless run until it is killed: ask becomes deny", "2026-11-30"),
    (
        "a context from SessionStart stands before the first prompt, so that one's /command is not expanded",
        "2026-11-30",
    ),
    ("a base URL without a chosen way to log in means `gateway`, which a headless run refuses", "2026-11-30"),
    ("PreCompress fires before every model turn, compressing or not", "2026-11-30"),
    ("settings.json: a BOM, a trailing comma or an empty file keeps the program from starting (exit 52)", "2026-11-30"),
    ("what a hook prints on stderr becomes its answer when stdout is empty", "2026-11-30"),
    ("on Windows a hook's command is read by PowerShell (by its code; not run there)", "2026-11-30"),
    ("servers do not inherit variables that look like keys: name them in the server's `env`", "2026-11-30"),
    ("since 2026-06-18 it serves no individual accounts, only licences, API keys and Vertex", "2026-06-18"),
)
SOURCES = (
    ("Gemini CLI 0.61.0, run offline against a scripted model", "2026-11-30"),
    ("the documentation and code shipped in @google/gemini-cli 0.61.0", "2026-11-30"),
)
