"""Who Kilo CLI is and what it has."""

from agent_connector.hosts.dialects import opencode_facts

ID = "kilo-cli"
NAME = "Kilo CLI"
VENDOR = "Kilo"
KIND = "cli"
PARADIGM = "plugin"

SURFACES = opencode_facts.surfaces("proven", "kilo.json or kilo.jsonc")
TRANSPORTS = opencode_facts.transports("proven")
STEPS = (
    ("server", "", "start it anew: kilo.json is read once"),
    ("hooks", "", "start it anew: plugins are loaded once"),
    ("hooks", "", "the first start installs its plugin package from npm: without a network it waits about 95 s"),
)
REPLACED_BY = None
LOADS_HOOKS_OF: tuple[str, ...] = ()
CONFIG_DENIED = opencode_facts.CONFIG_DENIED
QUIRKS = (
    ("Kilo Code runs the same backend on the same files: what is installed for one is there for both", "2026-11-30"),
    ("it sets OPENCODE=1 too", "2026-11-30"),
    ("arguments change in place only", "2026-11-30"),
    ("an MCP tool's result is `content`, a built-in tool's `output`", "2026-11-30"),
    ("the plugin hook `permission.ask` is never called; the event permission.asked is", "2026-11-30"),
    ("without --auto a run refuses what has to be asked for, and ends with exit code 1", "2026-11-30"),
    ("a changed input stands in the model's own history too", "2026-11-30"),
    ('`kilo run "two words"` sends the prompt with the quotes around it', "2026-11-30"),
    ("servers of .kilocode/mcp.json and .kilo/mcp.json are loaded too", "2026-11-30"),
)
SOURCES = (
    ("Kilo CLI 7.7.7, run offline against a scripted model", "2026-11-30"),
    ("the guide inside @kilocode/cli 7.7.9", "2026-11-30"),
)
