"""What Kiro does with each decision at each event, by its documentation and what others measured; nothing was run."""

from typing import TYPE_CHECKING

from agent_connector.hosts.dialects import q_verdicts, verdicts
from agent_connector.hosts.kiro.hooks import EVENTS

if TYPE_CHECKING:
    from agent_connector.hosts.dialects.verdicts import Row, Table

TABLE: "Table" = {
    **q_verdicts.TABLE,
    ("UserPromptSubmit", "deny"): ("honoured", "documented", verdicts.NO_PROMPT),
    ("UserPromptSubmit", "ask"): ("degraded", "documented", verdicts.NOBODY_AT_PROMPT),
}


def verdict(event: str, kind: str) -> "Row":
    return verdicts.verdict(TABLE, "Kiro", EVENTS, event, kind)
