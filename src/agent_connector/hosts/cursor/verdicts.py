"""What Cursor does with each decision at each event: nothing of it was seen on the real program.

`documented` is read in its documentation or in the agent runtime that @cursor/sdk 1.0.32 ships.
"""

from typing import TYPE_CHECKING

from agent_connector.hosts.cursor.hooks import EVENTS
from agent_connector.hosts.dialects import verdicts

if TYPE_CHECKING:
    from agent_connector.hosts.dialects.verdicts import Row, Table

_GOES_ON = "the reason is sent as the person's next message, at most five times in a row"
_AFTER = "the tool has run: its result stays, and the reason is added beside it"
_CONTEXT = "added for the model; what is longer than 10,000 characters is cut, or Cursor would drop all of it"

TABLE: "Table" = {
    ("PreToolUse", "allow"): (
        "degraded",
        "uncertain",
        "Cursor takes the word, but its runtime was only read to act on `deny`: its own approval may still be asked",
    ),
    ("PreToolUse", "deny"): ("honoured", "documented", "the tool does not run and the model reads the reason"),
    ("PreToolUse", "ask"): (
        "degraded",
        "documented",
        "Cursor takes the word `ask` here, but its runtime acts on `deny` alone and would run the tool: it is denied",
    ),
    ("PreToolUse", "modify"): (
        "honoured",
        "documented",
        "the new arguments are laid over the old ones: those that are left out stay as they were",
    ),
    ("PreToolUse", "context"): ("honoured", "documented", _CONTEXT),
    ("PostToolUse", "deny"): ("degraded", "documented", _AFTER),
    ("PostToolUse", "ask"): ("degraded", "documented", f"nobody is asked after a tool has run; {_AFTER}"),
    ("PostToolUse", "context"): ("honoured", "documented", _CONTEXT),
    ("PostToolUse", "replace_output"): (
        "honoured",
        "documented",
        "the model sees the text instead of an MCP result; beside the result of Cursor's own tools",
    ),
    ("PostToolUseFailure", "deny"): ("degraded", "documented", "the tool has failed already: the reason is added"),
    ("PostToolUseFailure", "ask"): ("degraded", "documented", "the tool has failed already: the reason is added"),
    ("PostToolUseFailure", "context"): ("honoured", "documented", _CONTEXT),
    ("UserPromptSubmit", "deny"): ("honoured", "documented", "the prompt is not sent; the person reads the reason"),
    ("UserPromptSubmit", "ask"): ("degraded", "documented", "nobody is asked about a prompt: it is denied"),
    ("UserPromptSubmit", "context"): ("honoured", "documented", _CONTEXT),
    ("SessionStart", "deny"): ("honoured", "documented", "the session does not start; the person reads the reason"),
    ("SessionStart", "ask"): ("degraded", "documented", "nobody is asked: the session does not start"),
    ("SessionStart", "context"): ("honoured", "documented", _CONTEXT),
    ("SubagentStart", "allow"): ("honoured", "documented", "the subagent starts"),
    ("SubagentStart", "deny"): ("honoured", "documented", "the subagent does not start"),
    ("SubagentStart", "ask"): ("degraded", "documented", "whether `ask` asks here is not known: it is denied"),
    ("SubagentStart", "context"): ("honoured", "documented", "handed to the subagent"),
    ("Stop", "deny"): ("honoured", "documented", _GOES_ON),
    ("Stop", "ask"): ("degraded", "documented", f"nobody is asked at the end of a turn; {_GOES_ON}"),
    ("Stop", "context"): (
        "dropped",
        "documented",
        "Cursor takes no text for the model here; deny() with a reason makes the agent go on with it",
    ),
    ("SubagentStop", "deny"): ("honoured", "documented", _GOES_ON),
    ("SubagentStop", "ask"): ("degraded", "documented", f"nobody is asked at the end of a turn; {_GOES_ON}"),
    ("SubagentStop", "context"): ("honoured", "documented", "handed to the agent that started it"),
    ("PermissionRequest", verdicts.ANY): (
        "dropped",
        "documented",
        "Cursor has no event for its own question: answer at PreToolUse",
    ),
}


def verdict(event: str, kind: str) -> "Row":
    return verdicts.verdict(TABLE, "Cursor", EVENTS, event, kind)
