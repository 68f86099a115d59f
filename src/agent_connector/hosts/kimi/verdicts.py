"""What Kimi did with each decision at each event: seen on the real 2.1.0 (`proven`) or read in its code (`documented`)."""

from typing import TYPE_CHECKING

from agent_connector.connector.light import EVENTS
from agent_connector.hosts.dialects import verdicts

if TYPE_CHECKING:
    from agent_connector.hosts.dialects.verdicts import Row, Table

_ASKED = "Kimi has no question for a hook to ask, so it becomes a deny"
_GOES_ON = "the agent goes on with the reason as its task, once in a turn"

TABLE: "Table" = {
    ("PreToolUse", "allow"): ("dropped", "documented", "there is nothing to grant: the host's own rules decide"),
    ("PreToolUse", "deny"): ("honoured", "proven", verdicts.DENIED),
    ("PreToolUse", "ask"): ("degraded", "proven", _ASKED),
    ("PreToolUse", "modify"): (
        "dropped",
        "proven",
        "Kimi ignores changed arguments: deny() with a reason instead",
    ),
    ("PreToolUse", "context"): ("dropped", "documented", "no text reaches the model before a tool"),
    ("PostToolUse", "context"): ("dropped", "proven", "what the hook says does not reach the model"),
    ("PostToolUse", "replace_output"): ("dropped", "documented", "Kimi takes no answer after a tool"),
    ("UserPromptSubmit", "deny"): ("honoured", "proven", verdicts.PROMPT_ENDS),
    ("UserPromptSubmit", "ask"): ("degraded", "proven", _ASKED),
    ("UserPromptSubmit", "context"): (
        "honoured",
        "proven",
        "a message of its own before the prompt, shown to the person",
    ),
    ("SessionStart", "context"): ("dropped", "proven", "what the hook says does not reach the model"),
    ("Stop", "deny"): ("honoured", "proven", _GOES_ON),
    ("Stop", "ask"): ("degraded", "proven", f"nobody is asked at the end of a turn; {_GOES_ON}"),
}


def verdict(event: str, kind: str) -> "Row":
    return verdicts.verdict(TABLE, "Kimi", EVENTS, event, kind)
