"""Who Mux is and what it has; it is called Xum now, and both names of its folders are served."""

ID = "mux"
NAME = "Mux"
VENDOR = "Coder"
KIND = "desktop"
PARADIGM = "script-files"

SURFACES = {
    "server": ("native", "documented", "`servers` of mcp.jsonc, each a line for a shell"),
    "hooks": ("native", "documented", "the programs tool_pre and tool_post: they call those of our connectors"),
    "commands": ("native", "documented", "as skills that only /<name> calls"),
    "skills": ("native", "documented", ".agents/skills/<name>/SKILL.md, which other hosts read too"),
    "subagents": ("native", "documented", "agents/<name>.md"),
    "memory": ("native", "documented", "a block in AGENTS.md, or in the file that is read in its place"),
    "statusline": ("skip-warn", "documented", "it has no status line that a command could fill"),
    "actions": ("skip-warn", "documented", "it has nothing that a person could press"),
    "config_patch": ("skip-warn", "documented", "its config.json is its own store"),
    "native_hooks": ("native", "documented", "init, once when a workspace is made, in a project"),
}
TRANSPORTS = {
    "stdio": ("documented", "`command`, one line for a shell, with the variables in front of it"),
    "http": ("documented", "`transport: http`, `url`, `headers`"),
    "sse": ("documented", "`transport: sse`, `url`, `headers`"),
}
STEPS = (
    ("server", "project", "trust the project (`xum trust`): its servers are off before"),
    ("hooks", "", "trust the project (`xum trust`): no hook runs before"),
)
REPLACED_BY = (
    "Xum, the same program under its new name: ~/.xum and .xum/ are read first, ~/.mux and .mux/ where they alone are"
)
LOADS_HOOKS_OF: tuple[str, ...] = ()
CONFIG_DENIED: tuple[str, ...] = ()
QUIRKS = (
    ("a project's tool_pre or tool_post takes the place of the person's own", "2026-11-30"),
    ("a hook has 10 s, and is told of a call in variables", "2026-11-30"),
    ("servers and hooks run where the workspace is, which may be another machine", "2026-11-30"),
    ("a malformed mcp.jsonc counts as an empty one", "2026-11-30"),
    ("a header can hold a project's secret, and no variable", "2026-11-30"),
    ("names of tools are written small, with `_` for all but letters and digits", "2026-11-30"),
    ("hooks are an experiment of it and may change", "2026-11-30"),
    ("what a hook would be on Windows is told nowhere, so none is written there", "2026-11-30"),
)
SOURCES = (("the documentation and source of coder/mux, now coder/xum, 0.28", "2026-08-22"),)
