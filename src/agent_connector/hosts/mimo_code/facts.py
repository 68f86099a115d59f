"""Who MiMoCode is and what it has."""

from agent_connector.hosts.dialects import opencode_facts

ID = "mimo-code"
NAME = "MiMoCode"
VENDOR = "Xiaomi"
KIND = "cli"
PARADIGM = "plugin"

SURFACES = opencode_facts.surfaces("documented", "mimocode.jsonc or mimocode.json", "agent")
TRANSPORTS = opencode_facts.transports("documented")
STEPS = (
    ("server", "", "start it anew: mimocode.jsonc is read once"),
    ("hooks", "", "start it anew: plugins are loaded once"),
)
REPLACED_BY = None
LOADS_HOOKS_OF: tuple[str, ...] = ()
CONFIG_DENIED = opencode_facts.CONFIG_DENIED
QUIRKS = (
    ("it was not run: what its own documentation does not say is as in OpenCode, its parent", "2026-11-30"),
    ("its plugins may not be told of the end of the program, so only deleted sessions end for sure", "2026-11-30"),
    ("it takes servers of Claude Code over too: one that is in both may be there twice", "2026-11-30"),
    ("a context is kept in checkpoints, so compaction is rare", "2026-11-30"),
    ("agents of its own (checkpoint-writer, dream, distill) run in sessions of their own", "2026-11-30"),
)
SOURCES = (("the README, guide and plugin types of XiaomiMiMo/MiMo-Code", "2026-11-30"),)
