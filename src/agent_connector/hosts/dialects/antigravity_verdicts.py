"""What Antigravity's engine does with each decision, by its documentation and the reports of others; nothing was run."""

from typing import TYPE_CHECKING

from agent_connector.hosts.dialects import verdicts
from agent_connector.hosts.dialects.antigravity_hooks import EVENTS

if TYPE_CHECKING:
    from agent_connector.hosts.dialects.verdicts import Row, Table

_NAMES = {"antigravity": "Antigravity", "antigravity-cli": "Antigravity CLI"}
_WATCHED = ("dropped", "documented", "no answer is taken after a tool")

TABLE: "Table" = {
    ("SessionStart", "context"): (
        "honoured",
        "documented",
        "an ephemeral message before the first model call of a conversation",
    ),
    ("PreToolUse", "allow"): (
        "dropped",
        "documented",
        "`allow` only lets the call pass: the host's own confirmation is still asked",
    ),
    ("PreToolUse", "deny"): ("honoured", "documented", verdicts.DENIED),
    ("PreToolUse", "ask"): (
        "honoured",
        "documented",
        "the person is asked each time; in a headless run nobody can answer, and the call is denied",
    ),
    ("PreToolUse", "modify"): (
        "dropped",
        "documented",
        "arguments cannot be changed: deny with a reason that says how to call the tool",
    ),
    ("PreToolUse", "context"): ("dropped", "documented", "no text reaches the model before a tool"),
    ("PostToolUse", verdicts.ANY): _WATCHED,
    ("PostToolUseFailure", verdicts.ANY): _WATCHED,
    ("Stop", "deny"): ("honoured", "documented", f"{verdicts.GOES_ON}; the host bounds how often"),
    ("Stop", "ask"): ("degraded", "documented", verdicts.NOBODY_AT_STOP),
    ("UserPromptSubmit", verdicts.ANY): (
        "dropped",
        "documented",
        "there is no event for a prompt: a text goes in at SessionStart",
    ),
}


def verdict(host: str, event: str, kind: str) -> "Row":
    return verdicts.verdict(TABLE, _NAMES[host], EVENTS, event, kind)
