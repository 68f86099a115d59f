"""Who GitHub Copilot in JetBrains IDEs is and what it has."""

from agent_connector.hosts.dialects import mcp_only

ID = "jetbrains-copilot"
NAME = "GitHub Copilot in JetBrains IDEs"
VENDOR = "GitHub"
KIND = "extension"
PARADIGM = "mcp-only"

_NO_HOOKS = "GitHub's own table says no; its Copilot agent runs those of copilot-cli: install for that host too"
SURFACES = {
    **mcp_only.surfaces(
        "documented",
        {
            "server": ("uncertain", "`servers` of intellij/mcp.json, which its settings open for editing"),
            "commands": ("documented", "a project's .github/prompts/<name>.prompt.md (preview)"),
            "skills": ("documented", "~/.copilot/skills or .github/skills (preview)"),
            "subagents": ("documented", "a project's .github/agents/<name>.agent.md (preview)"),
            "memory": (
                "documented",
                "a block in a project's AGENTS.md or copilot-instructions.md; a person's is uncertain",
            ),
        },
    ),
    "hooks": ("skip-warn", "documented", _NO_HOOKS),
    "native_hooks": ("skip-warn", "documented", _NO_HOOKS),
}
TRANSPORTS = {
    "stdio": ("uncertain", "`command`, `args`, `env`"),
    "http": ("uncertain", "`url`, and `requestInit` with headers"),
    "sse": ("uncertain", "`url`: tried when Streamable HTTP fails"),
}
STEPS = (("server", "", "for sessions with the Copilot agent install for copilot-cli too: they read its files"),)
REPLACED_BY = None
LOADS_HOOKS_OF = ()
CONFIG_DENIED = ()
QUIRKS = (
    ("no page of GitHub names its mcp.json: what is written is what other installers write", "2026-11-30"),
    ("no variable's value is known to be put into it, and an IDE on macOS has not the shell's variables", "2026-11-30"),
    ("an organisation may forbid MCP servers, without a word in the IDE", "2026-11-30"),
    ("JetBrains' own AI Assistant is another product with servers of its own", "2026-11-30"),
)
SOURCES = (
    ("docs.github.com: Copilot in JetBrains IDEs, table of customizations; nothing was run", "2026-11-30"),
    ("mcp.json files that other programs write", "2026-11-30"),
)
