"""Who OpenClaw is and what it has."""

ID = "openclaw"
NAME = "OpenClaw"
VENDOR = "OpenClaw"
KIND = "cli"
PARADIGM = "plugin"

SURFACES = {
    "server": ("native", "proven", "`mcp.servers` of openclaw.json, which is JSON5"),
    "hooks": ("native", "proven", "one generated plugin in extensions/, eleven of thirteen events"),
    "commands": (
        "native",
        "proven",
        "skills that only the person calls, as `/skill <name>`, or as /<name> with `_` in the place of each `-`",
    ),
    "skills": ("native", "proven", "skills/<name>/SKILL.md of the state folder"),
    "subagents": ("skip-warn", "documented", "its agents are entries of openclaw.json, not files"),
    "memory": ("native", "proven", "a block in AGENTS.md of the agent's workspace"),
    "statusline": ("skip-warn", "documented", "it has no status line"),
    "actions": ("native", "proven", "commands /<connector>-<action> of a generated plugin, without the model"),
    "config_patch": ("native", "proven", "keys of openclaw.json, set only when absent"),
    "native_hooks": ("native", "proven", "the typed hooks of plugins that no normalized event stands for"),
}
TRANSPORTS = {
    "stdio": ("proven", "`command`, `args`, `env`, `cwd`"),
    "http": ("proven", "`url`, `headers`, `transport: streamable-http`"),
    "sse": ("proven", "`url`, `headers`, `transport: sse`"),
}
STEPS = (
    ("hooks", "", "`openclaw plugins reload`, or start the Gateway anew: plugins are loaded at its start"),
    (
        "actions",
        "",
        "`openclaw plugins reload`, or start the Gateway anew; without one there is no chat to send them in",
    ),
)
REPLACED_BY = None
LOADS_HOOKS_OF: tuple[str, ...] = ()
# Settings that a config patch may not touch: what decides of leave, of code that is loaded, of channels and accounts.
CONFIG_DENIED = (
    "mcp*",
    "plugins*",
    "hooks*",
    "tools*",
    "gateway*",
    "channels*",
    "models*",
    "auth*",
    "secrets*",
    "env*",
    "sandbox*",
    "agents*",
    "approvals*",
    "commands*",
)
QUIRKS = (
    ("memory follows agents.defaults.workspace; a workspace of a single agent is not followed", "2026-12-01"),
    ("an MCP call is told twice, as tool_call and by its own name: the first is left out", "2026-11-30"),
    ("servers get a clean environment: a variable reaches one by its own entry only", "2026-11-30"),
    ("its hooks see the conversation only where the plugin's entry says so, which ours does", "2026-11-30"),
    ("a hook that throws or is late blocks the call: the bridge does neither", "2026-11-30"),
    ("session_start and session_end are told by a Gateway only; the first prompt begins a session then", "2026-11-30"),
    ("a wrong shape in openclaw.json, a key that it does not know too, keeps it from starting", "2026-12-01"),
    ("its model searches for MCP tools and calls them by tool_call: none is offered by name", "2026-11-30"),
    ("after a turn with tools it refuses to go on for a hook: it may have had effects", "2026-11-30"),
    ("it goes on for a hook three times in a turn at most, each time without what the agent had said", "2026-12-01"),
    ("what may be asked is asked in the clients of a Gateway that may approve: without one it is a deny", "2026-12-01"),
    ("a Gateway loads a plugin more than once: the bridge still begins a session once", "2026-12-01"),
    ("it hands a server's result to its model inside a notice that says not to trust it", "2026-12-01"),
    ("over ACP it is a bridge to a Gateway that runs already, and takes no servers for a session", "2026-12-01"),
    ("it needs Node 24.16 or newer: with an older one npm installs a placeholder, 0.0.1", "2026-12-01"),
    ("it reads nothing of the folder in which it is started", "2026-11-30"),
)
SOURCES = (
    ("OpenClaw 2026.9.6, run offline against a scripted model, alone and as a Gateway", "2026-12-01"),
    ("documentation and types in the npm package openclaw 2026.9.6", "2026-11-30"),
)
