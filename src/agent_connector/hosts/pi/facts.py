"""Who Pi is and what it has."""

ID = "pi"
NAME = "Pi"
VENDOR = "Earendil Works"
KIND = "cli"
PARADIGM = "plugin"

SURFACES = {
    "server": ("native", "proven", '`mcpServers` of mcp.json, with `exposure: "direct"`'),
    "hooks": ("native", "proven", "one generated extension, ten of thirteen events"),
    "commands": ("native", "documented", "prompt templates prompts/<name>.md, with `$ARGUMENTS`"),
    "skills": ("native", "proven", "skills/<name>/SKILL.md"),
    "subagents": ("skip-warn", "documented", "it has no subagents of its own"),
    "memory": ("native", "proven", "a block in AGENTS.md, or in the file that is read in its place"),
    "statusline": ("skip-warn", "documented", "only an extension can write there, no command"),
    "actions": ("native", "proven", "commands /<connector>-<action> of a generated extension"),
    "config_patch": ("native", "documented", "keys of settings.json, set only when absent"),
    "native_hooks": ("native", "documented", "the events of extensions that no normalized event stands for"),
}
TRANSPORTS = {
    "stdio": ("proven", "`command`, `args`, `env`, `cwd`"),
    "http": ("documented", "`url`, `headers`; Streamable HTTP"),
}
STEPS = (
    ("server", "", "start it anew, or /reload"),
    ("hooks", "", "start it anew, or /reload"),
    ("server", "project", "trust the project: its servers are not read before"),
    ("hooks", "project", "trust the project: its extensions are not loaded before"),
)
REPLACED_BY = None
LOADS_HOOKS_OF: tuple[str, ...] = ()
# Settings that a config patch may not touch: what decides of trust, of code that is loaded, and of accounts.
CONFIG_DENIED = (
    "defaultProjectTrust*",
    "extensions*",
    "packages*",
    "skills*",
    "prompts*",
    "themes*",
    "mcp*",
    "shell*",
    "npm*",
    "sessionDir*",
    "defaultTools*",
)
QUIRKS = (
    ("a server without `exposure` is reached by programs alone: its tools are not told to the model", "2026-11-30"),
    ("arguments change in place only: an input that is returned is ignored", "2026-11-30"),
    ("the model's own history keeps the call as it was written", "2026-11-30"),
    ("it asks for no leave: every tool runs with the person's rights", "2026-11-30"),
    ("a failed call is a tool_result with isError, so one event tells of both", "2026-11-30"),
    ("with an older Node, npm takes version 0.74 without a word, which has no MCP", "2026-11-30"),
)
SOURCES = (
    ("Pi 1.6.0, run offline against a scripted model", "2026-11-30"),
    ("docs/ of @earendil-works/pi-coding-agent 1.6.0", "2026-11-30"),
)
