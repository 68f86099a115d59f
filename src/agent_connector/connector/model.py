"""The full, frozen form of a connector: what install works with, made once from a valid declaration.

Handlers are not in it, only where they stand (`Handler`): author's code runs in hosts, never in the installer.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, Literal

from agent_connector.connector.light import SURFACES

Transport = Literal["stdio", "http", "sse", "ws"]
OnError = Literal["allow", "deny"]
MemoryMode = Literal["own-file", "agents-import"]


class Scope(IntEnum):
    """Where an install counts, from the widest to what overrules all. A host maps those that it has."""

    SYSTEM = 0
    USER = 1
    PROJECT = 2
    PROFILE = 3
    MANAGED = 4

    @property
    def word(self) -> str:
        return self.name.lower()

    @classmethod
    def of(cls, word: str) -> "Scope":
        return cls[word.upper()]


@dataclass(frozen=True, slots=True)
class Handler:
    """Where a function of the author stands: the `ordinal`-th part of its kind."""

    ordinal: int
    name: str
    is_async: bool
    line: int


@dataclass(frozen=True, slots=True)
class Server:
    """An MCP server. Texts may hold `${env:NAME}` and `${env:NAME:-default}`; times are seconds."""

    transport: Transport
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


@dataclass(frozen=True, slots=True)
class Hook:
    event: str
    pattern: str  # as written
    matcher: Mapping[str, Any]  # compiled
    host: str | None
    timeout: float
    on_error: OnError
    handler: Handler


@dataclass(frozen=True, slots=True)
class NativeHook:
    host: str
    event: str
    timeout: float
    handler: Handler


@dataclass(frozen=True, slots=True)
class Memory:
    name: str
    text: str
    mode: MemoryMode = "own-file"


@dataclass(frozen=True, slots=True)
class Command:
    name: str
    prompt: str
    description: str
    argument_hint: str | None = None
    model: str | None = None


@dataclass(frozen=True, slots=True)
class Skill:
    name: str
    description: str
    body: str
    files: Mapping[str, str] = field(default_factory=dict[str, str])  # relative path -> text


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool that a subagent may or may not use; `server` is None for the host's own, else the registered name."""

    server: str | None
    name: str  # "*" is all of that server's


@dataclass(frozen=True, slots=True)
class Subagent:
    """`allow` is None when the subagent inherits every tool."""

    name: str
    description: str
    prompt: str
    allow: tuple[Tool, ...] | None = None
    deny: tuple[Tool, ...] = ()
    model: str | None = None


@dataclass(frozen=True, slots=True)
class StatusLine:
    host: str | None  # None: the general rendering
    options: Mapping[str, Any]
    handler: Handler


@dataclass(frozen=True, slots=True)
class Action:
    id: str
    label: str
    icon: str | None
    placement: str | None
    confirm: str | None
    host: str | None
    handler: Handler


@dataclass(frozen=True, slots=True)
class Patch:
    host: str
    path: str  # dotted
    value: Any
    reason: str
    docs_url: str | None


@dataclass(frozen=True, slots=True)
class Platform:
    """What is different in one host."""

    host: str
    scope: Scope | None = None
    extra: Mapping[str, Any] = field(default_factory=dict[str, Any])
    server: Mapping[str, Any] = field(default_factory=dict[str, Any])  # changed fields of `Server`
    off: frozenset[str] = frozenset()  # surfaces


@dataclass(frozen=True, slots=True)
class Telemetry:
    enabled: bool = True
    model_family: str | None = None
    measure_definitions: bool = True
    store: Literal["home", "project"] = "home"
    keep_days: int = 90


@dataclass(frozen=True, slots=True)
class Source:
    """Where a declaration came from.

    `kind`: "file" (one Python file), "package" (a folder with `__init__.py`), "toml", "pyproject", "command" or
    "url" (no file at all). `path` is the file, or the package's top folder; `module` and `attribute` find the
    connector in Python code; `requires` are the exact requirements beyond the standard library and this package.
    """

    kind: Literal["file", "package", "toml", "pyproject", "command", "url"]
    path: str = ""
    module: str = ""
    attribute: str = "connector"
    requires: tuple[str, ...] = ()
    import_seconds: float = 0.0

    @property
    def has_code(self) -> bool:
        return self.kind in ("file", "package")


@dataclass(frozen=True, slots=True)
class ConnectorModel:
    id: str
    version: str
    description: str
    alias: str | None
    targets: tuple[str, ...] | None  # None: every host
    server: Server | None
    hooks: tuple[Hook, ...]
    native_hooks: tuple[NativeHook, ...]
    memory: tuple[Memory, ...]
    commands: tuple[Command, ...]
    skills: tuple[Skill, ...]
    subagents: tuple[Subagent, ...]
    statuslines: tuple[StatusLine, ...]
    actions: tuple[Action, ...]
    patches: tuple[Patch, ...]
    platforms: Mapping[str, Platform]
    telemetry: Telemetry
    source: Source

    @property
    def server_name(self) -> str:
        """The name under which hosts know the server."""
        return self.alias or self.id

    def platform(self, host: str) -> Platform:
        return self.platforms.get(host) or Platform(host)

    def hooks_for(self, host: str) -> tuple[Hook, ...]:
        """The handlers that count in `host`: its own ones stand in for the general ones, event by event."""
        own = {hook.event for hook in self.hooks if hook.host == host}
        return tuple(h for h in self.hooks if h.host == host or (h.host is None and h.event not in own))

    def statusline_for(self, host: str) -> StatusLine | None:
        by_host = {line.host: line for line in self.statuslines}
        return by_host.get(host) or by_host.get(None)

    def surfaces(self, host: str) -> tuple[str, ...]:
        """The surfaces that this connector uses in `host` and has not switched off there."""
        used = {
            "server": self.server is not None,
            "hooks": bool(self.hooks_for(host)),
            "commands": bool(self.commands),
            "skills": bool(self.skills),
            "subagents": bool(self.subagents),
            "memory": bool(self.memory),
            "statusline": self.statusline_for(host) is not None,
            "actions": any(action.host in (None, host) for action in self.actions),
            "config_patch": any(patch.host == host for patch in self.patches),
            "native_hooks": any(hook.host == host for hook in self.native_hooks),
        }
        return tuple(s for s in SURFACES if used[s] and s not in self.platform(host).off)
