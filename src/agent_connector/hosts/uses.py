"""A server and a hook as one host is to be told of them, and other values between `deploy` and a host's facets."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal


@dataclass(frozen=True, slots=True)
class ServerUse:
    """A server: the launcher is in front already for stdio, references stand as `${env:X}`, times are seconds."""

    name: str
    transport: Literal["stdio", "http", "sse", "ws"]
    command: str = ""
    args: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict[str, str])
    cwd: str | None = None
    url: str = ""
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    bearer: str | None = None  # name of the environment variable
    timeout: float | None = None  # per tool call
    startup_timeout: float | None = None
    include_tools: tuple[str, ...] = ()
    exclude_tools: tuple[str, ...] = ()
    enabled: bool = True
    env_names: tuple[str, ...] = ()  # every NAME of a `${env:NAME}` in it (for pass-through lists)
    extra: Mapping[str, Any] = field(default_factory=dict[str, Any])  # merged verbatim, last


@dataclass(frozen=True, slots=True)
class HookUse:
    """One native hook: the host's event, what its matchers must catch, and the guarded command."""

    event: str  # the host's own name of the event
    name: str | None  # the normalized name; None for a native hook
    matchers: Sequence[Mapping[str, Any]]  # compiled matchers, see connector/matchers.py
    server: str  # the name under which our server is registered in this host
    command: str  # the shell command that runs the launcher, see runtime/launchers/command.py
    timeout: float  # seconds
    marks: tuple[str, ...]  # texts that tell an entry of ours, see `Item` in hosts/nodes.py


@dataclass(frozen=True, slots=True)
class About:
    """What a bundle says of itself; "" where nothing is known. `author` is a name, `url` a page of the project."""

    id: str
    version: str
    description: str
    author: str = ""
    license: str = ""
    url: str = ""


@dataclass(frozen=True, slots=True)
class AgentsImport:
    """A memory block in AGENTS.md (`agents`), and `line` in the host's own memory file (`file`), which imports it."""

    agents: str
    file: str
    line: str
