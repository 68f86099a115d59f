"""What Mux does with each decision: read in its documentation and source."""

from typing import TYPE_CHECKING

from agent_connector.hosts.dialects import verdicts
from agent_connector.hosts.mux.hooks import EVENTS

if TYPE_CHECKING:
    from agent_connector.hosts.dialects.verdicts import Row, Table

_BESIDE = "put beside the tool's result"
_FAILED = "the tool has run: its result stays, and the reason is shown as a failure of the hook"

TABLE: "Table" = {
    ("PreToolUse", "allow"): ("dropped", "documented", "Mux asks for nothing, so there is nothing to grant"),
    ("PreToolUse", "deny"): ("honoured", "documented", verdicts.DENIED),
    ("PreToolUse", "ask"): ("degraded", "documented", "Mux has no question for a hook to ask, so it becomes a deny"),
    ("PreToolUse", "modify"): ("dropped", "documented", "Mux takes no other arguments: deny() with a reason instead"),
    ("PreToolUse", "context"): ("dropped", "uncertain", "whether such a text reaches the model is told nowhere"),
    **{(event, "context"): ("honoured", "documented", _BESIDE) for event in ("PostToolUse", "PostToolUseFailure")},
    **{(event, "deny"): ("degraded", "documented", _FAILED) for event in ("PostToolUse", "PostToolUseFailure")},
    ("PostToolUse", "replace_output"): ("dropped", "documented", "Mux takes no other result"),
}


def verdict(event: str, kind: str) -> "Row":
    return verdicts.verdict(TABLE, "Mux", EVENTS, event, kind)
