"""What VS Code's Local harness does with each decision at each event, by its documentation: nothing of it was run."""

from typing import TYPE_CHECKING

from agent_connector.hosts.dialects import verdicts
from agent_connector.hosts.vscode_copilot.hooks import EVENTS

if TYPE_CHECKING:
    from agent_connector.hosts.dialects.verdicts import Row, Table

_ENDS = "the session ends, and the person reads the reason: a prompt alone cannot be refused"

TABLE: "Table" = {
    ("PreToolUse", "allow"): ("honoured", "documented", "grants this call; another hook's deny or ask still wins"),
    ("PreToolUse", "deny"): ("honoured", "documented", verdicts.DENIED),
    ("PreToolUse", "ask"): ("honoured", "documented", verdicts.ASKED),
    ("PreToolUse", "modify"): (
        "honoured",
        "documented",
        f"{verdicts.CHANGED}; those that do not fit its schema are ignored, and it runs with the old ones",
    ),
    ("PreToolUse", "context"): ("honoured", "documented", verdicts.ADDED),
    ("PostToolUse", "deny"): ("degraded", "documented", verdicts.AFTER),
    ("PostToolUse", "ask"): ("degraded", "documented", verdicts.NOBODY_AFTER),
    ("PostToolUse", "context"): ("honoured", "documented", verdicts.ADDED),
    ("PostToolUse", "replace_output"): ("dropped", "documented", "a tool's result stays as it is"),
    ("SessionStart", "context"): ("honoured", "documented", verdicts.ADDED),
    ("SubagentStart", "context"): ("honoured", "documented", "handed to the subagent"),
    ("UserPromptSubmit", "deny"): ("degraded", "documented", _ENDS),
    ("UserPromptSubmit", "ask"): ("degraded", "documented", f"nobody is asked about a prompt: {_ENDS}"),
    ("Stop", "deny"): ("honoured", "documented", verdicts.GOES_ON),
    ("Stop", "ask"): ("degraded", "documented", verdicts.NOBODY_AT_STOP),
    ("SubagentStop", "deny"): ("honoured", "documented", verdicts.GOES_ON),
    ("SubagentStop", "ask"): ("degraded", "documented", verdicts.NOBODY_AT_STOP),
    ("PermissionRequest", verdicts.ANY): (
        "dropped",
        "documented",
        "the editor has no event for its own question: answer at PreToolUse",
    ),
}


def verdict(event: str, kind: str) -> "Row":
    return verdicts.verdict(TABLE, "Copilot in VS Code", EVENTS, event, kind)
