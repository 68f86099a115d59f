"""Who Codebuff is and what it has."""

from agent_connector.hosts.dialects import mcp_only

ID = "codebuff"
NAME = "Codebuff"
VENDOR = "CodebuffAI"
KIND = "cli"
PARADIGM = "mcp-only"

SURFACES = mcp_only.surfaces(
    "documented",
    {
        "server": ("documented", "`mcpServers` of .agents/mcp.json"),
        "commands": ("uncertain", "skills, which a person calls as /skill:<name>"),
        "skills": ("documented", ".agents/skills/<name>/SKILL.md, which other hosts read too"),
        "memory": (
            "documented",
            "a block in knowledge.md where there is one, else in AGENTS.md; uncertain for a person's own",
        ),
    },
)
TRANSPORTS = {
    "stdio": ("documented", "`command`, `args`, `env`"),
    "http": ("documented", "`type` http, `url`, `headers`"),
    "sse": ("uncertain", "`type` sse, `url`, `headers`"),
}
STEPS = ()
REPLACED_BY = None
LOADS_HOOKS_OF = ()
CONFIG_DENIED = ()
QUIRKS = (
    ("a variable that is not set, or one wrong entry, makes it skip the whole file without a word", "2026-11-30"),
    ("subagents are TypeScript modules; none is written", "2026-11-30"),
    ("the free variant, freebuff, reads the same .agents files", "2026-11-30"),
    ("servers go to the base agent alone; an agent of a person's own declares its own", "2026-11-30"),
)
SOURCES = (("codebuff.com/docs and the source of CodebuffAI/codebuff", "2026-11-30"),)
