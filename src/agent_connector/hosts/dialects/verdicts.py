"""What a host does with a decision, with the words for what no host of this kind can do. Not on the hook path."""

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agent_connector.hosts.contract import Sure, Verdict

    Row = tuple[Verdict, Sure, str]
    Table = Mapping[tuple[str, str], Row]

ANY = "*"

# What many hosts do alike.
DENIED = "the tool does not run and the model reads the reason"
ASKED = "the person is asked"
CHANGED = "the tool gets the new arguments"
ADDED = "put before the model"
NO_PROMPT = "the prompt is not sent"
NOBODY_AT_PROMPT = "nobody is asked about a prompt: it is denied"
AFTER = "the tool has run: its result stays, and the reason is added beside it"
NOBODY_AFTER = f"nobody is asked after a tool has run; {AFTER}"
GOES_ON = "the agent goes on with the reason as its task"
NOBODY_AT_STOP = f"nobody is asked at the end of a turn: {GOES_ON}"
GOES_ON_EIGHT = f"{GOES_ON}; the host stops this after eight rounds"
FAILED = "the tool has failed already: the reason is added"
OWN_QUESTION = "nothing is said, so the host's own question is asked, without the reason"
ADDED_TO_FAILURE = "added to what the model reads of the failure"
IN_RESULT = "added inside the tool's result"
ASKED_OR_NOT_RUN = f"{ASKED}; headless the tool does not run"
NOTHING_BEFORE = "no text reaches the model before a tool: answer at PostToolUse"
PROMPT_ENDS = "no request is made; a headless run ends with exit code 1"
BESIDE_PROMPT = "stands beside the prompt"

_NOTHING: Mapping[str, str] = {
    "allow": "there is nothing to grant at {event}; it goes on as if the hook had said nothing",
    "deny": "{event} cannot be stopped, and the reason reaches nobody",
    "ask": "{event} cannot be stopped, so there is nothing to ask",
    "modify": "arguments can be changed before a tool runs, not at {event}",
    "context": "{host} takes no text for the model at {event}",
    "replace_output": "there is no tool result to replace at {event}",
}


def verdict(table: "Table", host: str, events: Collection[str], event: str, kind: str) -> "Row":
    """The row of `table` for `kind`, or for ANY; for what is in neither: the host has no event or no place for it."""
    if row := table.get((event, kind)) or table.get((event, ANY)):
        return row
    if event not in events:
        return ("dropped", "documented", f"{host} has no event for {event}, so the handler never runs")
    return ("dropped", "documented", _NOTHING[kind].format(event=event, host=host))
