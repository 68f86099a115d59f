"""Who Amp is and what it has."""

ID = "amp"
NAME = "Amp"
VENDOR = "Amp"
KIND = "cli"
PARADIGM = "plugin"

SURFACES = {
    "server": ("native", "proven", "the key `amp.mcpServers` of settings.json"),
    "hooks": ("native", "documented", "one generated module in plugins/"),
    "commands": ("native", "documented", "as skills: files of commands were given up for them"),
    "skills": ("native", "documented", ".agents/skills/<name>/SKILL.md, which other hosts read too"),
    "subagents": ("skip-warn", "documented", "it has no subagents as files"),
    "memory": ("native", "uncertain", "a block in AGENTS.md"),
    "statusline": ("skip-warn", "documented", "it has no status line that a command could fill"),
    "actions": ("skip-warn", "documented", "what a person can press is code of a plugin, which we do not write for it"),
    "config_patch": ("native", "documented", "`amp.` keys of settings.json, set only when absent"),
    "native_hooks": ("skip-warn", "documented", "each event of its plugins stands for a normalized one"),
}
TRANSPORTS = {
    "stdio": ("proven", "`command`, `args`, `env`"),
    "http": ("documented", "`url`, `headers`"),
    "sse": ("documented", "`url`, `headers`: tried after Streamable HTTP"),
}
STEPS = (
    ("server", "project", "approve it: `amp mcp approve <name>`; it is not started before"),
    ("hooks", "", "start Amp anew, or run `plugins: reload` from its palette"),
    ("hooks", "", "in a run without a person give --plugin-ready-timeout: the first turn does not wait for plugins"),
)
REPLACED_BY = None
LOADS_HOOKS_OF: tuple[str, ...] = ()
CONFIG_FORMAT, CONFIG_FLAT = "jsonc", True
# Settings that a config patch may not touch: what is allowed, accounts, and what we register ourselves.
CONFIG_DENIED = (
    "amp.mcp*",
    "amp.permissions*",
    "amp.dangerously*",
    "amp.tools*",
    "amp.url",
    "amp.proxy*",
    "amp.hooks*",
)
QUIRKS = (
    (
        "with a key of any text `amp mcp doctor` starts the servers and tells what they offer; without one it waits",
        "2026-11-30",
    ),
    ("a server is not told the key of Amp, and finds no mark of it", "2026-11-30"),
    ("turns, plugins and streams need Amp's own server: they were not seen", "2026-11-30"),
    ("a prompt cannot be refused by a plugin", "2026-11-30"),
    ("a turn's end is put off ten times at most", "2026-11-30"),
)
SOURCES = (
    ("Amp 0.0.1790142911, its part for MCP run offline", "2026-11-30"),
    ("its help and `amp plugins show-docs` of that version", "2026-09-23"),
)
