"""What goes into a headless run of a host and what comes out of it, in the same words for every host.

A host's `headless` facet turns a `Job` into a command line and each line of the host's stream into run events.
These are plain values: nothing here starts a program or reads a stream.
"""

from collections.abc import Mapping
from dataclasses import astuple, dataclass, field
from typing import Any, Literal


@dataclass(frozen=True, slots=True)
class Job:
    """One headless run: what is asked, where, and how the host may act."""

    prompt: str
    cwd: str
    program: str | None = None  # path of the host's program; None: its usual name, found on PATH
    model: str | None = None
    resume: str | None = None  # session to go on with
    endpoint: str | None = None  # base URL of a stand-in model, "http://127.0.0.1:PORT", without a version path
    api_key: str = "stand-in"  # what is told to the host as the key of that endpoint
    approvals: Literal["default", "edits", "all"] = "default"
    approved_servers: tuple[str, ...] = ()  # MCP servers whose tools run without being asked for
    trust: bool = False  # run hooks and project settings that the person has not reviewed
    system: str | None = None  # text for the system prompt; in front of the prompt where the host takes none
    budget_usd: float | None = None  # what the host may spend, where it takes such a limit
    spent: "Usage | None" = None  # what the resumed session had used, for hosts that count over a whole session
    extra: tuple[str, ...] = ()  # further arguments, verbatim

    @property
    def text(self) -> str:
        """The prompt with the system text in front, for hosts that take none apart."""
        return f"{self.system}\n\n{self.prompt}" if self.system else self.prompt


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of a turn in classes that do not overlap; `reasoning` is a part of `output`."""

    input: int = 0
    cache_read: int = 0
    cache_write_5m: int = 0
    cache_write_1h: int = 0
    output: int = 0
    reasoning: int = 0

    def __add__(self, more: "Usage") -> "Usage":
        return Usage(*(one + other for one, other in zip(astuple(self), astuple(more), strict=True)))

    def __sub__(self, less: "Usage") -> "Usage":
        """What is beyond `less`; never below nothing."""
        return Usage(*(max(0, one - other) for one, other in zip(astuple(self), astuple(less), strict=True)))


@dataclass(frozen=True, slots=True)
class Started:
    """The session is there. `servers` maps MCP servers to the state that the host reports."""

    session: str
    model: str | None = None
    cwd: str | None = None
    servers: Mapping[str, str] = field(default_factory=dict[str, str])
    tools: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Said:
    """The model said this to the person. `parent` is the call inside which a subagent said it.

    `piece`: what comes next may go on where this ends; a run joins such pieces before it hands them out.
    """

    text: str
    parent: str | None = None
    piece: bool = False


@dataclass(frozen=True, slots=True)
class Thought:
    """A piece of the model's reasoning that the host shows; `piece` as above."""

    text: str
    parent: str | None = None
    piece: bool = False


@dataclass(frozen=True, slots=True)
class Called:
    """The model called a tool. `tool` is the host's own name for it, `server` and `name` its parts for MCP tools.

    Over ACP agents may tell no name and no arguments: then `kind` (read, edit, execute ...), `title` and `paths` are
    there. A name that is `guessed` was taken from the title, which in some agents is the model's own words.
    """

    call_id: str
    tool: str
    arguments: Any = None
    server: str | None = None
    name: str | None = None
    parent: str | None = None
    kind: str | None = None
    title: str | None = None
    paths: tuple[str, ...] = ()
    guessed: bool = False


@dataclass(frozen=True, slots=True)
class Returned:
    """A call came back; `output` is the result as the host gives it."""

    call_id: str
    output: Any = None
    failed: bool = False
    parent: str | None = None


@dataclass(frozen=True, slots=True)
class Noticed:
    """The host tells something beside the run: a hook, a retry, a warning. Never the end of a run."""

    kind: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class Spent:
    """Tokens of one step, where a host tells them step by step and no sum at the end; they add up to the run's."""

    usage: Usage
    cost_usd: float | None = None


@dataclass(frozen=True, slots=True)
class Finished:
    """The run is over. `text` is None where the last `Said` is the answer; a cost is the host's own figure.

    `usage` is of this run; with `cumulative` of the whole session, so a resumed one tells earlier runs' tokens again.
    """

    ok: bool
    reason: str | None = None
    text: str | None = None
    session: str | None = None
    usage: Usage | None = None
    by_model: Mapping[str, Usage] = field(default_factory=dict[str, Usage])
    cost_usd: float | None = None
    turns: int | None = None
    denied: tuple[str, ...] = ()  # tools that the host refused to run
    cumulative: bool = False


RunEvent = Started | Said | Thought | Called | Returned | Noticed | Spent | Finished
