"""Who Cline is and what it has."""

ID = "cline"
NAME = "Cline"
VENDOR = "Cline Bot"
KIND = "extension"
PARADIGM = "script-files"

SURFACES = {
    "server": ("native", "proven", "`mcpServers` of cline_mcp_settings.json: the terminal program and both extensions"),
    "hooks": ("native", "proven", "a program for each event in a folder: it calls those of our connectors"),
    "commands": ("native", "documented", "workflows/<name>.md, called as /<name>.md"),
    "skills": ("native", "proven", ".agents/skills/<name>/SKILL.md, of which the model is told the name alone"),
    "subagents": ("native", "documented", "agents/<name>.yaml: the terminal program alone reads them"),
    "memory": ("native", "proven", "a block in AGENTS.md, or in a file of rules where the person has none"),
    "statusline": ("skip-warn", "documented", "it has no status line that a command could fill"),
    "actions": ("skip-warn", "documented", "it has nothing that a person could press"),
    "config_patch": ("skip-warn", "documented", "its settings are in its own store"),
    "native_hooks": ("native", "documented", "TaskResume, TaskError and TaskCancel"),
}
TRANSPORTS = {
    "stdio": ("proven", "`command`, `args`, `env`, `cwd`, `timeout` in seconds"),
    "http": ("documented", "`type` streamableHttp, `url`, `headers`"),
    "sse": ("documented", "`type` sse, `url`, `headers`"),
}
STEPS = (
    (
        "server",
        "",
        "end the background program of the terminal version (cline --cline-hub-daemon): it keeps the old ones",
    ),
    ("hooks", "", "leave the setting for hooks on, and start without --yolo, which turns them off"),
)
REPLACED_BY = None
LOADS_HOOKS_OF: tuple[str, ...] = ()
CONFIG_DENIED: tuple[str, ...] = ()
QUIRKS = (
    ("a denial ends the whole run: there is no way to refuse one call", "2026-11-30"),
    ("an entry that it does not know keeps every server of the file from loading", "2026-11-30"),
    ("the terminal program puts no variable's value into its file, the extension does", "2026-11-30"),
    (
        "the extension and the terminal program send different payloads to the same file; both are understood",
        "2026-11-30",
    ),
    ("in the terminal program UserPromptSubmit and TaskCancel do not fire", "2026-11-30"),
    ("a hook has 30 s in the extension and 120 s in the terminal program", "2026-11-30"),
    ("a failing hook is passed over, whatever its exit code", "2026-11-30"),
    ("a tool's name is cut at 64 letters, and one that it changes has a hash at its end", "2026-11-30"),
    ("a background program outlives a run and serves later ones with the servers that it has", "2026-11-30"),
    ("on Windows the script of an event is one connector's alone", "2026-11-30"),
)
SOURCES = (
    ("Cline's terminal program 3.0.65, run offline against a scripted model", "2026-11-30"),
    ("docs.cline.bot and the source of extension 4.1.13 and terminal program 3.0.56", "2026-08-22"),
)
