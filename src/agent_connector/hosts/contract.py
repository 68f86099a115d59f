"""The members of each facet, as protocols for the type checker and for readers; the hook path never imports this.

A host is the folder `hosts/<id>/`; a facet is a module in it: constants and pure functions that return values.
What a host lacks is an absent module or, below the line "may be absent", an absent member. What is shared is taken by
assignment: `reference = dollar`.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypedDict

from agent_connector.connector.light import Decision, Event
from agent_connector.drive.events import Job, RunEvent
from agent_connector.hosts.machine import Machine
from agent_connector.hosts.nodes import Node, Refusal, Reply
from agent_connector.hosts.uses import HookUse, ServerUse

if TYPE_CHECKING:
    from agent_connector.connector.model import Action, Command, Skill, Subagent

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
    STEPS: tuple[tuple[str, str, str], ...]  # (surface, scope or "", what the person must still do, one line)
    REPLACED_BY: str | None  # a retired host names what replaced it
    LOADS_HOOKS_OF: tuple[str, ...]  # hosts whose hook files this host loads too
    CONFIG_DENIED: tuple[str, ...]  # patterns of settings that are the person's own: no config patch sets them
    QUIRKS: tuple[tuple[str, str], ...]  # (what surprises, date "2026-11-30")
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


class Register(Protocol):
    """`register`: how a server is told to the host."""

    FORMAT: str  # "json" (strict), "jsonc", "json5", "toml", "yaml"
    PATH: tuple[str, ...]  # where the map of servers is
    REFERENCE: str  # "native": `reference` renders; "pass-through": our launcher resolves what it inherits; "none"

    def reference(self, name: str, default: str | None) -> str | None:
        """The host's own spelling of `${env:name:-default}`, None when it has none (the launcher resolves)."""
        ...

    def entry(self, server: ServerUse) -> dict[str, Any] | Refusal: ...

    # ---- may be absent

    TRUSTED: Mapping[str, Any]  # what `--trust` adds to the entry

    def lost(self, server: ServerUse) -> tuple[str, ...]:
        """What of the declaration has no place in the entry, a line each."""
        ...


class Hooks(Protocol):
    """`hooks`: the host's lifecycle hooks. On the hook path: light imports only.

    `UNWAITED` may stand beside these: normalized events whose hooks the host does not wait for, and may end.
    """

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

    # ---- may be absent

    def restore(self, event: Event, matchers: Iterable[Mapping[str, Any]], own: str) -> None:
        """Give the event's tool the name that one of `matchers` knows, in hosts that write tools' names otherwise.

        `own` is what `event.server` says for this connector's own tools.
        """
        ...

    def loaded_by(self, raw: Mapping[str, Any], variables: Mapping[str, str]) -> str | None:
        """The host that runs this hook, where that is another one that loads this host's hook files too."""
        ...


class Content(Protocol):
    """`content`: commands, skills, subagents as files; memory targets. All of it may be absent."""

    def command(self, command: "Command", folder: str) -> Sequence[Node | Refusal]: ...

    def skill(self, skill: "Skill", folder: str) -> Sequence[Node | Refusal]: ...

    def subagent(self, subagent: "Subagent", folder: str) -> Sequence[Node | Refusal]: ...

    def memory(self, scope: str, machine: Machine) -> str | Refusal:
        """The file that takes the memory block, after probing which of several the host reads."""
        ...

    def reads(self, scope: str, machine: Machine) -> Sequence[str]:
        """The files that it reads all at once: where another host's block stands in one of them, that one is enough."""
        ...


class StatusLine(Protocol):
    """`statusline`: a command-driven status line. On the hook path: light imports only."""

    OPTIONS: tuple[str, ...]  # author's options that the host knows
    MAX_LINES: int

    def wire(self, file: str, command: str, options: Mapping[str, Any]) -> list[Node]: ...

    def context(self, raw: dict[str, Any]) -> dict[str, Any]:
        """The host's stdin as the neutral nested dict (model, cost, context, workspace, session ...)."""
        ...


class Actions(Protocol):
    """`actions`: what a person can press."""

    def wire(self, action: "Action", file: str, command: str) -> list[Node]: ...


class Samples(Protocol):
    """`samples`: payloads as the host sends them, made up for `simulate`."""

    def payload(
        self, host_event: str, event: str, server: str | None, tool: str, given: Mapping[str, Any]
    ) -> dict[str, Any]:
        """What the hook of `host_event` would read on its stdin; `given` are neutral words, see dialects/samples.py."""
        ...


class Trust(Protocol):
    """`trust`: what the host writes down when a person trusts a hook, for `--trust`."""

    PATH: tuple[str, ...]  # where that is, in the person's own file of servers

    def states(self, file: str, hooks: Mapping[str, Any], marks: tuple[str, ...]) -> Mapping[str, Any]:
        """Key and value below PATH for each hook of `file` that carries `marks`; `hooks` is what stands there."""
        ...

    # ---- may be absent

    def project(self, folder: str) -> tuple[tuple[str, ...], Any]:
        """Path and value that make `folder` a trusted project."""
        ...


class Headless(Protocol):
    """`headless`: run the host without a person, and read its stream."""

    PROGRAM: str
    ENDPOINT: str | None  # the API that a stand-in model has to speak; None: it takes none
    ACP: tuple[str, ...]  # the command that speaks the Agent Client Protocol

    def argv(self, job: Job) -> list[str]: ...

    def resume(self, session: str) -> list[str]:
        """The arguments that go on with a session."""
        ...

    def environment(self, job: Job) -> dict[str, str]:
        """The variables beside those of the run."""
        ...

    def read(self, line: str) -> Sequence[RunEvent]:
        """What one line of the host's stream says."""
        ...

    # ---- may be absent

    ACP_PACKAGE: str  # the npm package of the ACP command, where that is not the host's own program
    HOME_FILES: Mapping[str, str]  # what a fresh home needs: path below it -> text, `@MODEL@` is the stand-in's URL
    MODEL_TOOLS: Mapping[str, tuple[str, ...]]  # canonical name -> names at the model, where hooks have others
    APPROVES_SERVERS: bool  # False: approving one server's tools takes approving everything
    SEARCHED: str  # how a tool `{tool}` of `{server}` is called that the model has to search for before it calls it
