"""Who Kilo Code is and what it has."""

from agent_connector.hosts.dialects import opencode_facts

ID = "kilo"
NAME = "Kilo Code"
VENDOR = "Kilo"
KIND = "extension"
PARADIGM = "plugin"

SURFACES = opencode_facts.surfaces("documented", "kilo.json or kilo.jsonc, which Kilo CLI reads too")
TRANSPORTS = opencode_facts.transports("documented")
STEPS = (
    ("server", "", "reload the editor's window: kilo.json is read once"),
    ("hooks", "", "reload the editor's window: plugins are loaded once"),
)
REPLACED_BY = None
LOADS_HOOKS_OF: tuple[str, ...] = ()
CONFIG_DENIED = opencode_facts.CONFIG_DENIED
QUIRKS = (
    ("it runs the backend of Kilo CLI on the same files: what is installed for one is there for both", "2026-11-30"),
    ("before version 7 it was a fork of Roo Code with files of its own, which nothing is written to", "2026-11-30"),
    ("the backend still reads .kilocode/mcp.json and the extension's old mcp_settings.json", "2026-11-30"),
)
SOURCES = (("kilo.ai/docs; the backend was run as Kilo CLI 7.7.7, the extension itself was not", "2026-11-30"),)
