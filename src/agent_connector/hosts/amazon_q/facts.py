"""Who Amazon Q Developer CLI was and what it had; it is still served where a person has it."""

from agent_connector.hosts.dialects import mcp_only

ID = "amazon-q"
NAME = "Amazon Q Developer CLI"
VENDOR = "AWS"
KIND = "cli"
PARADIGM = "json-stdio"

SURFACES = mcp_only.surfaces(
    "documented",
    {
        "server": ("documented", "`mcpServers` of ~/.aws/amazonq/mcp.json, or of a project's .amazonq/mcp.json"),
        "hooks": (
            "documented",
            "`hooks` of an agent of ours, cli-agents/agent-connector.json, five of thirteen events",
        ),
        "commands": ("documented", "prompts/<name>.md, which a person calls as @<name>"),
        "subagents": ("documented", "cli-agents/<name>.json, which a person starts with --agent"),
        "memory": ("documented", "a block in a project's AmazonQ.md; a person's own file there is none"),
    },
)
TRANSPORTS = {
    "stdio": ("documented", "`command`, `args`, `env`, `timeout` in milliseconds"),
    "http": ("documented", "`type: http` with `url`, `headers`"),
}
STEPS = (
    ("hooks", "", "start `q chat --agent agent-connector`, or `q settings chat.defaultAgent agent-connector`"),
    ("server", "", 'in an agent of your own set `"useLegacyMcpJson": true`: it sees no servers of mcp.json else'),
)
REPLACED_BY = "Kiro CLI (`kiro-cli`, the host kiro here), which has other paths"
LOADS_HOOKS_OF = ()
CONFIG_DENIED = ()
QUIRKS = (
    (
        "hooks fire only in the agent that is active: ours stands in for the built-in one, with all its tools",
        "2026-11-30",
    ),
    ("what a hook prints is text for the model, JSON too: refusals are exit code 2 and stderr", "2026-11-30"),
    ("payloads name no session", "2026-11-30"),
    ("a remote entry without a type is taken for a program without a name", "2026-11-30"),
    ("a variable that is not set stays as text in `env`", "2026-11-30"),
    ("AGENTS.md is not read by its built-in agent", "2026-11-30"),
    ("`q` is another program on some machines, so it proves nothing", "2026-11-30"),
    ("a headless run goes on with the folder's last conversation alone, so it is not driven", "2026-11-30"),
)
SOURCES = (("the source and documents of aws/amazon-q-developer-cli 1.19, read; nothing was run", "2026-11-30"),)
