"""What each surface of a connector becomes in one host: nodes to be written, or why there are none.

One function per surface, from values to values. `Skip` is what the host lacks (said, never counted), `Refusal`
what it could take but not so (counts), `Note` what a person should know.
"""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from typing import Any, cast

from agent_connector.connector.interpolation import references
from agent_connector.connector.manifest import server_fields
from agent_connector.connector.model import ConnectorModel, Hook, Patch, Server
from agent_connector.connector.servers import changed
from agent_connector.connector.validation import Check
from agent_connector.deploy.identity import marks
from agent_connector.hosts import query
from agent_connector.hosts.machine import Machine
from agent_connector.hosts.nodes import Block, Default, Item, Key, Node, Refusal
from agent_connector.hosts.uses import AgentsImport, HookUse, ServerUse
from agent_connector.runtime.launchers.command import guarded, plain

BRIDGED = ("http", "sse")  # what `serve --url` reaches, for hosts that only start programs
IMPORT_BLOCK = "agent-connector/agents-import"  # one line for all connectors that want it
_ANY: Mapping[str, Any] = {"side": "any"}


@dataclass(frozen=True, slots=True)
class Skip:
    """The host has nothing like it, here or at all. `surface` is named where two are rendered together."""

    reason: str
    surface: str | None = None


@dataclass(frozen=True, slots=True)
class Note:
    """Worth saying to the person."""

    text: str


Found = Node | Refusal | Skip | Note


@dataclass(frozen=True, slots=True)
class Options:
    """What the person asked for: remote servers measured through a bridge, trust given in the host's own files."""

    measure_remote: bool = False
    trust: bool = False


@dataclass(frozen=True, slots=True)
class Place:
    """One connector in one host and scope. `shared` says that another host reads the same server entry."""

    model: ConnectorModel
    host: str
    scope: str
    machine: Machine
    launcher: str
    options: Options = field(default_factory=Options)
    shared: bool = False

    @property
    def files(self) -> Mapping[str, str]:
        return query.places(self.host).files(self.scope, self.machine)

    def guarded(self, *arguments: str, neutral: str = "") -> str:
        """The shell command by which a host runs our launcher, harmless when that is gone."""
        return guarded(self.launcher, [*arguments, "--connector", self.model.id], neutral, self.machine.platform)

    def loud(self, *arguments: str) -> str:
        """The shell command for what a person does: when our launcher is gone, it says so."""
        return plain(self.launcher, [*arguments, "--connector", self.model.id], self.machine.platform)


def server(place: Place) -> Iterator[Found]:
    """The server's entry, behind the launcher when it is a program."""
    register = query.register(place.host)
    if register is None or place.model.server is None:
        yield Skip("the host has no place for servers")
        return
    use = server_use(place)
    if use.transport not in query.facts(place.host).TRANSPORTS:
        yield Skip(f"the host has no {use.transport} transport")
        return
    if register.REFERENCE == "none" and use.env_names:
        yield Refusal(
            f"the host would store the value of {', '.join(use.env_names)}: it has no reference to a variable",
            "set the variable where the server itself reads it, and leave ${env:...} out",
        )
        return
    entry = register.entry(use)
    if isinstance(entry, Refusal):
        yield entry
        return
    yield from _registered(place, register, use.name, entry)
    declared = declared_server(place).transport
    if use.transport != declared and not place.options.measure_remote:
        yield Note(
            f"{query.facts(place.host).NAME} has no {declared} transport: our launcher is the bridge to the server"
        )
    lost: Callable[[ServerUse], tuple[str, ...]] | None = getattr(register, "lost", None)
    for line in lost(use) if lost else ():
        yield Note(line)


def _registered(place: Place, register: Any, name: str, entry: dict[str, Any]) -> Iterator[Found]:
    """The entry under the server's name, or as an element of a list; nothing where the file has to be there already."""
    file, form = place.files["server"], register.FORMAT
    first: str = getattr(register, "NEEDS_FILE", "")
    if first and not place.machine.exists(file):
        yield Refusal(f"there is no {file}, and the host does nothing with one that holds servers alone", first)
    elif getattr(register, "LISTED", False):
        yield Item(file, form, register.PATH, entry, marks(place.model.id))
    else:
        yield Key(file, form, (*register.PATH, name), entry)


def server_use(place: Place) -> ServerUse:
    """The server as `place` is to be told: a program behind our launcher, a remote one where the host reaches it."""
    use = raw_use(place)
    if use.transport == "stdio":
        return _behind_launcher(place, use, ["--", use.command, *use.args])
    known = query.facts(place.host).TRANSPORTS
    bridged = use.transport in BRIDGED and use.transport not in known and "stdio" in known
    return _bridged(place, use) if bridged or place.options.measure_remote else use


def raw_use(place: Place) -> ServerUse:
    """The server as it is declared for `place`."""
    platform = place.model.platform(place.host)
    declared = declared_server(place)
    names = tuple(dict.fromkeys(name for name, _ in references(server_fields(declared))))
    register = query.register(place.host)
    trusted: Mapping[str, Any] = getattr(register, "TRUSTED", {}) if place.options.trust else {}
    return ServerUse(
        name=place.model.server_name,
        transport=declared.transport,
        command=declared.command,
        args=declared.args,
        env=declared.env,
        cwd=declared.cwd,
        url=declared.url,
        headers=declared.headers,
        bearer=declared.bearer,
        timeout=declared.timeout,
        startup_timeout=declared.startup_timeout,
        include_tools=declared.include_tools,
        exclude_tools=declared.exclude_tools,
        enabled=declared.enabled,
        env_names=names + ((declared.bearer,) if declared.bearer and declared.bearer not in names else ()),
        extra={**trusted, **platform.extra},
    )


def declared_server(place: Place) -> Server:
    """The server as it is declared for this host."""
    base, changes = place.model.server or Server("stdio"), place.model.platform(place.host).server
    return changed(base, changes, Check(None), "server") if changes else base


def _behind_launcher(place: Place, use: ServerUse, rest: list[str]) -> ServerUse:
    """`serve` starts the server, in its folder, which is in the manifest. A shared entry names no host."""
    host = [] if place.shared else ["--host", place.host]
    args = ("serve", "--connector", place.model.id, *host, *rest)
    return replace(use, transport="stdio", command=place.launcher, args=args, cwd=None)


def _bridged(place: Place, use: ServerUse) -> ServerUse:
    """A remote server as a program: `serve --url`, which measures what passes and takes headers from the manifest."""
    rest = ["--url", use.url, "--transport", use.transport]
    if use.bearer:
        rest += ["--bearer", use.bearer]
    env = {name: "${env:" + name + "}" for name in use.env_names}
    return replace(_behind_launcher(place, use, rest), url="", headers={}, bearer=None, env=env)


def hooks(place: Place, surfaces: tuple[str, ...]) -> Iterator[Found]:
    """Every event with a handler, the normalized and the native ones together: some hosts take one module."""
    facet = query.hooks(place.host)
    if facet is None:
        yield Skip("the host has no hooks")
        return
    uses: dict[str, HookUse] = {}
    family = _family(place.host)
    if "hooks" in surfaces:
        handlers = {id(hook): hook for host in family for hook in place.model.hooks_for(host)}
        for event in dict.fromkeys(hook.event for hook in handlers.values()):
            if event not in facet.EVENTS:
                yield Skip(f"the host has no event for {event}")
            else:
                here = [hook for hook in handlers.values() if hook.event == event]
                uses[event] = _hook_use(place, facet.EVENTS[event], event, here)
    if "native_hooks" in surfaces or len(family) > 1:
        taken = {use.event: name for name, use in uses.items()}
        for hook in (hook for hook in place.model.native_hooks if hook.host in family):
            if hook.event not in (*facet.NATIVE, *facet.EVENTS.values()):
                yield Skip(f"the host has no event of its own called {hook.event}", "native_hooks")
                continue
            name = taken.get(hook.event, hook.event)
            before = uses.get(name) or _native_use(place, hook.event)
            uses[name] = replace(before, matchers=(_ANY,), timeout=max(before.timeout, hook.timeout))
    yield from facet.wire(list(uses.values()), place.files["hooks"])


def _family(host: str) -> tuple[str, ...]:
    """The hosts that load the same hook file as `host`: what is written there is the same for all of them."""
    return getattr(query.hooks(host), "FAMILY", (host,))


def _hook_use(place: Place, host_event: str, event: str, handlers: Sequence[Hook]) -> HookUse:
    return HookUse(
        event=host_event,
        name=event,
        matchers=tuple(hook.matcher for hook in handlers),
        server=place.model.server_name,
        command=hook_command(place, host_event),
        timeout=max(hook.timeout for hook in handlers),
        marks=marks(place.model.id),
    )


def _native_use(place: Place, host_event: str) -> HookUse:
    command = hook_command(place, host_event)
    return HookUse(host_event, None, (_ANY,), place.model.server_name, command, 0, marks(place.model.id))


def hook_command(place: Place, host_event: str) -> str:
    """What runs our launcher at `host_event`, with the host's neutral answer to that event when it is gone."""
    facet = query.hooks(place.host)
    neutral = getattr(facet, "NEUTRAL_AT", {}).get(host_event, facet.NEUTRAL if facet else "")
    return place.guarded("hook", _family(place.host)[0], host_event, neutral=neutral)


def _each(
    name: str, member: str, values: Callable[[ConnectorModel], tuple[Any, ...]]
) -> Callable[[Place], Iterator[Found]]:
    """A content surface: each declared value through the host's own function, into its folder."""

    def found(place: Place) -> Iterator[Found]:
        render = getattr(query.content(place.host), member, None)
        if render is None:
            yield Skip(f"the host has no {name}")
            return
        for value in values(place.model):
            yield from render(value, place.files[name])

    return found


def subagents(place: Place) -> Iterator[Found]:
    """As files; where those have no list of tools, a restriction that is not kept is said."""
    yield from _each("subagents", "subagent", lambda model: model.subagents)(place)
    named = [one.name for one in place.model.subagents if one.allow is not None or one.deny]
    if named and getattr(query.content(place.host), "UNRESTRICTED", False):
        yield Note(
            f"{query.facts(place.host).NAME} gives a subagent every tool, whatever is allowed to {', '.join(named)}"
        )


def memory(place: Place) -> Iterator[Found]:
    """A managed block per declared memory, in the file that the host reads."""
    content = query.content(place.host)
    if content is None:
        yield Skip("the host has no memory file")
        return
    target = content.memory(place.scope, place.machine)
    if isinstance(target, Refusal):
        yield Skip(target.reason)
        return
    imports: Callable[[str, Machine], AgentsImport | None] | None = getattr(content, "agents_import", None)
    found = imports(place.scope, place.machine) if imports else None
    for block in place.model.memory:
        shared = found if block.mode == "agents-import" else None
        yield Block(shared.agents if shared else target, f"{place.model.id}/{block.name}", block.text)
        if shared and os.path.realpath(shared.file) != os.path.realpath(
            shared.agents
        ):  # one may be a link to the other
            yield Block(shared.file, IMPORT_BLOCK, shared.line, unless=shared.line)


def statusline(place: Place) -> Iterator[Found]:
    """The command of the status line, where the person has none."""
    facet = query.statusline(place.host)
    line = place.model.statusline_for(place.host)
    if facet is None or line is None:
        yield Skip("the host has no status line that a command could fill")
        return
    unknown = sorted(set(line.options) - set(facet.OPTIONS))
    if unknown:
        yield Note(f"the host's status line has no option {', '.join(unknown)}")
    yield from facet.wire(place.files["statusline"], place.guarded("statusline", place.host), line.options)


def actions(place: Place) -> Iterator[Found]:
    """What a person can press."""
    facet = query.actions(place.host)
    if facet is None:
        yield Skip("the host has nothing that a person could press")
        return
    known = {action.id: action for action in place.model.actions if action.host is None}
    known |= {action.id: action for action in place.model.actions if action.host == place.host}
    for action in known.values():
        yield from facet.wire(
            action,
            place.files["actions"],
            place.loud("action", place.host, action.id),
            (*marks(place.model.id), f" {action.id} "),
        )


def config_patch(place: Place) -> Iterator[Found]:
    """Single settings, each set only where the person has not set it."""
    file = place.files["config_patch"]
    flat = getattr(query.facts(place.host), "CONFIG_FLAT", False)
    for patch in place.model.patches:
        if patch.host == place.host:
            denied = _denied(place.host, patch)
            path = (patch.path,) if flat else tuple(patch.path.split("."))
            yield denied or Default(file, _format(place, file), path, patch.value)


def _denied(host: str, patch: Patch) -> Refusal | None:
    """A setting of the person's own, or one inside the value; in either case of letters, since hosts differ in that."""
    register = query.register(host)
    own = ".".join(register.PATH) + "*" if register else ""
    denied = [pattern.lower() for pattern in (*query.facts(host).CONFIG_DENIED, own) if pattern]
    for path in _paths(patch.path, patch.value):
        if any(fnmatchcase(path.lower(), pattern) for pattern in denied):
            return Refusal(
                f"{path} is the person's own to set (or belongs to another surface)",
                "leave the patch out and say in your documentation what to set",
            )
    return None


def _paths(path: str, value: Any) -> Iterator[str]:
    """The dotted path of a value, and of all that is in it."""
    yield path
    if isinstance(value, Mapping):
        for name, inner in cast("Mapping[str, Any]", value).items():
            yield from _paths(f"{path}.{name}", inner)


def _format(place: Place, file: str) -> str:
    register = query.register(place.host)
    if register is not None and file == place.files.get("server"):
        return register.FORMAT
    if told := getattr(query.facts(place.host), "CONFIG_FORMAT", None):
        return told
    ending = file.rpartition(".")[2]
    return {"toml": "toml", "yaml": "yaml", "yml": "yaml", "jsonc": "jsonc"}.get(ending, "json")


RENDER: Mapping[str, Callable[[Place], Iterator[Found]]] = {
    "server": server,
    "commands": _each("commands", "command", lambda model: model.commands),
    "skills": _each("skills", "skill", lambda model: model.skills),
    "subagents": subagents,
    "statusline": statusline,
    "actions": actions,
    "config_patch": config_patch,
    "memory": memory,
}
