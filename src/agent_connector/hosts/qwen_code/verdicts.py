"""What Qwen Code did with each decision at each event: seen on the real 0.24.4 (`proven`) or read (`documented`)."""

from typing import TYPE_CHECKING

from agent_connector.connector.light import EVENTS
from agent_connector.hosts.dialects import verdicts

if TYPE_CHECKING:
    from agent_connector.hosts.dialects.verdicts import Row, Table

_AFTER = "Qwen ignores a block after a tool: its result stays, and the reason is added to it"

TABLE: "Table" = {
    ("PreToolUse", "allow"): (
        "dropped",
        "proven",
        "grants nothing: what needs approval is asked for, or refused headless, before the hook",
    ),
    ("PreToolUse", "deny"): ("honoured", "proven", verdicts.DENIED),
    ("PreToolUse", "ask"): ("honoured", "proven", verdicts.ASKED_OR_NOT_RUN),
    ("PreToolUse", "modify"): (
        "dropped",
        "proven",
        "Qwen ignores changed arguments, with and without a grant: deny() with a reason instead",
    ),
    ("PreToolUse", "context"): (
        "dropped",
        "proven",
        verdicts.NOTHING_BEFORE,
    ),
    ("PermissionRequest", "allow"): ("honoured", "documented", "grants this call; headless nothing is asked for"),
    ("PermissionRequest", "deny"): ("honoured", "documented", "the tool does not run and the reason is shown"),
    ("PermissionRequest", "ask"): (
        "dropped",
        "documented",
        verdicts.OWN_QUESTION,
    ),
    ("PostToolUse", "deny"): ("degraded", "proven", _AFTER),
    ("PostToolUse", "ask"): ("degraded", "proven", f"nobody is asked after a tool has run; {_AFTER}"),
    ("PostToolUse", "context"): ("honoured", "proven", verdicts.IN_RESULT),
    ("PostToolUse", "replace_output"): ("dropped", "proven", "Qwen has no way to replace a result"),
    ("PostToolUseFailure", "deny"): ("degraded", "proven", verdicts.FAILED),
    ("PostToolUseFailure", "ask"): ("degraded", "proven", verdicts.FAILED),
    ("PostToolUseFailure", "context"): ("honoured", "proven", verdicts.ADDED_TO_FAILURE),
    ("UserPromptSubmit", "deny"): ("honoured", "proven", "no request is made; the run still ends with exit code 0"),
    ("UserPromptSubmit", "ask"): ("degraded", "documented", verdicts.NOBODY_AT_PROMPT),
    ("UserPromptSubmit", "context"): ("honoured", "proven", "stands beside the prompt; < and > are escaped"),
    ("SessionStart", "context"): ("honoured", "proven", "a system message before the first prompt"),
    ("SubagentStart", "context"): ("dropped", "proven", "there was no sign of it in the subagent's request"),
    ("Stop", "deny"): ("honoured", "proven", verdicts.GOES_ON_EIGHT),
    ("Stop", "ask"): ("degraded", "proven", verdicts.NOBODY_AT_STOP),
    ("Stop", "context"): ("dropped", "proven", "the agent ends all the same, and nothing of the text is kept"),
    ("SubagentStop", "deny"): ("honoured", "proven", verdicts.GOES_ON_EIGHT),
    ("SubagentStop", "ask"): ("degraded", "proven", verdicts.NOBODY_AT_STOP),
    ("PreCompact", "context"): ("honoured", "documented", "becomes part of the instructions for the summary"),
}


def verdict(event: str, kind: str) -> "Row":
    return verdicts.verdict(TABLE, "Qwen Code", EVENTS, event, kind)
