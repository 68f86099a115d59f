"""What hosts of Amazon Q's kind do with a decision: a refusal before a tool, a text at two events, and nothing else."""

from typing import TYPE_CHECKING

from agent_connector.hosts.dialects import verdicts

if TYPE_CHECKING:
    from agent_connector.hosts.dialects.verdicts import Table

TABLE: "Table" = {
    ("SessionStart", "context"): ("honoured", "documented", f"{verdicts.ADDED}, for the whole session"),
    ("UserPromptSubmit", "context"): ("honoured", "documented", f"{verdicts.ADDED}, beside the prompt"),
    ("PreToolUse", "allow"): (
        "dropped",
        "documented",
        "letting the call pass grants nothing: the host's own rules decide",
    ),
    ("PreToolUse", "deny"): ("honoured", "documented", verdicts.DENIED),
    ("PreToolUse", "ask"): ("degraded", "documented", "a hook cannot ask: the call is denied with the reason"),
    ("PreToolUse", "modify"): (
        "dropped",
        "documented",
        "arguments cannot be changed: deny with a reason that says how",
    ),
    ("PreToolUse", "context"): ("dropped", "documented", "no text reaches the model before a tool"),
    ("PostToolUse", verdicts.ANY): ("dropped", "documented", "what a hook says after a tool reaches nobody"),
    ("Stop", verdicts.ANY): ("dropped", "documented", "the end of a turn cannot be stopped"),
}
