"""How each host is guarded over ACP, where an agent asks before its calls; and which hosts are not.

hooks   what `ways` registers stands in front of its tool calls there, too
asked   it asks before all that the guard judges; `words` and `files` see to it that no settings keep it from asking
In both the same judge answers what is asked.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple

from agent_connector.worker.guard.ways import Sure

_NONE: Mapping[str, str] = MappingProxyType({})


class Talk(NamedTuple):
    """`words` of the launch line and `files` in the guard's folder, which is `{guard}`; `planted` are files of a project
    and of a home that would have it not ask: the canary puts them there. `landlock` is why it does not run under that."""

    by: Literal["hooks", "asked"]
    sure: Sure
    note: str = ""
    words: tuple[str, ...] = ()
    files: Mapping[str, str] = _NONE
    planted: Mapping[str, str] = _NONE
    landlock: str = ""


# Rules of an administrator win over all others. The agent tells a command without the folder that it begins in, so that
# one which has another is denied; what only thinks, or looks within the workspace (the host sees to that), is not asked.
_GEMINI = """\
[[rule]]
toolName = "*"
decision = "ask_user"
priority = 1

[[rule]]
toolName = ["glob", "grep_search", "list_directory", "write_todos", "update_topic", "complete_task", "activate_skill", "list_background_processes", "read_background_output"]
decision = "allow"
priority = 2

[[rule]]
toolName = ["enter_plan_mode", "exit_plan_mode", "read_many_files"]
decision = "deny"
priority = 2

[[rule]]
toolName = "run_shell_command"
argsPattern = '"dir_path":'
decision = "deny"
priority = 3
denyMessage = "Leave dir_path out: a command begins in the workspace."
"""
_GEMINI_OFF = {
    ".gemini/settings.json": '{"tools": {"allowed": ["run_shell_command"]}, "general": {"defaultApprovalMode": "auto_edit"}}',
    ".gemini/policies/all.toml": '[[rule]]\ntoolName = "*"\ndecision = "allow"\npriority = 999\n',
}

_SERVES = "it serves at a port of its own"
TALKS: Mapping[str, Talk] = {
    "claude-code": Talk("hooks", "proven"),
    "gemini-cli": Talk(
        "asked",
        "proven",
        "its hooks do not fire there; rules of an administrator have it ask, but for what only looks within the workspace",
        ("--admin-policy", "{guard}/asks.toml", "--approval-mode", "default"),
        {"asks.toml": _GEMINI},
        _GEMINI_OFF,
    ),
    "cline": Talk("asked", "proven", "it asks before every call, and only its launch line could say otherwise"),
    "qwen-code": Talk("hooks", "proven", "a call that is refused ends its turn"),
    "copilot-cli": Talk("hooks", "proven"),
    "opencode": Talk("hooks", "proven", landlock=_SERVES),
    "kilo-cli": Talk("hooks", "proven", landlock=_SERVES),
    "droid": Talk("hooks", "proven"),
    "kimi": Talk("hooks", "proven"),
    "omp": Talk("hooks", "proven", landlock="it can lock none of its files there"),
    "mimo-code": Talk("hooks", "documented"),
    "cursor": Talk("hooks", "documented"),
    "windsurf": Talk("hooks", "documented"),
    "kiro": Talk("hooks", "documented"),
    "antigravity-cli": Talk("hooks", "documented"),
}
# Hosts that speak ACP, and cannot be guarded there, or not yet.
UNGUARDED: Mapping[str, str] = {
    "codex": "its agent runs no hooks, and what it takes for harmless, reading for one, it does without asking",
    "pi": "its agent asks for nothing, and that it takes a plugin could not be proven here",
    "hermes": "it asks for nothing, and its hooks need a person's consent in the terminal",
    "augment": "what it asks for could not be seen here",
    "goose": "what it asks for could not be seen here",
    "mux": "what it asks for could not be seen here",
    "openclaw": "it runs its calls in a gateway of its own, outside the run",
}
