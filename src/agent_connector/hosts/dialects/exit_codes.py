"""Hooks that are answered by an exit code: 2 and a reason on stderr refuse, a plain text on stdout is context.

On the hook path.
"""

from agent_connector.hosts.dialects.claude_hooks import NO_REASON
from agent_connector.hosts.nodes import Reply

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from agent_connector.connector.light import Decision, Event

    Renderer = Callable[[Event, Decision], "Reply | dict[str, Any] | str | None"]
    Renderers = Mapping[tuple[str, str], Renderer]

REFUSED = 2


def refuse(event: "Event", decision: "Decision") -> Reply:
    """Nothing on stdout: a host that reads JSON there would see none."""
    return Reply(None, REFUSED, decision.reason or NO_REASON)


def told(event: "Event", decision: "Decision") -> Reply:
    """These hosts read no JSON for context: the text goes out as it is."""
    return Reply(decision.text)


def reply(renderers: "Renderers", event: "Event", decision: "Decision | None") -> Reply:
    """What `renderers` say, whole replies or what is printed; nothing for what the host has no place for."""
    render = None if decision is None else renderers.get((event.name, decision.kind))
    if render is None or decision is None:
        return Reply()
    said = render(event, decision)
    return said if isinstance(said, Reply) else Reply(said)
