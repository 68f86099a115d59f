"""The members of each facet, as protocols for the type checker and for readers; the hook path never imports this.

A host is the folder `hosts/<id>/`; a facet is a module in it: constants and pure functions that return values.
What a host lacks is an absent module or, below the line "may be absent", an absent member. What is shared is taken by
assignment: `reference = dollar`.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypedDict

from agent_connector.connector.light import Decision, Event
from agent_connector.drive.events import Job, RunEvent
from agent_connector.hosts.machine import Machine
from agent_connector.hosts.nodes import Node, Refusal, Reply
from agent_connector.hosts.records import Place, Reader
from agent_connector.hosts.uses import About, AgentsImport, HookUse, ServerUse

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

    # ---- may be absent

    CONFIG_FORMAT: str  # the format of the patched settings, where its file's name does not tell: "jsonc"
    CONFIG_FLAT: bool  # True where a setting's whole dotted name is one key, as in VS Code


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

    # ---- may be absent

    def outdated(self, machine: Machine) -> str | None:
        """What took the place of the version that is here, where the host itself lives on: see REPLACED_BY."""
        ...


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

    LISTED: bool  # True: PATH is a list, whose elements hold their names
    NEEDS_FILE: str  # where the host reads no file that holds servers alone: what a person does to get one
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

    NEUTRAL_AT: Mapping[str, str]  # host event -> its own neutral answer, where that is not the same everywhere
    FAMILY: tuple[str, ...]  # hosts that load the very same file: it is the same text for all, and names the first

    def acting(self, variables: Mapping[str, str]) -> str:
        """In the first of FAMILY: which of them runs our command. Where only a payload tells, `parse` names the host."""
        ...

    def loaded_by(self, raw: Mapping[str, Any], variables: Mapping[str, str]) -> str | None:
        """The host that runs this hook, where that is another one that loads this host's hook files too."""
        ...


class Content(Protocol):
    """`content`: commands, skills, subagents as files; memory targets. All of it may be absent.

    `UNRESTRICTED = True` says that a subagent's file does not keep what it may use: a person is told then.
    """

    def command(self, command: "Command", folder: str) -> Sequence[Node | Refusal]: ...

    def skill(self, skill: "Skill", folder: str) -> Sequence[Node | Refusal]: ...

    def subagent(self, subagent: "Subagent", folder: str) -> Sequence[Node | Refusal]: ...

    def memory(self, scope: str, machine: Machine) -> str | Refusal:
        """The file that takes the memory block, after probing which of several the host reads."""
        ...

    def reads(self, scope: str, machine: Machine) -> Sequence[str]:
        """The files that it reads all at once: where another host's block stands in one of them, that one is enough."""
        ...

    def agents_import(self, scope: str, machine: Machine) -> "AgentsImport | None":
        """For a host that reads AGENTS.md only when its own file imports it: where the block and the line go."""
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
    """`actions`: what a person can press. On the hook path: light imports only."""

    AFFORDANCE: str  # what the person uses: "task", "command", "hook", "workflow", "launch-configuration"
    INVOCATION: str  # how that reaches our launcher: "exec", "exec-file", "manual-hook", "paste", "plugin-command"

    def wire(self, action: "Action", file: str, command: str, marks: tuple[str, ...]) -> Sequence[Node | Refusal]:
        """`command` is a shell command that fails loud: an action is the person's own deed. `marks`: see Item."""
        ...


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
    """`headless`: run the host without a person, and read its stream. `job.system` and `job.budget_usd` are in `argv`."""

    PROGRAM: str
    ENDPOINT: str | None  # the API that a model at `job.endpoint` has to speak; None: it takes no endpoint
    ACP: tuple[str, ...]  # the command that speaks the Agent Client Protocol
    PROVIDERS: tuple[str, ...]  # the names of a provider that mean this host; the first is the list of prices' own
    UPSTREAM: str | None  # where its model's API is when nobody names an endpoint, without a version path
    KEYS: tuple[
        str, ...
    ]  # the variables that hold the key for it (the host's own key where UPSTREAM is None), in order
    KEY_HEADER: str  # how the key is sent: "x-api-key", "authorization" (as a bearer), "x-goog-api-key"
    LOGIN: tuple[str, ...]  # the files below a home that hold a login, where there is no key
    TELLS: str  # what the stream tells of tokens and money, in a line
    SURE: Mapping[str, Sure]  # run, endpoint, resume, system, budget, usage, acp, keys, login; absent: it has none

    def argv(self, job: Job) -> list[str]: ...

    def resume(self, session: str) -> list[str]:
        """The arguments that go on with a session; none where the host cannot."""
        ...

    def environment(self, job: Job) -> dict[str, str]:
        """The variables beside those of the run."""
        ...

    def read(self, line: str) -> Sequence[RunEvent]:
        """What one line of the host's stream says."""
        ...

    # ---- may be absent

    TEXT: bool  # True: what it prints is text for people, and every line of it is one
    OBJECT: bool  # True: it prints one object over many lines, from `{` to `}`, which `read` gets as a whole
    BUDGET: Callable[[Job], list[str]]  # the arguments for `job.budget_usd`, where it takes a limit in money
    ACP_PACKAGE: str  # the npm package of the ACP command, where that is not the host's own program
    ACP_KEYS: tuple[str, ...]  # as KEYS and UPSTREAM, where the host reaches another API over ACP
    ACP_UPSTREAM: str
    ACP_USAGE: str  # what the usage told over ACP is of: "turn", "calls" (they add up); absent: it makes no sum
    ACP_CACHE_IN_INPUT: bool  # True: the input told over ACP holds what the cache gave
    HOME_FILES: Mapping[
        str, str
    ]  # what a fresh home needs for an endpoint: path below it -> text, see drive/home.py for its marks
    MODEL_TOOLS: Mapping[str, tuple[str, ...]]  # canonical name -> names at the model, where hooks have others
    APPROVES_SERVERS: bool  # False: approving one server's tools takes approving everything

    def acp_argv(self, job: Job) -> list[str]:
        """The command line that speaks ACP, where more than `ACP` and `job.extra` stands in it."""
        ...

    def acp_environment(self, job: Job) -> dict[str, str]:
        """The variables of an ACP agent, where they are others than those of a run."""
        ...

    def acp_model(self, job: Job) -> str | None:
        """The model that is chosen by a request; None: nothing is to be chosen. Absent: the job's, without an endpoint."""
        ...

    def acp_meta(self, job: Job) -> dict[str, Any]:
        """What the request for a session holds beside the protocol, where that tells the system text."""
        ...

    def routed(self, server: str, tool: str, arguments: Mapping[str, Any]) -> tuple[str, Mapping[str, Any], str]:
        """In hosts that offer no MCP tool as one: the tool that is called for it, with what, and what tells of it."""
        ...

    SEARCHED: str  # how a tool `{tool}` of `{server}` is called that the model has to search for before it calls it


class Usage(Protocol):
    """`usage`: the host's own logs of what it used. Never on the hook path."""

    SURE: Sure
    MERGE: str  # what becomes of counts that two records of one key give: "max" of each class, or the "last" record
    READERS: Mapping[str, Reader]  # empty: the host keeps no counts on this machine, and NOTE says why
    NOTE: str  # one line for people: what is missing, what has to be synced first and how; "" when all is there
    SOURCES: tuple[tuple[str, str], ...]  # (what, date "2026-11-30")

    def logs(self, machine: Machine) -> Sequence[Place]:
        """Where the logs lie. A pure function; variables that move them are read from the machine."""
        ...

    # ---- may be absent

    REACH: Mapping[str, int]  # kind -> how many folders above a log `beside` may look; 0 for those that are not named
    LISTS: Mapping[str, Callable[[bytes, Machine], Sequence[Place]]]  # kind -> the places that such a file names
    FAMILY: str  # hosts of one name move conversations among them, with their keys: a unit counts once in all of them


class Bundle(Protocol):
    """`bundle`: the host's own package format, and its commands that install one."""

    FORMAT: str  # "claude-plugin", "gemini-extension" ...
    SURE: Sure
    ROOT: str | None  # how a hook's command names the bundle's folder; None: it cannot, and hooks are left out
    FOLDERS: Mapping[
        str, str
    ]  # surface -> file or folder in the bundle; what is not there is left out or in the manifest

    def manifest(self, about: About, servers: Mapping[str, Any], hooks: Any) -> tuple[str, dict[str, Any]]:
        """The manifest's path and content. `servers` and `hooks` are {} and None where they have files of their own."""
        ...

    # ---- may be absent

    HOOKS_KEY: str  # what stands around the hooks in a bundle's file, where a person's own file has it not
    SERVER_NAME: str  # how the host calls the server of a bundle: "plugin_{id}_{server}"
    CATALOG: str  # where a folder of bundles lists them
    INSTALL: Sequence[
        Sequence[str]
    ]  # command lines; {folder} is the catalog's, {bundle} the bundle's folder, {name}, {market}
    REMOVE: Sequence[Sequence[str]]
    KEPT: str  # where there is no REMOVE: what a person does instead
    ASKS: str  # why INSTALL needs a person: it is run in a terminal only, and with its own words

    def entry(self, server: ServerUse) -> dict[str, Any] | Refusal:
        """A server in a bundle, where it is written otherwise than in the person's own file."""
        ...

    def catalog(self, market: str, about: About, source: str) -> dict[str, Any]:
        """The catalog of one bundle that lies in `source`, relative to it."""
        ...
