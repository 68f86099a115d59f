"""Who Crush is and what it has."""

ID = "crush"
NAME = "Crush"
VENDOR = "Charm"
KIND = "cli"
PARADIGM = "json-stdio"

SURFACES = {
    "server": ("native", "documented", "`mcp` of crush.json, which it reads beside the newer crushrc"),
    "hooks": ("native", "documented", "`hooks` of the same file: PreToolUse alone"),
    "commands": ("native", "documented", "commands/<name>.md, the whole file as the prompt"),
    "skills": ("native", "documented", ".agents/skills/<name>/SKILL.md, which other hosts read too"),
    "subagents": ("skip-warn", "documented", "it has no subagents as files"),
    "memory": ("native", "documented", "a block in a project's AGENTS.md, or in a person's CRUSH.md"),
    "statusline": ("skip-warn", "documented", "it has no status line that a command could fill"),
    "actions": ("skip-warn", "documented", "it has nothing that a person could press"),
    "config_patch": ("native", "documented", "keys of crush.json, set only when absent"),
    "native_hooks": ("skip-warn", "documented", "it has one event alone, which is PreToolUse"),
}
TRANSPORTS = {
    "stdio": ("documented", "`command`, `args`, `env`, `timeout` in seconds"),
    "http": ("documented", "`type: http`, `url`, `headers`"),
    "sse": ("documented", "`type: sse`, `url`, `headers`"),
}
STEPS = (("server", "", "start it anew: its files are read once"),)
REPLACED_BY = None
LOADS_HOOKS_OF: tuple[str, ...] = ()
# Settings that a config patch may not touch: models, accounts, what is allowed, and what we register ourselves.
CONFIG_DENIED = ("providers*", "models*", "permissions*", "mcp*", "hooks*", "env*", "tools*")
QUIRKS = (
    (
        "its newer crushrc is a script of the person's: we write crush.json, of which one key can be changed and taken out",
        "2026-12-01",
    ),
    (
        "it warns in its log when a folder has a crushrc and a crush.json; the crushrc counts where both say something",
        "2026-11-30",
    ),
    ("its own shell fills in `$NAME` and `$(command)` in every text of an entry", "2026-11-30"),
    (
        "an allow skips the question to the person, so our hooks say nothing where they have nothing to say",
        "2026-11-30",
    ),
    ("changed arguments are laid over the old ones: a key that is left out stays", "2026-11-30"),
    ("tools of subagents start no hooks", "2026-11-30"),
    ("a name with `_` cannot be told from the server's name and the tool's, so known servers decide", "2026-11-30"),
    ("all memory files of a project are read: the same text in two of them is read twice", "2026-11-30"),
    ("the program downloads itself at install, so none of this was seen on the real one", "2026-11-30"),
)
SOURCES = (("the documentation and source of charmbracelet/crush, about 0.90", "2026-08-21"),)
