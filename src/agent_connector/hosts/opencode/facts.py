"""Who OpenCode is and what it has."""

from agent_connector.hosts.dialects import opencode_facts

ID = "opencode"
NAME = "OpenCode"
VENDOR = "Anomaly"
KIND = "cli"
PARADIGM = "plugin"

SURFACES = opencode_facts.surfaces("proven", "opencode.json or opencode.jsonc")
TRANSPORTS = opencode_facts.transports("proven")
STEPS = (
    ("server", "", "start it anew: opencode.json is read once"),
    ("hooks", "", "start it anew: plugins are loaded once"),
    ("hooks", "", "the first start installs its plugin package from npm: without a network it waits about 95 s"),
)
REPLACED_BY = None
LOADS_HOOKS_OF: tuple[str, ...] = ()
CONFIG_DENIED = opencode_facts.CONFIG_DENIED
QUIRKS = (
    ("a wrong shape or an unknown key in opencode.json keeps the program from starting", "2026-11-30"),
    ("arguments change in place only: a new object is ignored", "2026-11-30"),
    ("an MCP tool's result is `content`, a built-in tool's `output`", "2026-11-30"),
    ("the plugin hook `permission.ask` is never called; the event permission.asked is", "2026-11-30"),
    ("a changed input may stand in the model's own history too (seen for built-in tools)", "2026-11-30"),
    ("a plugin that refuses a prompt looks like a server error, whose reason only the log has", "2026-11-30"),
    ('`opencode run "two words"` sends the prompt with the quotes around it', "2026-11-30"),
    ("a hook that hangs hangs the turn: the bridge has a time limit of its own", "2026-11-30"),
    ("Kilo sets OPENCODE=1 too", "2026-11-30"),
)
SOURCES = (
    ("OpenCode 1.18.33, run offline against a scripted model", "2026-11-30"),
    ("the code and the guide inside opencode-ai 1.18.33", "2026-11-30"),
)
