"""A server and a hook as one host is to be told of them: the values that the hosts' facets take."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal


@dataclass(frozen=True, slots=True)
class ServerUse:
    """See `hosts/contract.py`: the launcher is in front already, references stand as `${env:X}`, times are seconds."""

    name: str
    transport: Literal["stdio", "http", "sse", "ws"]
    command: str = ""
    args: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict[str, str])
    cwd: str | None = None
    url: str = ""
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    bearer: str | None = None
    timeout: float | None = None
    startup_timeout: float | None = None
    include_tools: tuple[str, ...] = ()
    exclude_tools: tuple[str, ...] = ()
    enabled: bool = True
    env_names: tuple[str, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True)
class HookUse:
    """See `hosts/contract.py`: one event of the host, what its matchers must catch, and the guarded command."""

    event: str
    name: str | None
    matchers: Sequence[Mapping[str, Any]]
    server: str
    command: str
    timeout: float
    marks: tuple[str, ...]
