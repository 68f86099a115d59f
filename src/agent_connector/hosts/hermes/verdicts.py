"""What Hermes Agent did with each decision: seen on 0.19.0 (`proven`), or read in its code and documentation."""

from typing import TYPE_CHECKING

from agent_connector.connector.light import EVENTS
from agent_connector.hosts.dialects import verdicts

if TYPE_CHECKING:
    from agent_connector.hosts.dialects.verdicts import Row, Table

TABLE: "Table" = {
    ("PreToolUse", "allow"): ("dropped", "documented", "there is nothing to grant: the host's own approval decides"),
    ("PreToolUse", "deny"): ("honoured", "proven", verdicts.DENIED),
    ("PreToolUse", "ask"): ("degraded", "proven", "Hermes has no question for a hook to ask, so it becomes a deny"),
    ("PreToolUse", "modify"): (
        "degraded",
        "uncertain",
        "versions after 0.19 are said to take the new arguments; 0.19 runs the tool with the old ones",
    ),
    ("PreToolUse", "context"): ("dropped", "documented", "no text reaches the model at a tool: add it at the prompt"),
    ("PostToolUse", "replace_output"): ("dropped", "proven", "a shell hook's result is ignored"),
    ("UserPromptSubmit", "context"): ("honoured", "proven", "put behind the person's message, for this request"),
}


def verdict(event: str, kind: str) -> "Row":
    return verdicts.verdict(TABLE, "Hermes Agent", EVENTS, event, kind)
