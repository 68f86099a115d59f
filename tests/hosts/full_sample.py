"""One connector with every surface, made for one host, and what it becomes there as a text that a person can read."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from agent_connector import Connector, http, sse, stdio, ws
from agent_connector.connector.freeze import freeze
from agent_connector.connector.light import EVENTS
from agent_connector.connector.model import ConnectorModel, Source
from agent_connector.deploy import surfaces
from agent_connector.deploy.plan import plan
from agent_connector.hosts import query
from agent_connector.hosts.machine import Machine
from agent_connector.hosts.nodes import Block, Key, Node, Refusal, Whole
from agent_connector.testing.host_samples import HOMES, PROJECTS, machine

PLATFORMS = ("linux", "darwin", "win32")
LONGEST = 15  # lines of a file that are shown whole
REMOTE = {"http": http, "sse": sse, "ws": ws}


def launcher_of(there: Machine) -> str:
    """Our launcher, in the style of that system."""
    return there.join(there.home, ".agent-connector/bin/agent-connector" + ".exe" * (there.platform == "win32"))


def handler(event: Any) -> None:
    """What the hooks and the rest run; it is never called here."""


def full(host: str, server: Any = None) -> ConnectorModel:
    """Every surface that there is; the native hook and the setting are of `host`."""
    return freeze(declared(host, server), Source("file", "/author/acme.py", "acme"), hosts=query.nameable())


def declared(host: str, server: Any = None) -> Connector:
    connector = Connector(
        id="acme",
        version="1.0.0",
        server=server
        or stdio("acme-mcp", "--stdio", env={"ACME_DSN": "${env:ACME_DSN}"}, timeout=60, include_tools=["query"]),
    )
    for event in EVENTS:
        connector.hook(event, matcher="query" if event == "PreToolUse" else "*")(handler)
    connector.hook("PreToolUse", matcher="host:Bash")(handler)
    native = getattr(query.hooks(host), "NATIVE", ())
    if native:
        connector.native_hook(host, native[0])(handler)
    connector.command("migrate", prompt="Plan it: $ARGUMENTS", description="Plan a migration", argument_hint="[what]")
    connector.skill("acme-schema", description="How it is laid out", body="# Schema\n", files={"more/a.md": "A\n"})
    connector.subagent("dba", description="Reviews SQL", prompt="You review SQL.", tools={"allow": ["query"]})
    connector.memory("Use acme.")
    connector.statusline(handler)
    connector.action("reindex", label="Rebuild the index", confirm="Now?")(handler)
    connector.config_patch(host, "acmeMode.level", "high", reason="acme-mcp reads it")
    return connector


@dataclass(frozen=True)
class Shown:
    """One node: where it stands, and its value as text."""

    surface: str
    file: str
    path: str
    value: str

    @property
    def spot(self) -> tuple[str, str]:
        return (self.surface, self.path or self.file.replace("\\", "/").rpartition("/")[2])


def page(host: str) -> str:
    """All of a host: the first scope on Linux whole, the others as far as they differ."""
    model, places = full(host), query.places(host)
    combos = [(scope, platform) for scope in places.SCOPES for platform in PLATFORMS]
    told = {combo: _combo(model, host, *combo) for combo in combos}
    base = {shown.spot: shown.value for shown in told[combos[0]][0]}
    lines = [f"{query.facts(host).NAME} ({host})", *_commands(model, host)]
    said: list[str] = []
    for (scope, platform), (shown, remarks) in told.items():
        lines += ["", f"{scope} scope, {platform}"]
        whole = (scope, platform) == combos[0]
        told_here = list(_listed(shown, {} if whole else base, whole))
        linux = list(_listed(told[scope, "linux"][0], {} if whole else base, whole))
        if platform != "linux" and [line.replace("\\", "/") for line in told_here] == linux:
            told_here = ["  as on linux" + (", with \\ in paths" if platform == "win32" else "")]
        lines += [*told_here, *(f"  {remark}" for remark in remarks if remark not in said)]
        said += remarks
    return "\n".join([*lines, *_remote(host), ""])


def _listed(shown: list[Shown], base: dict[tuple[str, str], str], whole: bool) -> Iterator[str]:
    """Each node with its value; of values that stand in `base` already, only the file that has them."""
    files: set[tuple[str, str]] = set()
    for one in shown:
        if whole or base.get(one.spot) != one.value:
            yield f"  {one.surface:<13} {one.file}" + (f"  {one.path}" if one.path else "")
            yield from (f"      {line}".rstrip() for line in one.value.splitlines())
        elif (one.surface, one.file) not in files:
            yield f"  {one.surface:<13} {one.file}"
        files.add((one.surface, one.file))


def _combo(model: ConnectorModel, host: str, scope: str, platform: str) -> tuple[list[Shown], list[str]]:
    there = machine(platform)
    launcher = launcher_of(there)
    planned = plan(model, [host], scope, there, launcher)
    short = _shortener(model, host, scope, there, launcher)
    shown = [
        Shown(change.surface, short(change.file), _path(change.node), short(_value(change.node)))
        for change in planned.changes
        if change.node is not None
    ]
    remarks = [f"! {change.surface}: {change.note}" for change in planned.changes if change.op == "!"]
    remarks += [f"{remark.kind} {remark.surface}: {remark.text}" for remark in planned.remarks]
    return shown, [short(remark) for remark in remarks]


def _shortener(model: ConnectorModel, host: str, scope: str, there: Machine, launcher: str) -> Any:
    """Names of this machine and our long commands as short words, in a text or in its JSON."""
    place = surfaces.Place(model, host, scope, there, launcher)
    pairs = [(_guarded(place, *words), f"RUN {' '.join(words)}") for words in _all_words(host)]
    pairs += [(launcher, "LAUNCHER"), (PROJECTS[there.platform], "."), (HOMES[there.platform], "~")]
    pairs = [pair for long, word in pairs for pair in ((json.dumps(long)[1:-1], word), (long, word))]

    def short(text: str) -> str:
        for long, word in pairs:
            text = text.replace(long, word)
        return text

    return short


def _all_words(host: str) -> Iterator[tuple[str, ...]]:
    facet = query.hooks(host)
    if facet:
        first = getattr(facet, "FAMILY", (host,))[0]
        names = sorted({*facet.EVENTS.values(), *facet.NATIVE})
        yield from (("hook", first, name) for name in names)
    if query.statusline(host):
        yield ("statusline", host)


def _guarded(place: surfaces.Place, *words: str) -> str:
    return surfaces.hook_command(place, words[2]) if words[0] == "hook" else place.guarded(*words)


def _commands(model: ConnectorModel, host: str) -> Iterator[str]:
    """What RUN stands for, by system."""
    words = next(_all_words(host), None)
    for platform in ("linux", "win32") if words else ():
        launcher = launcher_of(machine(platform))
        place = surfaces.Place(model, host, "user", machine(platform), launcher)
        yield f"RUN {' '.join(words)}, {platform}: {_guarded(place, *words).replace(launcher, 'LAUNCHER')}"


def _path(node: Node) -> str:
    if isinstance(node, Block | Whole):
        return node.name if isinstance(node, Block) else ""
    return ".".join(node.path) + {"Item": "[]", "Default": " (where absent)"}.get(type(node).__name__, "")


def _value(node: Node) -> str:
    if isinstance(node, Block | Whole):
        lines = node.text.splitlines()
        if len(lines) > LONGEST:  # a generated module: what in it is about this connector
            lines = [line for line in lines if "acme" in line or "agent-connector" in line]
        mark = "executable\n" if isinstance(node, Whole) and node.executable else ""
        return mark + "\n".join(lines)
    return json.dumps(node.value, ensure_ascii=False)


def _remote(host: str) -> Iterator[str]:
    """A remote server, each way: the entry, or why there is none."""
    register = query.register(host)
    if register is None:
        return
    yield from ("", "remote servers")
    there = machine()
    launcher = launcher_of(there)
    for transport, make in REMOTE.items():
        model = full(
            host,
            make(
                ("wss" if transport == "ws" else "https") + "://acme.example/mcp",
                headers={"X-Team": "db"},
                bearer="ACME_TOKEN",
            ),
        )
        place = surfaces.Place(model, host, query.places(host).SCOPES[0], there, launcher)
        for found in surfaces.server(place):
            text = json.dumps(found.value, ensure_ascii=False) if isinstance(found, Key) else _reason(found)
            yield f"  {transport:<5} {text.replace(launcher, 'LAUNCHER')}"


def _reason(found: Any) -> str:
    if isinstance(found, Refusal):
        return f"! {found.reason}"
    return f"skip: {found.reason}" if isinstance(found, surfaces.Skip) else f"note: {found.text}"
