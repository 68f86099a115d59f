"""What Codex did with each decision at each event: seen on the real 0.171.0 (`proven`) or read (`documented`)."""

from typing import TYPE_CHECKING

from agent_connector.hosts.codex.hooks import EVENTS
from agent_connector.hosts.dialects import verdicts

if TYPE_CHECKING:
    from agent_connector.hosts.dialects.verdicts import Row, Table

_GOES_ON = "the agent goes on with the reason as its task"
_ASKED_STOP = "nobody is asked at the end of a turn: the agent goes on with the reason as its task"
_AFTER = "the tool has run: the reason stands in the place of its result"
_NO_CONTEXT = "Codex takes no text for the model here; deny() with a reason makes the agent go on with it"

TABLE: "Table" = {
    ("PreToolUse", "allow"): (
        "dropped",
        "proven",
        "`allow` grants nothing in Codex: what needs approval is still asked for; allow it at PermissionRequest",
    ),
    ("PreToolUse", "deny"): ("honoured", "proven", "the tool does not run and the model reads the reason"),
    ("PreToolUse", "ask"): ("degraded", "proven", "Codex ignores `ask` and would run the tool, so it becomes a deny"),
    ("PreToolUse", "modify"): (
        "honoured",
        "proven",
        "the tool gets the new arguments, sent beside an `allow`, which Codex wants and which grants nothing",
    ),
    ("PreToolUse", "context"): ("honoured", "proven", "a message of its own in the next request to the model"),
    ("PermissionRequest", "allow"): ("honoured", "proven", "grants this call, in a headless run too"),
    ("PermissionRequest", "deny"): ("honoured", "proven", "the tool does not run and the model reads the reason"),
    ("PermissionRequest", "ask"): (
        "dropped",
        "proven",
        "nothing is said, so the host's own question is asked, without the reason; headless the tool does not run",
    ),
    ("PermissionRequest", "modify"): (
        "dropped",
        "documented",
        "Codex fails closed on new arguments here, so none are sent: use modify() at PreToolUse",
    ),
    ("PostToolUse", "deny"): ("degraded", "proven", _AFTER),
    ("PostToolUse", "ask"): ("degraded", "proven", f"nobody is asked after a tool has run; {_AFTER}"),
    ("PostToolUse", "context"): ("honoured", "proven", "a message of its own in the next request to the model"),
    ("PostToolUse", "replace_output"): (
        "honoured",
        "proven",
        "the text is sent as the reason of a block, and the model reads it, word for word, instead of the result",
    ),
    ("UserPromptSubmit", "deny"): ("honoured", "proven", "no request is made; the run still ends with exit code 0"),
    ("UserPromptSubmit", "ask"): ("degraded", "proven", "nobody is asked about a prompt: it is denied"),
    ("UserPromptSubmit", "context"): ("honoured", "proven", "stands beside the prompt"),
    ("SessionStart", "deny"): ("honoured", "proven", "the turn ends before any request to the model"),
    ("SessionStart", "ask"): ("degraded", "proven", "nobody is asked: the turn ends before any request to the model"),
    ("SessionStart", "context"): ("honoured", "proven", "stands before the first prompt"),
    ("SubagentStart", "context"): ("honoured", "proven", "reaches the subagent"),
    ("Stop", "deny"): ("honoured", "proven", _GOES_ON),
    ("Stop", "ask"): ("degraded", "proven", _ASKED_STOP),
    ("Stop", "context"): ("dropped", "documented", _NO_CONTEXT),
    ("SubagentStop", "deny"): ("honoured", "proven", _GOES_ON),
    ("SubagentStop", "ask"): ("degraded", "proven", _ASKED_STOP),
    ("SubagentStop", "context"): ("dropped", "documented", _NO_CONTEXT),
    ("PreCompact", "deny"): ("honoured", "documented", "the conversation is not compacted, and the turn ends"),
    ("PreCompact", "ask"): ("degraded", "documented", "nobody is asked: the conversation is not compacted"),
    ("Notification", verdicts.ANY): (
        "dropped",
        "documented",
        "Codex has no such event, only `notify` in config.toml at a turn's end",
    ),
    ("PostToolUseFailure", verdicts.ANY): ("dropped", "proven", "a failed MCP call fires no event in Codex"),
}


def verdict(event: str, kind: str) -> "Row":
    return verdicts.verdict(TABLE, "Codex", EVENTS, event, kind)
