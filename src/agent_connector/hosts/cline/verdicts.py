"""What Cline did with each decision: seen on the terminal program 3.0.65 (`proven`) or read in the sources."""

from typing import TYPE_CHECKING

from agent_connector.connector.light import EVENTS
from agent_connector.hosts.dialects import verdicts

if TYPE_CHECKING:
    from agent_connector.hosts.dialects.verdicts import Row, Table

_ENDS = "the tool does not run and the whole run ends: a single call cannot be refused"
_ASKED = "Cline has no question for a hook to ask, so it becomes a deny, which ends the run"
_AFTER = "the tool has run; the run ends, and the reason is shown to the person"
_PROMPT = "in the extension the run ends before a request is made; the terminal program does not fire this event"
_NEXT = "the next request has the text as a message of the user"

TABLE: "Table" = {
    ("PreToolUse", "allow"): ("dropped", "documented", "there is nothing to grant: the host's own approval decides"),
    ("PreToolUse", "deny"): ("degraded", "proven", _ENDS),
    ("PreToolUse", "ask"): ("degraded", "proven", _ASKED),
    ("PreToolUse", "modify"): (
        "degraded",
        "proven",
        "in the terminal program the tool gets the new arguments; the extension ignores them",
    ),
    ("PreToolUse", "context"): ("honoured", "proven", _NEXT),
    ("PostToolUse", "deny"): ("degraded", "documented", _AFTER),
    ("PostToolUse", "context"): ("honoured", "proven", _NEXT),
    ("PostToolUse", "replace_output"): ("dropped", "documented", "Cline takes no other result"),
    ("PostToolUseFailure", "deny"): ("degraded", "documented", _AFTER),
    ("PostToolUseFailure", "context"): ("honoured", "documented", _NEXT),
    ("UserPromptSubmit", "deny"): ("degraded", "documented", _PROMPT),
    ("UserPromptSubmit", "ask"): ("degraded", "documented", _PROMPT),
    ("UserPromptSubmit", "context"): ("dropped", "documented", "no text reaches the model here: add it at a tool"),
    ("SessionStart", "deny"): (
        "degraded",
        "documented",
        "in the extension the run ends; the terminal program does not wait for the answer",
    ),
    ("SessionStart", "context"): ("dropped", "proven", "what the hook says does not reach the model"),
}


def verdict(event: str, kind: str) -> "Row":
    return verdicts.verdict(TABLE, "Cline", EVENTS, event, kind)
