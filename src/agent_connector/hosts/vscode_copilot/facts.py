"""Who GitHub Copilot in VS Code is and what it has. What is said is of its Local harness; the Copilot one is a CLI's."""

ID = "vscode-copilot"
NAME = "GitHub Copilot in VS Code"
VENDOR = "GitHub"
KIND = "extension"
PARADIGM = "json-stdio"

SURFACES = {
    "server": ("native", "documented", "`servers` of mcp.json in the User folder, or of .vscode/mcp.json"),
    "hooks": (
        "native",
        "documented",
        "a file of its own in ~/.copilot/hooks or .github/hooks, eight of thirteen (preview)",
    ),
    "commands": ("native", "documented", "prompt files, <name>.prompt.md: for the Local harness alone"),
    "skills": ("native", "documented", ".agents/skills/<name>/SKILL.md, which other hosts read too"),
    "subagents": ("native", "documented", "<name>.agent.md in ~/.copilot/agents or .github/agents, as for Copilot CLI"),
    "memory": (
        "native",
        "documented",
        "a block in a project's AGENTS.md or copilot-instructions.md; a person's is uncertain",
    ),
    "statusline": ("skip-warn", "documented", "it has no status line that a command could fill"),
    "actions": ("skip-warn", "documented", "it has nothing that a person could press"),
    "config_patch": ("native", "documented", "keys of the editor's settings.json, set only when absent"),
    "native_hooks": ("skip-warn", "documented", "the further events are those of Copilot CLI: name that host"),
}
TRANSPORTS = {
    "stdio": ("documented", "`type: stdio` with `command`, `args`, `env`, `cwd`"),
    "http": ("documented", "`type: http` with `url`, `headers`"),
    "sse": ("documented", "`type: sse` with `url`, `headers`"),
}
STEPS = (
    ("server", "", "trust the server when the editor asks: it is not started before"),
    (
        "server",
        "",
        "for sessions with the Copilot agent install for copilot-cli too: they read its files and not these",
    ),
    ("commands", "", "for sessions with the Copilot agent install for copilot-cli too: they load no prompt files"),
    ("memory", "user", 'put `applyTo: "**"` into the head of the file, where the editor does not take it as it is'),
)
REPLACED_BY = None
LOADS_HOOKS_OF = ("claude-code", "copilot-cli")
# Settings that a config patch may not touch: what the agent may do, accounts, and what we register ourselves.
CONFIG_DENIED = (
    "chat.tools.*",
    "chat.mcp.*",
    "chat.hook*",
    "chat.agent.*approve*",
    "*autoApprove*",
    "security.*",
    "http.proxy*",
    "mcp*",
    "github.copilot.*auth*",
    "github.copilot.advanced*",
    "terminal.integrated.env*",
    "terminal.integrated.profiles*",
    "terminal.integrated.automationProfile*",
)
CONFIG_FORMAT, CONFIG_FLAT = "jsonc", True
QUIRKS = (
    ("the Copilot harness is the runtime of Copilot CLI: it reads .mcp.json and ~/.copilot, not .vscode", "2026-11-30"),
    (
        "the Local harness loads Claude Code's settings too, and every file of Copilot CLI's folders of hooks",
        "2026-11-30",
    ),
    ("a matcher is ignored: every tool starts our program, and the manifest decides", "2026-11-30"),
    ("the block of a Stop stands inside `hookSpecificOutput`, unlike Claude Code's: both are sent", "2026-11-30"),
    ("new arguments that do not fit the tool's schema are ignored", "2026-11-30"),
    ("payloads name session and event in camelCase, the rest in snake_case", "2026-11-30"),
    ("a tool of a server is mcp_<server>_<tool> in small letters, cut", "2026-11-30"),
    ("VS Code's forks set its variables too: its terminal proves nothing", "2026-11-30"),
    (
        "of several editions (Code, Insiders, VSCodium) the first that is there is served, with its default profile",
        "2026-11-30",
    ),
)
SOURCES = (
    (
        "VS Code's documentation: hooks and their reference, MCP, customizations, migration; nothing was run",
        "2026-11-30",
    ),
)
