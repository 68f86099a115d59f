"""What Qwen Code did with each decision at each event: seen on the real 0.24.4 (`proven`) or read (`documented`)."""

from typing import TYPE_CHECKING

from agent_connector.connector.light import EVENTS
from agent_connector.hosts.dialects import verdicts

if TYPE_CHECKING:
    from agent_connector.hosts.dialects.verdicts import Row, Table

_GOES_ON = "the agent goes on with the reason as its task; the host stops this after eight rounds"
_ASKED_STOP = "nobody is asked at the end of a turn: the agent goes on with the reason as its task"
_AFTER = "Qwen ignores a block after a tool: its result stays, and the reason is added to it"
_FAILED = "the tool has failed already: the reason is added"

TABLE: "Table" = {
    ("PreToolUse", "allow"): (
        "dropped",
        "proven",
        "grants nothing: what needs approval is asked for, or refused headless, before the hook",
    ),
    ("PreToolUse", "deny"): ("honoured", "proven", "the tool does not run and the model reads the reason"),
    ("PreToolUse", "ask"): ("honoured", "proven", "the person is asked; headless the tool does not run"),
    ("PreToolUse", "modify"): (
        "dropped",
        "proven",
        "Qwen ignores changed arguments, with and without a grant: deny() with a reason instead",
    ),
    ("PreToolUse", "context"): (
        "dropped",
        "proven",
        "no text reaches the model before a tool: answer at PostToolUse",
    ),
    ("PermissionRequest", "allow"): ("honoured", "documented", "grants this call; headless nothing is asked for"),
    ("PermissionRequest", "deny"): ("honoured", "documented", "the tool does not run and the reason is shown"),
    ("PermissionRequest", "ask"): (
        "dropped",
        "documented",
        "nothing is said, so the host's own question is asked, without the reason",
    ),
    ("PostToolUse", "deny"): ("degraded", "proven", _AFTER),
    ("PostToolUse", "ask"): ("degraded", "proven", f"nobody is asked after a tool has run; {_AFTER}"),
    ("PostToolUse", "context"): ("honoured", "proven", "added inside the tool's result"),
    ("PostToolUse", "replace_output"): ("dropped", "proven", "Qwen has no way to replace a result"),
    ("PostToolUseFailure", "deny"): ("degraded", "proven", _FAILED),
    ("PostToolUseFailure", "ask"): ("degraded", "proven", _FAILED),
    ("PostToolUseFailure", "context"): ("honoured", "proven", "added to what the model reads of the failure"),
    ("UserPromptSubmit", "deny"): ("honoured", "proven", "no request is made; the run still ends with exit code 0"),
    ("UserPromptSubmit", "ask"): ("degraded", "documented", "nobody is asked about a prompt: it is denied"),
    ("UserPromptSubmit", "context"): ("honoured", "proven", "stands beside the prompt; < and > are escaped"),
    ("SessionStart", "context"): ("honoured", "proven", "a system message before the first prompt"),
    ("SubagentStart", "context"): ("dropped", "proven", "there was no sign of it in the subagent's request"),
    ("Stop", "deny"): ("honoured", "proven", _GOES_ON),
    ("Stop", "ask"): ("degraded", "proven", _ASKED_STOP),
    ("Stop", "context"): ("dropped", "proven", "the agent ends all the same, and nothing of the text is kept"),
    ("SubagentStop", "deny"): ("honoured", "proven", _GOES_ON),
    ("SubagentStop", "ask"): ("degraded", "proven", _ASKED_STOP),
    ("PreCompact", "context"): ("honoured", "documented", "becomes part of the instructions for the summary"),
}


def verdict(event: str, kind: str) -> "Row":
    return verdicts.verdict(TABLE, "Qwen Code", EVENTS, event, kind)
