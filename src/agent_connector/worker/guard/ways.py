"""How each host is made to ask the guard before its tool calls, and which hosts cannot be.

flag      the launch line names what registers the guard, in a folder that the run can only read
variable  the same by a variable of the environment
home      it stands in the user scope of the run's private home, and that file is read-only inside
"""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

Kind = Literal["flag", "variable", "home"]
Sure = Literal["proven", "documented"]


class Way(NamedTuple):
    """`what` is the flag or the variable; `shape` what it names: settings, a table in TOML, a module."""

    kind: Kind
    what: str
    shape: str
    sure: Sure
    note: str = ""


WAYS: Mapping[str, Way] = {
    "claude-code": Way("flag", "--settings", "settings", "proven"),
    "codex": Way("flag", "-c", "toml", "proven", "the run gives trust in it by --dangerously-bypass-hook-trust"),
    "gemini-cli": Way("home", "", "settings", "proven", "it reads system settings from root's own folders only"),
    "qwen-code": Way("variable", "QWEN_CODE_SYSTEM_SETTINGS_PATH", "settings", "proven"),
    "copilot-cli": Way("home", "", "settings", "proven"),
    "opencode": Way("variable", "OPENCODE_CONFIG", "opencode", "proven"),
    "kilo-cli": Way("variable", "KILO_CONFIG", "opencode", "proven"),
    "mimo-code": Way("variable", "MIMOCODE_CONFIG", "opencode", "documented"),
    "droid": Way("home", "", "settings", "proven"),
    "kimi": Way("home", "", "toml-file", "proven"),
    "pi": Way("flag", "-e", "pi", "proven"),
    "omp": Way("flag", "-e", "pi", "proven"),
    "cursor": Way("home", "", "settings", "documented"),
    "windsurf": Way("home", "", "settings", "documented"),
    "kiro": Way("home", "", "settings", "documented"),
    "antigravity-cli": Way("home", "", "settings", "documented"),
    "crush": Way("home", "", "settings", "documented"),
}


class Switch(NamedTuple):
    """A key that turns hooks off unless it is `on`; `loses` when what `arm` registers wins over it."""

    key: str
    on: Any
    off: Any
    loses: bool = False


class Switches(NamedTuple):
    """The files of a project and of a home, below it, in which a host looks for these."""

    project: tuple[str, ...]
    home: tuple[str, ...]
    switches: tuple[Switch, ...]


# Codex' name for the first hook of the launch line.
_OURS = "/<session-flags>/config.toml:pre_tool_use:0:0"
_CLAUDE = (".claude/settings.json", ".claude/settings.local.json")
_FACTORY = (".factory/settings.json", ".factory/settings.local.json", ".factory/hooks.json")
SWITCHES: Mapping[str, Switches] = {
    "claude-code": Switches(_CLAUDE, _CLAUDE, (Switch("disableAllHooks", False, True, loses=True),)),
    "codex": Switches(
        (".codex/config.toml",),
        (".codex/config.toml",),
        (
            Switch("features.hooks", True, False, loses=True),
            Switch("features.codex_hooks", True, False, loses=True),
            Switch("hooks.state", {}, {_OURS: {"enabled": False}}, loses=True),
        ),
    ),
    "qwen-code": Switches(
        (".qwen/settings.json",), (".qwen/settings.json",), (Switch("disableAllHooks", False, True, loses=True),)
    ),
    "gemini-cli": Switches(
        (".gemini/settings.json",),
        (".gemini/settings.json",),
        (Switch("hooksConfig.enabled", True, False), Switch("hooksConfig.disabled", [], ["agent-connector-guard"])),
    ),
    "copilot-cli": Switches(
        (".github/copilot/settings.json", ".github/copilot/settings.local.json", *_CLAUDE),
        (".copilot/settings.json", ".copilot/config.json", *_CLAUDE),
        (Switch("disableAllHooks", False, True),),
    ),
    "droid": Switches(
        _FACTORY, _FACTORY, (Switch("hooksDisabled", False, True), Switch("hooks.hooksDisabled", False, True))
    ),
}
# What is registered beside the hook itself, so that it wins over the switches that lose.
WINNING: Mapping[str, Mapping[str, Any]] = {
    "claude-code": {"disableAllHooks": False},
    "qwen-code": {"disableAllHooks": False},
    "codex": {"features.hooks": True, "hooks.state": {_OURS: {"enabled": True}}},
}
# Variables that a `.env` of the project could set, and that lead a host away from its settings: one that is set stays.
PINNED: Mapping[str, Mapping[str, str]] = {
    "gemini-cli": {"GEMINI_CLI_HOME": "{home}", "GEMINI_CLI_SYSTEM_SETTINGS_PATH": "{guard}/none.json"},
    "qwen-code": {"QWEN_HOME": "{home}/.qwen", "QWEN_CODE_SIMPLE": "0", "QWEN_CODE_SAFE_MODE": "0"},
}
# Hosts that can be driven, and cannot be guarded, or not yet.
UNGUARDED: Mapping[str, str] = {
    "augment": "it starts a script and no command, and nothing of that could be proven here",
    "continue": "its hooks do not fire in a run without a person",
    "amp": "a turn needs its maker's server, so that nothing could be proven, and its plugins are not written down yet",
    "cline": "a denied call ends its whole run, and a hook that fails lets the call pass",
    "goose": "its hooks come in plugins that have to be enabled by a person",
    "hermes": "its hooks need a person's consent in the terminal, and a hook that fails lets the call pass",
    "mux": "its hooks are scripts in a folder of the project, which the agent can write",
    "openclaw": "it runs its calls in a gateway of its own, outside the run",
}
