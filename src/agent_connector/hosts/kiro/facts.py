"""Who Kiro, the editor and its CLI, is and what it has."""

ID = "kiro"
NAME = "Kiro"
VENDOR = "AWS"
KIND = "ide"
PARADIGM = "json-stdio"

SURFACES = {
    "server": ("native", "documented", "`mcpServers` of .kiro/settings/mcp.json, for the editor and the CLI"),
    "hooks": ("native", "documented", "a file of its own in .kiro/hooks, five of thirteen events (editor 1.x, CLI 3)"),
    "commands": ("native", "documented", "prompts/<name>.md, which a person calls as @<name>"),
    "skills": ("native", "documented", ".kiro/skills/<name>/SKILL.md"),
    "subagents": ("native", "uncertain", ".kiro/agents/<name>.md, which the editor and CLI 3 read"),
    "memory": ("native", "documented", "a block in a project's AGENTS.md, or in a person's .kiro/steering"),
    "statusline": ("skip-warn", "documented", "it has no status line that a command could fill"),
    "actions": ("native", "documented", "hooks with the trigger Manual, which a person starts"),
    "config_patch": ("native", "uncertain", "keys of the CLI's settings/cli.json, set only when absent"),
    "native_hooks": ("native", "documented", "six more triggers: files, tasks, and by hand"),
}
TRANSPORTS = {
    "stdio": ("documented", "`command`, `args`, `env`"),
    "http": ("documented", "`url`, `headers`; without encryption on this machine only"),
    "sse": ("uncertain", "`url`, `headers`: said to be tried when Streamable HTTP fails"),
}
STEPS = (
    ("server", "", "in the editor approve the variables that its entry names: they stay unexpanded before"),
    ("server", "", 'in an agent of your own set `"includeMcpJson": true`: it sees no servers of mcp.json else'),
    ("hooks", "", "start the CLI with --v3: its older engine knows the hooks of agent files, which are not written"),
)
REPLACED_BY = None
LOADS_HOOKS_OF = ()
# Settings that a config patch may not touch: what the agent may do, accounts, and what we register ourselves.
CONFIG_DENIED = ("*trust*", "*Trust*", "*permission*", "*auth*", "*token*", "*api*", "telemetry*", "mcp*", "*proxy*")
CONFIG_FLAT = True
QUIRKS = (
    (
        "an answer in JSON is ignored, or put before the model as it is: refusals are exit code 2 and stderr",
        "2026-11-30",
    ),
    ("at exit code 2 a reason on stdout blocks nothing", "2026-11-30"),
    (
        "names of tools differ between the editor and the engines of the CLI, so every tool starts our program",
        "2026-11-30",
    ),
    ("prompts that Kiro itself makes fire UserPromptSubmit too", "2026-11-30"),
    ("the editor shows a card for each hook that runs", "2026-11-30"),
    ("a variable that the editor's person has not approved stays as it is written", "2026-11-30"),
    ("a headless run prints text alone, no session and no counts: ACP tells more", "2026-11-30"),
    ("newer builds of the CLI's older engine read both kinds of hooks", "2026-11-30"),
)
SOURCES = (
    ("kiro.dev/docs, and measurements of others (editor 1.0 to 1.2.37, CLI 2.6); nothing was run", "2026-11-30"),
)
