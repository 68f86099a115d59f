"""What a host does with a decision, with the words for what no host of this kind can do. Not on the hook path."""

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agent_connector.hosts.contract import Sure, Verdict

    Row = tuple[Verdict, Sure, str]
    Table = Mapping[tuple[str, str], Row]

ANY = "*"

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
