"""Who GitHub Copilot CLI is and what it has."""

ID = "copilot-cli"
NAME = "GitHub Copilot CLI"
VENDOR = "GitHub"
KIND = "cli"
PARADIGM = "json-stdio"

SURFACES = {
    "server": ("native", "proven", "`mcpServers` of ~/.copilot/mcp-config.json, or of a project's .mcp.json"),
    "hooks": ("native", "proven", "a file of its own in hooks/, in camelCase, twelve of thirteen events"),
    "commands": ("native", "documented", "as skills that only the person calls: it has no folder for commands"),
    "skills": ("native", "proven", ".agents/skills/<name>/SKILL.md, which other hosts read too"),
    "subagents": ("native", "proven", "agents/<name>.agent.md; tools can be allowed, not denied"),
    "memory": (
        "native",
        "proven",
        "copilot-instructions.md of the person; in a project AGENTS.md, or one it reads too",
    ),
    "statusline": ("native", "documented", "`statusLine` of settings.json, in the terminal only"),
    "actions": ("skip-warn", "documented", "it has nothing that a person could press"),
    "config_patch": ("native", "documented", "keys of settings.json, set only when absent"),
    "native_hooks": ("native", "proven", "preMcpToolCall, userPromptTransformed and errorOccurred"),
}
TRANSPORTS = {
    "stdio": ("proven", "`type: stdio` with `command`, `args`, `env`, `cwd`"),
    "http": ("documented", "`type: http` with `url`, `headers`"),
    "sse": ("documented", "`type: sse` with `url`, `headers`"),
}
_TRUST = "trust the folder when the terminal asks (headless: --trust-folder): {} not read before"
STEPS = (
    ("server", "", "allow its tools when asked; headless those that are not marked as read-only take --allow-tool"),
    ("server", "project", _TRUST.format("its .mcp.json is")),
    ("hooks", "project", _TRUST.format("its hooks are")),
    ("skills", "project", _TRUST.format("its skills are")),
    ("subagents", "project", _TRUST.format("its agents are")),
    ("commands", "", "call them as /name in the terminal: a headless run expands nothing"),
)
REPLACED_BY = None
# The repository's .claude/settings.json, in a trusted folder; and every file in the folder of its own hooks.
LOADS_HOOKS_OF: tuple[str, ...] = ("claude-code", "vscode-copilot")
# Settings that a config patch may not touch: permissions, trust, accounts, and what we register ourselves.
CONFIG_FORMAT = "jsonc"
CONFIG_DENIED = (
    "trustedFolders*",
    "allowedUrls*",
    "deniedUrls*",
    "permissions*",
    "defaultPermissionMode",
    "hooks*",
    "disableAllHooks",
    "disabledMcpServers*",
    "enabledMcpServers*",
    "bashEnv",
    "proxy*",
    "storeTokenPlaintext",
    "statusLine*",
    "mcpServers*",
)
QUIRKS = (
    ("a preToolUse hook that fails, or is gone, denies every call: the answer is always a JSON object", "2026-11-30"),
    (
        "an event's style decides the replies: camelCase takes text, new results and permissions, PascalCase does not",
        "2026-11-30",
    ),
    ("in a camelCase file `hookSpecificOutput` and `updatedInput` are ignored: replies are flat", "2026-11-30"),
    ("a tool's name is `<server>-<tool>`, cut at 64 letters; at permissionRequest `<server>/<tool>`", "2026-11-30"),
    ("events of tools have no id of the call", "2026-11-30"),
    ("changed arguments stand in the model's own history too", "2026-11-30"),
    ("the end of a subagent's turn fires agentStop as well; it is not taken for the end of the agent's", "2026-11-30"),
    ("a refused prompt ends a headless run with exit code 1", "2026-11-30"),
    ("a bad server in mcp-config.json is dropped without a word; a wrong root key stops the program", "2026-11-30"),
    ("every instruction file is read at once: the same block in two files is sent twice", "2026-11-30"),
    ("a server's own instructions do not reach the model", "2026-11-30"),
)
SOURCES = (
    ("GitHub Copilot CLI 1.0.102, run offline against a scripted model, without a login", "2026-11-30"),
    ("its help, changelog and schemas; hooks, configuration and plugin references of the documentation", "2026-11-30"),
)
