"""Who Codex is and what it has."""

ID = "codex"
NAME = "Codex CLI"
VENDOR = "OpenAI"
KIND = "cli"
PARADIGM = "json-stdio"

SURFACES = {
    "server": ("native", "proven", "`[mcp_servers.<name>]` of config.toml, stdio and http"),
    "hooks": ("native", "proven", "hooks.json beside config.toml, eleven of thirteen events, after the person's trust"),
    "commands": ("native", "proven", "as skills that only `$name` calls: prompts are given up and never run headless"),
    "skills": ("native", "proven", ".agents/skills/<name>/SKILL.md, which other hosts read too"),
    "subagents": ("native", "proven", "agents/<name>.toml; lists of tools have no place in it"),
    "memory": ("native", "proven", "a block in AGENTS.md, or in AGENTS.override.md where there is one"),
    "statusline": ("skip-warn", "documented", "its line shows built-in items only, no command's output"),
    "actions": ("skip-warn", "documented", "it has nothing that a person could press"),
    "config_patch": ("native", "documented", "keys of config.toml, set only when absent"),
    "native_hooks": ("native", "documented", "Interrupt, PreModelRequest and PostModelRequest"),
}
TRANSPORTS = {
    "stdio": ("proven", "`command`, `args`, `env`, `env_vars`, `cwd`"),
    "http": ("documented", "`url` with `bearer_token_env_var`, `http_headers`, `env_http_headers`"),
}
STEPS = (
    ("hooks", "", "start codex, type /hooks and trust the new ones: no hook runs before, and nothing says so"),
    ("server", "", "allow its tools when asked; a headless run refuses those that are not marked as read-only"),
    ("server", "project", "trust the project when codex asks: its .codex/config.toml is not read before"),
    ("hooks", "project", "trust the project when codex asks: its .codex/hooks.json is not read before"),
    ("subagents", "project", "trust the project when codex asks: its .codex folder is not read before"),
    ("commands", "", "call them as $name: Codex has no slash commands of a person's own"),
)
REPLACED_BY = None
LOADS_HOOKS_OF: tuple[str, ...] = ()
# Settings that a config patch may not touch: approvals, accounts, trust, and what we register ourselves.
CONFIG_DENIED = (
    "profile*",  # each has an approval policy and a sandbox of its own
    "permissions*",
    "default_permissions",
    "plugins*",
    "marketplaces*",
    "approval_policy*",
    "approvals*",
    "sandbox*",
    "mcp_servers*",
    "model_provider*",
    "projects*",
    "hooks*",
    "features.hooks",
    "shell_environment_policy*",
    "forced_*",
    "cli_auth*",
    "auth*",
    "chatgpt_base_url",
    "openai_base_url",
    "otel*",
)
QUIRKS = (
    (
        "a hook that the person has not trusted is silently not run; a new command or timeout is a new hook",
        "2026-11-30",
    ),
    ("one unknown key in a hook's reply voids it: a denial then lets the tool run", "2026-11-30"),
    ("exit code 2 without a word on stderr lets the tool run", "2026-11-30"),
    ("`-` in the names of servers and tools is `_` in the names that hooks see", "2026-11-30"),
    ("a comment or a BOM in hooks.json drops every hook of the file", "2026-11-30"),
    ("a wrong type anywhere in config.toml keeps all of codex from starting", "2026-11-30"),
    ("a server sees nine variables of the person's environment and those that `env_vars` names", "2026-11-30"),
    ("`env` of a server wins over `env_vars`", "2026-11-30"),
    ("hooks of hooks.json and of config.toml all run: the same one in both runs twice", "2026-11-30"),
    ("SessionEnd hooks are cut after three seconds", "2026-11-30"),
    ("all AGENTS.md files together count up to 32 KiB; what is beyond is not read", "2026-11-30"),
)
SOURCES = (
    ("Codex CLI 0.171.0, run offline against a scripted model", "2026-11-30"),
    ("the help and schemas shipped in @openai/codex 0.171.0", "2026-11-30"),
)
