"""What the core asks of its driver (effects), and what the driver brings back (outcomes). Values only."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from agent_connector.byoa.core.ports import HostSession

LONGEST_REQUEST = 30.0


@dataclass(frozen=True, slots=True)
class Request:
    """Send this and bring back the whole answer: follow no redirect, refuse more than `limit` bytes unread."""

    id: int
    method: str
    url: str
    headers: tuple[tuple[str, str], ...] = field(repr=False)  # holds the token
    body: bytes = field(repr=False)
    limit: int
    timeout: float = LONGEST_REQUEST


@dataclass(frozen=True, slots=True)
class Cancel:
    """Nobody waits for this request any more; an outcome that still comes is ignored."""

    id: int


@dataclass(frozen=True, slots=True)
class Submit:
    """Hand `prompt` to the host as a user's prompt, inert: no file, command or mention in it expands."""

    session: HostSession
    prompt: str


@dataclass(frozen=True, slots=True)
class Abort:
    """End the turn that the host works on now."""

    session: HostSession


@dataclass(frozen=True, slots=True)
class Apply:
    """Choose `value` for a setting that the session offered."""

    session: HostSession
    setting: str
    value: str


@dataclass(frozen=True, slots=True)
class Display:
    """`band`: the line that stays (empty: none); `toast`: said once. None leaves what is there."""

    band: str | None = None
    toast: str | None = None


@dataclass(frozen=True, slots=True)
class Say:
    """Text for whoever gave the command; with `done` the command is over, well or not."""

    command: int
    text: str
    done: bool = True
    ok: bool = True


@dataclass(frozen=True, slots=True)
class CallResult:
    """What a proxied tool gave: MCP content blocks, already bounded and cleaned."""

    content: tuple[Mapping[str, object], ...]
    is_error: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """The result of a tool call that came in through a handle."""

    call: int
    result: CallResult


Effect = Request | Cancel | Submit | Abort | Apply | Display | Say | Answer


@dataclass(frozen=True, slots=True)
class Response:
    """An answer, whole; names of headers in lower case."""

    status: int
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    body: bytes = b""


@dataclass(frozen=True, slots=True)
class Failure:
    """No answer: refused, reset, timed out, too large. `what` is shown to the person."""

    what: str


Outcome = Response | Failure
