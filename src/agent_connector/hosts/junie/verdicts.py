"""What Junie may do with each decision at each event: its documentation names the events and exit code 2, no more."""

from typing import TYPE_CHECKING

from agent_connector.hosts.dialects import verdicts
from agent_connector.hosts.junie.hooks import EVENTS

if TYPE_CHECKING:
    from agent_connector.hosts.dialects.verdicts import Row, Table

_AS_CLAUDE = "as Claude Code takes it, which Junie is said to follow"

TABLE: "Table" = {
    ("PreToolUse", "allow"): ("honoured", "uncertain", f"grants this call, {_AS_CLAUDE}"),
    ("PreToolUse", "deny"): ("honoured", "documented", verdicts.DENIED),
    ("PreToolUse", "ask"): ("degraded", "uncertain", "whether Junie can be made to ask is not known: it is denied"),
    ("PreToolUse", "modify"): (
        "dropped",
        "uncertain",
        "whether Junie takes new arguments is not known, so none are sent: deny instead",
    ),
    ("PermissionRequest", "allow"): ("honoured", "uncertain", f"grants this call, {_AS_CLAUDE}"),
    ("PermissionRequest", "deny"): ("honoured", "uncertain", verdicts.DENIED),
    ("PermissionRequest", "ask"): ("dropped", "uncertain", "nothing is said, so the host's own question is asked"),
    ("UserPromptSubmit", "deny"): ("honoured", "uncertain", verdicts.NO_PROMPT),
    ("UserPromptSubmit", "ask"): ("degraded", "uncertain", verdicts.NOBODY_AT_PROMPT),
    ("UserPromptSubmit", "context"): ("honoured", "uncertain", f"{verdicts.ADDED}, {_AS_CLAUDE}"),
    ("SessionStart", "context"): ("honoured", "uncertain", f"{verdicts.ADDED}, {_AS_CLAUDE}"),
    ("Stop", "deny"): ("honoured", "uncertain", verdicts.GOES_ON),
    ("Stop", "ask"): ("degraded", "uncertain", verdicts.NOBODY_AT_STOP),
}


def verdict(event: str, kind: str) -> "Row":
    return verdicts.verdict(TABLE, "Junie", EVENTS, event, kind)
