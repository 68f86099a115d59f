"""What Auggie does with each decision at each event, by its documentation: nothing of it was seen on the real program."""

from typing import TYPE_CHECKING

from agent_connector.hosts.augment.hooks import EVENTS
from agent_connector.hosts.dialects import verdicts

if TYPE_CHECKING:
    from agent_connector.hosts.dialects.verdicts import Row, Table

TABLE: "Table" = {
    ("PreToolUse", "allow"): ("honoured", "documented", "grants this call"),
    ("PreToolUse", "deny"): ("honoured", "documented", verdicts.DENIED),
    ("PreToolUse", "ask"): ("degraded", "uncertain", "whether `ask` asks is not written down: it is denied"),
    ("PreToolUse", "modify"): ("honoured", "documented", f"{verdicts.CHANGED} (since 0.27)"),
    ("PreToolUse", "context"): ("dropped", "uncertain", "no place for a text before a tool is written down"),
    ("PostToolUse", "deny"): ("dropped", "uncertain", "no answer after a tool is written down"),
    ("PostToolUse", "context"): ("dropped", "uncertain", "no answer after a tool is written down"),
    ("UserPromptSubmit", "deny"): ("dropped", "uncertain", "no answer to PromptSubmit is written down"),
    ("UserPromptSubmit", "context"): ("dropped", "uncertain", "no answer to PromptSubmit is written down"),
    ("SessionStart", "context"): ("honoured", "documented", verdicts.ADDED),
    ("Stop", "deny"): ("honoured", "documented", verdicts.GOES_ON),
    ("Stop", "ask"): ("degraded", "documented", verdicts.NOBODY_AT_STOP),
}


def verdict(event: str, kind: str) -> "Row":
    return verdicts.verdict(TABLE, "Augment Auggie", EVENTS, event, kind)
