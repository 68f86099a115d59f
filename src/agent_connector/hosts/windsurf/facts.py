"""Who Windsurf is, which is called Devin Desktop now, and what its two agents have: Devin Local, and Cascade before it."""

ID = "windsurf"
NAME = "Windsurf (Devin Desktop)"
VENDOR = "Cognition"
KIND = "ide"
PARADIGM = "json-stdio"

SURFACES = {
    "server": ("native", "documented", "`mcpServers` of mcp_config.json; Cascade has none for a project"),
    "hooks": (
        "native",
        "documented",
        "Devin: hooks.v1.json or config.json, eight of thirteen events; Cascade: hooks.json, four",
    ),
    "commands": ("native", "documented", "Devin: skills; Cascade: workflows/<name>.md, at most 12,000 characters"),
    "skills": ("native", "documented", ".agents/skills/<name>/SKILL.md, which other hosts read too"),
    "subagents": ("native", "documented", "Devin: agents/<name>/AGENT.md; Cascade has none"),
    "memory": (
        "native",
        "documented",
        "a block in a project's AGENTS.md, or in a person's AGENTS.md or global_rules.md",
    ),
    "statusline": ("skip-warn", "documented", "it has no status line that a command could fill"),
    "actions": ("skip-warn", "documented", "it has nothing that a person could press"),
    "config_patch": ("native", "uncertain", "keys of Devin's config.json, set only when absent"),
    "native_hooks": (
        "skip-warn",
        "documented",
        "the events that are left are those of one agent: hooks reach them all",
    ),
}
TRANSPORTS = {
    "stdio": ("documented", "`command`, `args`, `env`"),
    "http": ("documented", "`url`, `headers`; Cascade reads `url` beside its own `serverUrl`"),
    "sse": ("documented", "`url`, `headers`: the host tells the two apart"),
}
STEPS = (
    ("server", "", "press refresh in the MCP panel, or start it again; a team's admin may have to allow MCP first"),
    ("hooks", "project", "trust the workspace when the editor asks"),
)
REPLACED_BY = "Devin (Devin Desktop since 2026-06-02, and the program `devin`), which this host serves too"
LOADS_HOOKS_OF = ("claude-code",)
# Settings that a config patch may not touch: what the agent may do, accounts, and what we register ourselves.
CONFIG_DENIED = ("permissions*", "permission*", "*auth*", "*token*", "*key*", "hooks*", "mcp*", "*sandbox*", "*proxy*")
QUIRKS = (
    ("two agents live in one product: where Devin is there its files are written, else Cascade's", "2026-11-30"),
    ("Cascade's hooks can refuse, by exit code 2 before something is done, and nothing else", "2026-11-30"),
    ("Cascade has no events for sessions, searches, the browser and lists of things to do", "2026-11-30"),
    ("Devin loads the hooks of Claude Code's settings too", "2026-11-30"),
    ("a hook of Cascade has no time limit of its own", "2026-11-30"),
    ("beyond 100 tools of all servers together Cascade cuts them", "2026-11-30"),
    ("Cascade reads 6,000 characters of a person's global_rules.md", "2026-11-30"),
    ("whether Devin fills in `${env:NAME}` is not written down; Cascade does, everywhere", "2026-11-30"),
    ("a headless run of `devin` prints text alone, no session and no counts: ACP tells more", "2026-11-30"),
)
SOURCES = (
    ("docs.windsurf.com and docs.devin.ai: hooks, MCP, rules, workflows, skills; nothing was run", "2026-11-30"),
)
