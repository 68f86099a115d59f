"""Who Kimi Code CLI is and what it has."""

ID = "kimi"
NAME = "Kimi Code CLI"
VENDOR = "Moonshot AI"
KIND = "cli"
PARADIGM = "json-stdio"

SURFACES = {
    "server": ("native", "proven", "`mcpServers` of mcp.json"),
    "hooks": ("native", "proven", "`[[hooks]]` of the person's config.toml, all thirteen events; a project has none"),
    "commands": ("native", "documented", "as skills that only `/skill:<name>` calls: it has no folder for commands"),
    "skills": ("native", "proven", ".agents/skills/<name>/SKILL.md, which other hosts read too"),
    "subagents": ("native", "proven", "agents/<name>.md"),
    "memory": ("native", "proven", "a block in AGENTS.md"),
    "statusline": ("native", "documented", "`status_line.command` of tui.toml: one line, in the terminal only"),
    "actions": ("skip-warn", "documented", "it has nothing that a person could press"),
    "config_patch": ("native", "documented", "keys of config.toml, set only when absent"),
    "native_hooks": ("native", "proven", "PermissionResult, Interrupt and five more events of its own"),
}
TRANSPORTS = {
    "stdio": ("proven", "`command`, `args`, `env`, `cwd`"),
    "http": ("documented", "`url` with `headers`, `bearerTokenEnvVar`"),
    "sse": ("documented", "`transport: sse` with `url`, `headers`, `bearerTokenEnvVar`"),
}
STEPS = (
    ("server", "", "start a new session: one that runs does not see a new server"),
    ("server", "project", "trust the workspace when the terminal asks (its answer is no by default): it is off before"),
    ("commands", "", "call them as /skill:<name>"),
)
REPLACED_BY = None
LOADS_HOOKS_OF: tuple[str, ...] = ()
# Settings that a config patch may not touch: permissions, accounts with their keys, and what we register ourselves.
CONFIG_DENIED = (
    "default_permission_mode",
    "permission*",
    "providers*",
    "models*",
    "services*",
    "hooks*",
    "mcp*",
    "telemetry",
    "status_line*",
)
QUIRKS = (
    ("one unknown key in `[[hooks]]` keeps the whole config.toml from loading", "2026-11-30"),
    ("one bad entry in mcp.json drops every server of the file", "2026-08-22"),
    ("it puts no variable's value into its files: `${X}` arrives as it is written", "2026-11-30"),
    ("a hook can deny, and add a text to a prompt; nothing else is taken", "2026-11-30"),
    (
        "what a prompt's hook prints is shown to the person as well, in the stream as words of the assistant",
        "2026-11-30",
    ),
    ("a call that a hook refused fires PostToolUseFailure", "2026-11-30"),
    ("hooks after a tool are not waited for, and may be ended with the turn", "2026-11-30"),
    ("after one refusal of a turn's end Stop is not asked again in that turn", "2026-11-30"),
    ("SessionEnd and Notification do not fire in a headless run, nor does PermissionRequest", "2026-11-30"),
    ("a headless run approves by itself: there is no flag for less", "2026-11-30"),
    ("a tool's name has no two `_` in a row, and is cut at 64 letters with a hash at its end", "2026-11-30"),
    ("servers and hooks inherit the whole environment, the model's key too", "2026-11-30"),
    (
        "the Python program kimi-cli is no longer maintained: where only its ~/.kimi is, that gets the server",
        "2026-11-30",
    ),
)
SOURCES = (
    ("Kimi Code CLI 2.1.0, run offline against a scripted model", "2026-11-30"),
    ("the code shipped in @moonshot-ai/kimi-code 2.1.0", "2026-11-30"),
    ("its documentation and source of summer 2026", "2026-08-22"),
)
