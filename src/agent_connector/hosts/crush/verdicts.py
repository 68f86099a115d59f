"""What Crush does with each decision: read in its source."""

from typing import TYPE_CHECKING

from agent_connector.connector.light import EVENTS
from agent_connector.hosts.dialects import verdicts

if TYPE_CHECKING:
    from agent_connector.hosts.dialects.verdicts import Row, Table

TABLE: "Table" = {
    ("PreToolUse", "allow"): ("honoured", "documented", "the tool runs and the person is not asked"),
    ("PreToolUse", "deny"): ("honoured", "documented", verdicts.DENIED),
    ("PreToolUse", "ask"): ("degraded", "documented", "Crush has no question for a hook to ask, so it becomes a deny"),
    ("PreToolUse", "modify"): (
        "degraded",
        "documented",
        "the new arguments are laid over the old ones: a key that is left out stays",
    ),
    ("PreToolUse", "context"): ("honoured", "documented", "added to what the model reads as the tool's result"),
}


def verdict(event: str, kind: str) -> "Row":
    return verdicts.verdict(TABLE, "Crush", [e for e in EVENTS if e == "PreToolUse"], event, kind)
