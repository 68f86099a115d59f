"""Commands and subagents as Markdown files with a head, in hosts that differ in its keys alone."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from agent_connector.hosts.dialects.front_matter import Value, document, join
from agent_connector.hosts.nodes import Node, Refusal, Whole

if TYPE_CHECKING:
    from agent_connector.connector.model import Command, Subagent

WRITTEN = "(the text that the person wrote after the command)"  # where a host has no mark for it


def command(
    command: "Command",
    folder: str,
    head: Mapping[str, Value | None],
    *,
    arguments: str = WRITTEN,
    ending: str = ".md",
    flat: bool = False,
) -> list[Node]:
    """`<name>.md`. `arguments` stands for what the person wrote behind the name; `flat` where files lie side by side."""
    name = command.name.replace("/", "-") if flat else command.name
    text = command.prompt.replace("$ARGUMENTS", arguments)
    return [Whole(join(folder, name + ending), document(head, text))]


def subagent(subagent: "Subagent", path: str, head: Mapping[str, Value | None]) -> list[Node]:
    """The file at `path`; `head` comes behind the name and the description."""
    top = {"name": subagent.name, "description": subagent.description, **head}
    return [Whole(path, document(top, subagent.prompt))]


def denial_refused(subagent: "Subagent", host: str) -> Refusal | None:
    """Refuses what a host that knows a list of allowed tools alone cannot say."""
    if not subagent.deny:
        return None
    return Refusal(
        f"{host} cannot take tools away from a subagent, as {subagent.name!r} asks", "name the tools that are allowed"
    )


def own_name(tools: Mapping[str, str], name: str) -> str:
    """What a host calls its own tool whose canonical name is `name`."""
    return next((native for native, canonical in tools.items() if canonical == name), name)


def workflow(command: "Command", folder: str, host: str, longest: int) -> list[Node | Refusal]:
    """A command in hosts that call it a workflow, and bound its length in characters."""
    if len(command.prompt) > longest:
        return [
            Refusal(f"{host} takes {longest:,} characters of a workflow, not {len(command.prompt):,}", "shorten it")
        ]
    text = command.prompt.replace("$ARGUMENTS", WRITTEN)
    head = {"description": command.description or None}
    return [Whole(join(folder, command.name + ".md"), document(head, text))]
