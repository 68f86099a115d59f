"""What each surface of a connector becomes in one host: nodes to be written, or why there are none.

One function per surface, from values to values. `Skip` is what the host lacks (said, never counted), `Refusal`
what it could take but not so (counts), `Note` what a person should know.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from typing import Any

from agent_connector.connector.interpolation import references
from agent_connector.connector.manifest import server_fields
from agent_connector.connector.model import ConnectorModel, Patch, Server
from agent_connector.connector.servers import changed
from agent_connector.connector.validation import Check
from agent_connector.deploy.identity import marks
from agent_connector.hosts import query
from agent_connector.hosts.machine import Machine
from agent_connector.hosts.nodes import Block, Default, Key, Node, Refusal
from agent_connector.hosts.uses import HookUse, ServerUse
from agent_connector.runtime.launchers.command import guarded

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
    yield Key(place.files["server"], register.FORMAT, (*register.PATH, use.name), entry)
    lost: Callable[[ServerUse], tuple[str, ...]] | None = getattr(register, "lost", None)
    for line in lost(use) if lost else ():
        yield Note(line)


def server_use(place: Place) -> ServerUse:
    """The server as `place` is to be told."""
    platform = place.model.platform(place.host)
    base = place.model.server or Server("stdio")
    declared = changed(base, platform.server, Check(None), "server") if platform.server else base
    names = tuple(dict.fromkeys(name for name, _ in references(server_fields(declared))))
    register = query.register(place.host)
    trusted: Mapping[str, Any] = getattr(register, "TRUSTED", {}) if place.options.trust else {}
    use = ServerUse(
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
    if declared.transport == "stdio":
        return _behind_launcher(place, use, ["--", use.command, *use.args])
    return _bridged(place, use) if place.options.measure_remote else use


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
    if "hooks" in surfaces:
        for event in dict.fromkeys(hook.event for hook in place.model.hooks_for(place.host)):
            if event not in facet.EVENTS:
                yield Skip(f"the host has no event for {event}")
            else:
                uses[event] = _hook_use(place, facet.EVENTS[event], event, facet.NEUTRAL)
    if "native_hooks" in surfaces:
        taken = {use.event: name for name, use in uses.items()}
        for hook in (hook for hook in place.model.native_hooks if hook.host == place.host):
            if hook.event not in (*facet.NATIVE, *facet.EVENTS.values()):
                yield Skip(f"the host has no event of its own called {hook.event}", "native_hooks")
                continue
            name = taken.get(hook.event, hook.event)
            before = uses.get(name) or _native_use(place, hook.event, facet.NEUTRAL)
            uses[name] = replace(before, matchers=(_ANY,), timeout=max(before.timeout, hook.timeout))
    yield from facet.wire(list(uses.values()), place.files["hooks"])


def _hook_use(place: Place, host_event: str, event: str, neutral: str) -> HookUse:
    handlers = [hook for hook in place.model.hooks_for(place.host) if hook.event == event]
    return HookUse(
        event=host_event,
        name=event,
        matchers=tuple(hook.matcher for hook in handlers),
        server=place.model.server_name,
        command=place.guarded("hook", place.host, host_event, neutral=neutral),
        timeout=max(hook.timeout for hook in handlers),
        marks=marks(place.model.id),
    )


def _native_use(place: Place, host_event: str, neutral: str) -> HookUse:
    command = place.guarded("hook", place.host, host_event, neutral=neutral)
    return HookUse(host_event, None, (_ANY,), place.model.server_name, command, 0, marks(place.model.id))


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
    for block in place.model.memory:
        yield Block(target, f"{place.model.id}/{block.name}", block.text)


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
    for action in place.model.actions:
        if action.host in (None, place.host):
            yield from facet.wire(action, place.files["actions"], place.guarded("action", place.host, action.id))


def config_patch(place: Place) -> Iterator[Found]:
    """Single settings, each set only where the person has not set it."""
    file = place.files["config_patch"]
    for patch in place.model.patches:
        if patch.host == place.host:
            denied = _denied(place.host, patch)
            yield denied or Default(file, _format(place, file), tuple(patch.path.split(".")), patch.value)


def _denied(host: str, patch: Patch) -> Refusal | None:
    register = query.register(host)
    own = ".".join(register.PATH) + "*" if register else ""
    for pattern in (*query.facts(host).CONFIG_DENIED, own):
        if pattern and fnmatchcase(patch.path, pattern):
            return Refusal(
                f"{patch.path} is the person's own to set (or belongs to another surface)",
                "leave the patch out and say in your documentation what to set",
            )
    return None


def _format(place: Place, file: str) -> str:
    register = query.register(place.host)
    if register is not None and file == place.files.get("server"):
        return register.FORMAT
    ending = file.rpartition(".")[2]
    return {"toml": "toml", "yaml": "yaml", "yml": "yaml", "jsonc": "jsonc"}.get(ending, "json")


RENDER: Mapping[str, Callable[[Place], Iterator[Found]]] = {
    "server": server,
    "commands": _each("commands", "command", lambda model: model.commands),
    "skills": _each("skills", "skill", lambda model: model.skills),
    "subagents": _each("subagents", "subagent", lambda model: model.subagents),
    "statusline": statusline,
    "actions": actions,
    "config_patch": config_patch,
    "memory": memory,
}
