"""Who goose is and what it has."""

ID = "goose"
NAME = "goose"
VENDOR = "Agentic AI Foundation"
KIND = "cli"
PARADIGM = "json-stdio"

SURFACES = {
    "server": ("native", "documented", "`extensions` of config.yaml; a project has none"),
    "hooks": ("native", "documented", "a plugin of our own, .agents/plugins/agent-connector-<id>/hooks/hooks.json"),
    "commands": ("native", "documented", "as skills: a slash command of its own is an entry that points at a recipe"),
    "skills": ("native", "documented", ".agents/skills/<name>/SKILL.md, which other hosts read too"),
    "subagents": ("native", "documented", ".agents/agents/<name>.md, without a list of tools"),
    "memory": ("native", "documented", "a block in a project's AGENTS.md; a person's .goosehints is no Markdown file"),
    "statusline": ("skip-warn", "documented", "it has no status line that a command could fill"),
    "actions": ("skip-warn", "documented", "it has nothing that a person could press"),
    "config_patch": ("native", "documented", "keys of config.yaml, set only when absent"),
    "native_hooks": ("native", "documented", "PreToolUseResult, and four events of files and shells"),
}
TRANSPORTS = {
    "stdio": ("documented", "`cmd`, `args`, `envs`, `cwd`, `timeout` in seconds, `available_tools`"),
    "http": ("documented", "`type: streamable_http`, `uri`, `headers`, `env_keys`"),
}
STEPS = (
    ("server", "", "start a new session: one that runs does not see a new extension"),
    ("hooks", "", "start a new session: plugins are read at its start"),
)
REPLACED_BY = None
LOADS_HOOKS_OF: tuple[str, ...] = ()
# Settings that a config patch may not touch: models, accounts, what is allowed, and what we register ourselves.
CONFIG_DENIED = (
    "active_provider",
    "providers*",
    "GOOSE_PROVIDER",
    "GOOSE_MODEL",
    "GOOSE_MODE",
    "GOOSE_ALLOWLIST",
    "extensions*",
    "slash_commands*",
    "security*",
    "*_API_KEY",
    "*_HOST",
)
QUIRKS = (
    ("a hook can refuse a tool call, and nothing else: no text of a hook reaches the model", "2026-11-30"),
    ("at PreToolUse any other word on stdout counts as a failure of the hook", "2026-11-30"),
    ("a hooks.json that it does not understand turns off all hooks of the plugin", "2026-11-30"),
    ("an entry that it does not understand is dropped without a word", "2026-11-30"),
    ("some 30 variables (PATH, NODE_OPTIONS, PYTHONPATH ...) cannot be set for a server", "2026-11-30"),
    ("the program `goose` may be another one (a tool for databases): its config folder tells", "2026-11-30"),
    (
        ".agents/plugins is read by other hosts too, which may start our hooks: they then answer as goose's",
        "2026-11-30",
    ),
    ("the type `sse` is read and never started", "2026-11-30"),
    ("a plugin that a person has turned off stands in disabledPlugins of settings.json", "2026-11-30"),
)
SOURCES = (("the documentation and source of aaif-goose/goose, up to autumn 2026", "2026-11-30"),)
