"""Who NemoClaw is and what it has: an agent in a sandbox, which nothing on this machine's disk reaches."""

from agent_connector.hosts.dialects import mcp_only

ID = "nemoclaw"
NAME = "NemoClaw"
VENDOR = "NVIDIA"
KIND = "cli"
PARADIGM = "mcp-only"

SURFACES = mcp_only.surfaces("documented", {}) | {
    "server": ("skip-warn", "documented", "a person adds it: `nemoclaw <sandbox> mcp add <name> --url https://...`"),
    "hooks": ("skip-warn", "documented", "a plugin has to be in the image of its sandbox"),
    "native_hooks": ("skip-warn", "documented", "a plugin has to be in the image of its sandbox"),
    "skills": ("skip-warn", "documented", "they lie in its sandbox"),
    "memory": ("skip-warn", "documented", "AGENTS.md of its workspace lies in its sandbox"),
    "actions": ("skip-warn", "documented", "a command of a plugin has to be in the image of its sandbox"),
}
TRANSPORTS: dict[str, tuple[str, str]] = {}
STEPS: tuple[tuple[str, str, str], ...] = ()
REPLACED_BY = None
LOADS_HOOKS_OF: tuple[str, ...] = ()
CONFIG_DENIED: tuple[str, ...] = ("*",)
QUIRKS = (
    ("it takes servers over https only, and none that is a program", "2026-11-30"),
    ("~/.openclaw of this machine is another agent's: OpenClaw's own", "2026-11-30"),
    ("who runs `agent-connector install` inside its sandbox installs for the OpenClaw in there", "2026-12-01"),
)
SOURCES = (("docs of NVIDIA/NemoClaw, add-mcp-server", "2026-11-30"),)
