"""The words of a turn over ACP: the prompt that is in the agent, how it may end, and where the person sees it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from agent_connector.byoa.sessions.acp_updates import Question, Step

# Stop reason -> outcome and reason of the turn. Anything else is an error of the host.
ENDS: Mapping[str, tuple[str, str | None]] = {
    "end_turn": ("done", None),
    "cancelled": ("interrupted", "stopped"),
    "refusal": ("error", "rejected"),
    "max_tokens": ("error", "host_error"),  # what the app has got is not the whole answer
    "max_turn_requests": ("error", "host_error"),
}
BROKEN = ("error", "host_error")


class Screen(Protocol):
    """Where the person sees the session."""

    def typed(self) -> None:
        """The person has ended a line."""
        ...

    def prompt(self, text: str) -> None:
        """A prompt of an app begins, with its provenance."""
        ...

    def said(self, text: str) -> None: ...
    def thought(self, text: str) -> None: ...
    def step(self, step: Step) -> None: ...
    def note(self, text: str) -> None: ...
    def over(self) -> None:
        """A turn is over."""
        ...

    def ask(self, question: Question) -> None: ...


@dataclass
class Running:
    """The prompt that is in the agent."""

    prompt: str
    of_app: bool
    asked_at: float
    begun: bool = False
    taken: bool = False  # the person's prompt waits for its end
    cancelled_at: float | None = None
