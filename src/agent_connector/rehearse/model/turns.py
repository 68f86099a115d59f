"""What a host asks of the model and what the stand-in answers, in the same words for every wire format."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Role = Literal["system", "user", "assistant", "tool", "offer"]  # "offer": the description of a tool that is offered


@dataclass(frozen=True, slots=True)
class Usage:
    """Token numbers of one answer, in disjoint classes; `reasoning` is a part of `output`."""

    input: int = 1000
    cache_read: int = 0
    cache_write: int = 0
    output: int = 40
    reasoning: int = 0

    @property
    def prompt(self) -> int:
        """Everything that went in, cached or not."""
        return self.input + self.cache_read + self.cache_write


@dataclass(frozen=True, slots=True)
class Offer:
    """A tool that the host offers: its name (and namespace, where the API has them) and its input schema.

    `runs_code` marks a tool that takes a program in which other, unnamed tools are called.
    """

    name: str
    namespace: str | None = None
    schema: Mapping[str, Any] = field(default_factory=dict[str, Any])
    runs_code: bool = False


@dataclass(frozen=True, slots=True)
class Result:
    """What a tool gave back, as the host tells it to the model; `call` is the call's id, "" when the API has none."""

    call: str
    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Asked:
    """One request of a host to the model."""

    api: str
    model: str
    stream: bool
    texts: tuple[tuple[Role, str], ...]
    offers: tuple[Offer, ...]
    results: tuple[Result, ...]
    keys: tuple[str, ...] = ()  # credentials that came with it
    at: float = 0.0  # time.time() of its arrival
    side: bool = False  # a title, summary or routing request: no step of the script was spent on it

    def has(self, text: str, *roles: Role) -> bool:
        """Does `text` stand in it, said by one of `roles` (by anybody when none is named)?"""
        return any(text in said for role, said in self.texts if not roles or role in roles)


@dataclass(frozen=True, slots=True)
class Call:
    """The stand-in's wish to have a tool called; `code` is the program where the tool is called from one."""

    id: str
    name: str
    arguments: Mapping[str, Any]
    namespace: str | None = None
    code: str | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """One answer of the stand-in: a text, calls, or both."""

    id: str
    text: str
    calls: tuple[Call, ...]
    usage: Usage
