"""What Trae does with each decision at each event, by its documentation: nothing of it was seen on the real program."""

from typing import TYPE_CHECKING

from agent_connector.hosts.dialects import verdicts
from agent_connector.hosts.trae.hooks import EVENTS

if TYPE_CHECKING:
    from agent_connector.hosts.dialects.verdicts import Row, Table

_FIVE = "at most five times in a row"

TABLE: "Table" = {
    ("PreToolUse", "allow"): ("honoured", "documented", "grants this call"),
    ("PreToolUse", "deny"): ("honoured", "documented", verdicts.DENIED),
    ("PreToolUse", "ask"): ("honoured", "documented", verdicts.ASKED),
    ("PreToolUse", "modify"): ("honoured", "documented", verdicts.CHANGED),
    ("PreToolUse", "context"): ("honoured", "documented", verdicts.ADDED),
    ("PostToolUse", "deny"): ("degraded", "documented", verdicts.AFTER),
    ("PostToolUse", "ask"): ("degraded", "documented", verdicts.NOBODY_AFTER),
    ("PostToolUse", "context"): ("honoured", "documented", verdicts.ADDED),
    ("PostToolUse", "replace_output"): ("dropped", "documented", "Trae leaves a tool's result as it is"),
    ("UserPromptSubmit", "deny"): ("honoured", "documented", verdicts.NO_PROMPT),
    ("UserPromptSubmit", "ask"): ("degraded", "documented", verdicts.NOBODY_AT_PROMPT),
    ("UserPromptSubmit", "context"): ("honoured", "documented", verdicts.ADDED),
    ("SessionStart", "context"): ("honoured", "documented", verdicts.ADDED),
    ("Stop", "deny"): ("honoured", "documented", f"{verdicts.GOES_ON}, {_FIVE}"),
    ("Stop", "ask"): ("degraded", "documented", f"{verdicts.NOBODY_AT_STOP}, {_FIVE}"),
}


def verdict(event: str, kind: str) -> "Row":
    return verdicts.verdict(TABLE, "Trae", EVENTS, event, kind)
