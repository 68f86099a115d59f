"""The members of each facet, as protocols for the type checker and for readers; nothing imports this at run time.

A host is the folder `hosts/<id>/`; a facet is a module in it: constants and pure functions that return values.
What a host lacks is an absent module (or, inside a module, an absent member). Defaults are taken by assignment:
`reply = claude_hooks.reply`.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, Protocol, TypedDict

from agent_connector.connector.light import Decision, Event
from agent_connector.hosts.machine import Machine
from agent_connector.hosts.nodes import Node, Refusal, Reply

Sure = Literal["proven", "documented", "uncertain"]
Surface = Literal[
    "server",
    "hooks",
    "commands",
    "skills",
    "subagents",
    "memory",
    "statusline",
    "actions",
    "config_patch",
    "native_hooks",
]
Support = Literal["native", "skip-warn", "disabled"]
Verdict = Literal["honoured", "degraded", "dropped"]


class Facts(Protocol):
    """`facts`: who the host is and what it has. Read by docs, matrix, explain and the SDK."""

    ID: str
    NAME: str
    VENDOR: str
    KIND: str  # "cli", "ide", "desktop", "extension"
    PARADIGM: str  # "json-stdio", "plugin", "script-files", "mcp-only"
    SURFACES: Mapping[str, tuple[Support, Sure, str]]  # surface -> (support, how sure, a line that says how or why not)
    TRANSPORTS: Mapping[str, tuple[Sure, str]]  # "stdio", "http", "sse", "ws" -> how
    STEPS: tuple[tuple[str, str, str], ...]  # law 9c: (surface, scope or "", what the person must still do, one line)
    REPLACED_BY: str | None  # a retired host names what replaced it
    LOADS_HOOKS_OF: tuple[str, ...]  # hosts whose hook files this host loads too
    SOURCES: tuple[tuple[str, str], ...]  # (what, date "2026-11-30")


class Evidence(TypedDict):
    """Why we think a host is installed; `confidence` 0..1, `found` the files or programs that were seen."""

    confidence: float
    found: list[str]
    program: str | None


class Places(Protocol):
    """`places`: where the host reads, by surface and scope, and how it is recognised."""

    def installed(self, machine: Machine) -> Evidence | None: ...

    def files(self, scope: str, machine: Machine) -> Mapping[str, str]:
        """Surface -> file or folder in that scope. A surface without a place there is absent; an unknown scope is {}.

        Keys: server, hooks, commands, skills, subagents, memory, statusline, config_patch, and `home` (the config
        folder, for showing).
        """
        ...

    def running(self, variables: Mapping[str, str]) -> bool:
        """True when these environment variables say that this host started this process. On the hook path."""
        ...

    SCOPES: tuple[str, ...]  # those of system, user, project, profile, managed that we write
    CLIENT_NAMES: tuple[str, ...]  # MCP clientInfo.name values; one that ends with `*` is a beginning


class ServerUse:
    """A server as one host is to be told: launcher already in front for stdio, references still as `${env:X}`."""

    name: str
    transport: Literal["stdio", "http", "sse", "ws"]
    command: str
    args: tuple[str, ...]
    env: Mapping[str, str]
    cwd: str | None
    url: str
    headers: Mapping[str, str]
    bearer: str | None  # name of the environment variable
    timeout: float | None  # seconds, per tool call
    startup_timeout: float | None  # seconds
    include_tools: tuple[str, ...]
    exclude_tools: tuple[str, ...]
    enabled: bool
    env_names: tuple[str, ...]  # every NAME of a `${env:NAME}` in it (for pass-through lists)
    extra: Mapping[str, Any]  # merged verbatim, last


class Register(Protocol):
    """`register`: how a server is told to the host."""

    FORMAT: str  # "json" (strict), "jsonc", "json5", "toml", "yaml"
    PATH: tuple[str, ...]  # where the map of servers is
    REFERENCE: str  # "native": `reference` renders; "pass-through": our launcher resolves what it inherits; "none"

    def reference(self, name: str, default: str | None) -> str | None:
        """The host's own spelling of `${env:name:-default}`, None when it has none (the launcher resolves)."""
        ...

    def entry(self, server: ServerUse) -> dict[str, Any] | Refusal: ...


class HookUse:
    """One native hook to be registered: the host's event, what its matchers must catch, the command."""

    event: str  # the host's own name of the event
    name: str | None  # the normalized name; None for a native hook
    matchers: Sequence[Mapping[str, Any]]  # compiled matchers, see connector/matchers.py
    server: str  # the name under which our server is registered in this host
    command: str  # the guarded shell command that runs the launcher
    timeout: float  # seconds
    marks: tuple[str, ...]


class Hooks(Protocol):
    """`hooks`: the host's lifecycle hooks. On the hook path: light imports only."""

    EVENTS: Mapping[str, str]  # normalized -> the host's name; what the host lacks is absent
    NATIVE: tuple[str, ...]  # further native events that `native_hook` may name
    TOOLS: Mapping[str, str]  # the host's own tools -> canonical names
    NEUTRAL: str  # what is printed when nothing is said: "" or "{}"

    def wire(self, hooks: Sequence[HookUse], file: str) -> list[Node]: ...

    def parse(self, host_event: str, raw: dict[str, Any], servers: Sequence[str]) -> Event:
        """`servers`: names under which our server may be registered, for hosts whose tool names are ambiguous."""
        ...

    def reply(self, event: Event, decision: Decision | None) -> Reply: ...

    def honours(self, event: str, kind: str) -> tuple[Verdict, Sure, str]:
        """What the host does with a decision of `kind` at the normalized `event`, how sure, and why in one line."""
        ...


class Content(Protocol):
    """`content`: commands, skills, subagents as files; memory targets. An absent function: the host lacks it."""

    def command(self, command: Any, folder: str) -> list[Node]: ...

    def skill(self, skill: Any, folder: str) -> list[Node]: ...

    def subagent(self, subagent: Any, folder: str) -> list[Node]: ...

    def memory(self, scope: str, machine: Machine) -> str | Refusal:
        """The file that takes the memory block, after probing which of several the host reads."""
        ...

    def reads(self, scope: str, machine: Machine) -> Sequence[str]:
        """The files that it reads all at once: where another host's block stands in one of them, that one is enough."""
        ...


class StatusLine(Protocol):
    """`statusline`: a command-driven status line."""

    OPTIONS: tuple[str, ...]  # author's options that the host knows
    MAX_LINES: int

    def wire(self, file: str, command: str, options: Mapping[str, Any]) -> list[Node]: ...

    def context(self, raw: dict[str, Any]) -> dict[str, Any]:
        """The host's stdin as the neutral nested dict (model, cost, context, workspace, session ...)."""
        ...


class Headless(Protocol):
    """`headless`: run the host without a person, and read its stream.

    What a host needs to meet a stand-in model in a fresh home may stand beside it: HOME_FILES (path below the home ->
    text, `@MODEL@` is the stand-in's URL), MODEL_TOOLS (canonical name -> names at the model, where hooks have others),
    APPROVES_SERVERS = False (approving one server's tools takes approving everything).
    """

    PROGRAM: str
    ENDPOINT: str | None  # the API that a stand-in model has to speak; None: it takes none

    def argv(self, job: Any) -> list[str]: ...

    def environment(self, job: Any) -> dict[str, str]: ...

    def read(self, line: str) -> "Sequence[Any]":
        """One line of the host's stream -> run events (drive/events.py)."""
        ...


Join = Callable[..., str]
