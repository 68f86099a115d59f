"""Who Auggie, the CLI of Augment Code, is and what it has."""

ID = "augment"
NAME = "Augment Auggie"
VENDOR = "Augment Code"
KIND = "cli"
PARADIGM = "json-stdio"

SURFACES = {
    "server": ("native", "documented", "`mcpServers` of .augment/settings.json"),
    "hooks": ("native", "documented", "`hooks` of the same file, seven of thirteen events, through a script of ours"),
    "commands": ("native", "documented", ".augment/commands/<name>.md"),
    "skills": ("native", "documented", ".agents/skills/<name>/SKILL.md, which other hosts read too"),
    "subagents": ("native", "documented", ".augment/agents/<name>.md, with lists of tools"),
    "memory": ("native", "documented", "a block in a project's AGENTS.md, or in a person's .augment/rules"),
    "statusline": ("skip-warn", "documented", "it has no status line that a command could fill"),
    "actions": ("skip-warn", "documented", "it has nothing that a person could press"),
    "config_patch": ("native", "documented", "keys of settings.json, set only when absent"),
    "native_hooks": ("skip-warn", "documented", "it has no events beyond the seven"),
}
TRANSPORTS = {
    "stdio": ("documented", "`command`, `args`, `env`"),
    "http": ("documented", "`type: http` with `url`, `headers`"),
    "sse": ("documented", "`type: sse` with `url`, `headers`"),
}
STEPS = (("server", "", "allow its tools when asked; headless takes --permission <tool>:allow"),)
REPLACED_BY = None
LOADS_HOOKS_OF = ()
# Settings that a config patch may not touch: permissions, accounts, and what we register ourselves.
CONFIG_DENIED = ("toolPermissions*", "*auth*", "*token*", "*session*", "hooks*", "mcpServers*", "plugins*", "*proxy*")
QUIRKS = (
    ("a hook's command is the path of a script, with its arguments apart: so ours is a script, too", "2026-11-30"),
    ("a tool of a server is `mcp:<tool>_<server>`", "2026-11-30"),
    ("hooks before and after tools fire inside subagents too", "2026-11-30"),
    ("it reads commands and skills of .claude and .agents too: the same one may be offered twice", "2026-11-30"),
    ("no key for a call's time limit is written down", "2026-11-30"),
)
SOURCES = (("docs.augmentcode.com and the changelog of auggie to 0.31; nothing was run", "2026-11-30"),)
