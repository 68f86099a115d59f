"""Who the Antigravity CLI is and what it has."""

from agent_connector.hosts.dialects import antigravity_host

ID = "antigravity-cli"
NAME = "Antigravity CLI"
VENDOR = "Google"
KIND = "cli"
PARADIGM = "json-stdio"

SURFACES = {
    "server": (
        "native",
        "documented",
        "`mcpServers` of ~/.gemini/config/mcp_config.json, or of .agents/mcp_config.json",
    ),
    "hooks": ("native", "documented", "one named hook in hooks.json, five of thirteen events out of four of its own"),
    "commands": ("native", "uncertain", "workflows/<name>.md, at most 12,000 characters"),
    "skills": ("native", "documented", "skills/<name>/SKILL.md of ~/.gemini/config or .agents"),
    "subagents": ("native", "documented", "agents/<name>.md (since 1.1.6); lists of tools are not written"),
    "memory": ("native", "documented", "a block in ~/.gemini/GEMINI.md; in a project's AGENTS.md (uncertain)"),
    "statusline": ("native", "documented", "`statusLine` of ~/.gemini/antigravity-cli/settings.json"),
    "actions": ("skip-warn", "uncertain", "it has nothing that a person could press"),
    "config_patch": ("native", "documented", "keys of its settings.json, set only when absent"),
    "native_hooks": ("native", "documented", "PostInvocation, and every PreInvocation"),
}
TRANSPORTS = antigravity_host.TRANSPORTS
STEPS = (
    (
        "server",
        "",
        "start it again, and allow its tools when asked (in a headless run: a permission `mcp(server/tool)`)",
    ),
    ("hooks", "", 'see them listed with `agy -p "/hooks"`: a file that is not understood is dropped without a word'),
)
REPLACED_BY = None
LOADS_HOOKS_OF = ()
# Settings that a config patch may not touch: what the agent may do, accounts, and what we register ourselves.
CONFIG_DENIED = (
    "permissions*",
    "toolPermission*",
    "enableTerminalSandbox*",
    "allowNonWorkspaceAccess*",
    "artifactReviewPolicy*",
    "agentMode*",
    "trustedWorkspaces*",
    "modelProvider*",
    "*auth*",
    "*apiKey*",
    "hooks*",
    "mcpServers*",
    "statusLine*",
)
QUIRKS = (
    *antigravity_host.QUIRKS,
    ("a headless run without --add-dir may see no workspace and so no .agents: it is always given", "2026-11-30"),
    ("the sum at the end of a resumed headless run holds the earlier turns too", "2026-11-30"),
    ("a run that is signed out fails only after a minute", "2026-11-30"),
    ("Google's terms forbid other programs to use the service through its sign-in: a person decides", "2026-11-30"),
)
SOURCES = (
    ("antigravity.google/docs as others sum it up, public issues and readers of others; nothing was run", "2026-11-30"),
)
