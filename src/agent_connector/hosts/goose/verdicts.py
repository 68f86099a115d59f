"""What goose does with each decision: read in its source."""

from typing import TYPE_CHECKING

from agent_connector.connector.light import EVENTS
from agent_connector.hosts.dialects import verdicts

if TYPE_CHECKING:
    from agent_connector.hosts.dialects.verdicts import Row, Table

TABLE: "Table" = {
    ("PreToolUse", "deny"): ("honoured", "documented", verdicts.DENIED),
    ("PreToolUse", "ask"): ("degraded", "documented", "goose has no question for a hook to ask, so it becomes a deny"),
    ("PreToolUse", "allow"): ("dropped", "documented", "there is nothing to grant: the host's own mode decides"),
    ("PreToolUse", "modify"): ("dropped", "documented", "goose takes no other arguments: deny() with a reason instead"),
    ("PreToolUse", "context"): ("dropped", "documented", "no text of a hook reaches the model"),
    ("UserPromptSubmit", "deny"): ("dropped", "uncertain", "nobody waits for the answer"),
    ("Stop", "deny"): ("dropped", "uncertain", "nobody waits for the answer"),
}


def verdict(event: str, kind: str) -> "Row":
    return verdicts.verdict(TABLE, "goose", EVENTS, event, kind)
