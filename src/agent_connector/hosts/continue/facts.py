"""Who Continue was and what it had; it is still served where a person has it."""

from agent_connector.hosts.dialects import mcp_only

ID = "continue"
NAME = "Continue"
VENDOR = "Continue Dev"
KIND = "extension"
PARADIGM = "mcp-only"

SURFACES = mcp_only.surfaces(
    "documented",
    {
        "server": ("proven", "`mcpServers` of a person's config.yaml, a list that the CLI and the editors read"),
        "commands": ("documented", "prompts/<name>.md, called as /<name> in the editors; the CLI reads none"),
        "skills": ("documented", ".continue/skills/<name>/SKILL.md"),
        "memory": ("proven", "a block in a project's AGENTS.md, or in a rule of a person's own"),
    },
)
SURFACES["hooks"] = ("skip-warn", "proven", "it carries code for hooks that nothing calls: none ever fired")
TRANSPORTS = {
    "stdio": ("proven", "`type: stdio`, `command`, `args`, `env`, `cwd`"),
    "http": ("documented", "`type: streamable-http`, `url`, `requestOptions.headers`"),
    "sse": ("documented", "`type: sse`, `url`, `requestOptions.headers`"),
}
STEPS = (("server", "", "start it anew: config.yaml is read at its start"),)
REPLACED_BY = "nothing: Continue ended with 2.0.0 on 2026-06-18, and its repository is read-only"
LOADS_HOOKS_OF: tuple[str, ...] = ()
CONFIG_DENIED: tuple[str, ...] = ()
QUIRKS = (
    ("one server that does not start ends a headless run", "2026-11-30"),
    ("a tool stands before the model under its bare name: those of two servers can collide", "2026-11-30"),
    ("of two servers with one name the first counts", "2026-11-30"),
    ("a config.yaml without a model is of no use, so none is made where there is none", "2026-11-30"),
    ("a config.yaml with a mistake is not loaded at all", "2026-11-30"),
    ("a server has no switch in its entry, and no list of tools", "2026-11-30"),
    (
        "a secret is `${{ secrets.NAME }}`, from the environment or an .env file; one that is missing ends a run",
        "2026-11-30",
    ),
    ("servers of its CLI inherit the whole environment", "2026-11-30"),
)
SOURCES = (
    ("Continue CLI 1.5.47, run offline against a scripted model", "2026-11-30"),
    ("the last source of continuedev/continue", "2026-06-18"),
)
