"""Who Hermes Agent is and what it has."""

ID = "hermes"
NAME = "Hermes Agent"
VENDOR = "Nous Research"
KIND = "cli"
PARADIGM = "json-stdio"

SURFACES = {
    "server": ("native", "proven", "`mcp_servers` of config.yaml; a project has none"),
    "hooks": ("native", "proven", "`hooks` of config.yaml, once the person has agreed to each command"),
    "commands": ("native", "documented", "as skills, which a person calls as /<name>"),
    "skills": ("native", "documented", "skills/<name>/SKILL.md of its home"),
    "subagents": ("skip-warn", "documented", "it has no subagents as files"),
    "memory": ("native", "proven", "a block in a project's AGENTS.md, or in the file that is read in its place"),
    "statusline": ("skip-warn", "documented", "it has no status line that a command could fill"),
    "actions": ("native", "documented", "`quick_commands` of config.yaml, called as /<connector>-<action>"),
    "config_patch": ("native", "documented", "keys of config.yaml, set only when absent"),
    "native_hooks": ("native", "proven", "transform_tool_result, post_llm_call and nine more events of its own"),
}
TRANSPORTS = {
    "stdio": ("proven", "`command`, `args`, `env`, `timeout` and `connect_timeout` in seconds, `tools`"),
    "http": ("documented", "`url`, `headers`"),
    "sse": ("documented", "`transport: sse`, `url`, `headers`"),
}
STEPS = (
    ("server", "", "start a new session, or /reload-mcp in one that runs"),
    ("hooks", "", "start hermes in a terminal and agree to the hooks; without one: HERMES_ACCEPT_HOOKS=1"),
    ("commands", "", "call them as /<name>"),
)
REPLACED_BY = None
LOADS_HOOKS_OF: tuple[str, ...] = ()
# Settings that a config patch may not touch: models, accounts, what is allowed, and what we register ourselves.
CONFIG_DENIED = (
    "model*",
    "providers*",
    "custom_providers*",
    "fallback*",
    "approvals*",
    "command_allowlist*",
    "security*",
    "secrets*",
    "terminal*",
    "gateway*",
    "plugins*",
    "hooks*",
    "mcp_servers*",
    "quick_commands*",
)
QUIRKS = (
    (
        "a quick command has 30 s, no keys in its environment, nothing of what is typed behind it, and nobody to ask",
        "2026-12-01",
    ),
    ("a hook that was not agreed to is passed over without a word where there is no terminal", "2026-11-30"),
    ("another letter in a hook's command needs the person's agreement again", "2026-11-30"),
    ("an exit code says nothing in 0.19: only an answer in JSON refuses", "2026-11-30"),
    ("0.19 ignores changed arguments; newer ones take them", "2026-11-30"),
    ("servers get a bare environment and what their entry names", "2026-11-30"),
    ("on_session_end fires at the end of each turn; on_session_finalize did not fire in a headless run", "2026-11-30"),
    ("a call that a hook refused fires post_tool_call too", "2026-11-30"),
    ("a profile (hermes -p) has a home and a config.yaml of its own, which HERMES_HOME names", "2026-11-30"),
    ("letters of a server's and a tool's name that are no letters, digits or `_` become `_`", "2026-11-30"),
    ("without its extras `mcp` and `acp` the package has neither", "2026-11-30"),
    ("a quick command has 30 s and gets no keys from the environment", "2026-11-30"),
    (
        "on Windows it splits a hook's command at blanks: a home with a blank in its name keeps hooks from running",
        "2026-11-30",
    ),
)
SOURCES = (
    ("hermes-agent 0.19.0, run offline against a scripted model", "2026-11-30"),
    ("the code shipped in hermes-agent 0.19.0", "2026-11-30"),
    ("its documentation of summer 2026", "2026-06-26"),
)
