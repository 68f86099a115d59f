"""Finding our entries without a ledger: by the launcher's path, the connector's id and our Markdown markers.

Every file that a host reads is looked at. What has no mark of ours in it (a skill, a command) is not found.
"""

import os
import re
import stat
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from agent_connector.deploy.change import Change
from agent_connector.deploy.identity import identity, is_ours, marks
from agent_connector.documents import markdown
from agent_connector.documents.formats import FORMATS
from agent_connector.errors import DocumentError
from agent_connector.hosts import query
from agent_connector.hosts.machine import Machine
from agent_connector.hosts.nodes import Block, Default, Item, Key, Node, Refusal, Whole

_IDS = re.compile(r"--connector[\s\",]+([a-z0-9][a-z0-9-]*)|agent-connector:(?:begin|end) ([a-z0-9][a-z0-9-]*)/")
_FORMATS = {"json": "json5", "jsonc": "json5", "toml": "toml", "yaml": "yaml", "yml": "yaml"}
_LARGEST = 32 << 20


def scan(machine: Machine, connectors: Sequence[str], hosts: Sequence[str] | None = None) -> list[Change]:
    """A `-` for every entry of `connectors` in the files of `hosts` (None: all), user scope and the project's.

    What several hosts read in one file is there, and goes, once.
    """
    found: dict[object, Change] = {}
    for host in hosts or query.hosts():
        for scope in query.places(host).SCOPES:
            for node, connector in _host(host, scope, machine, connectors):
                surface = (
                    "memory" if isinstance(node, Block) else "hooks" if isinstance(node, Whole | Item) else "server"
                )
                project = machine.project if scope == "project" else None
                change = Change("-", host, surface, scope, node.file, node, (connector, host), project=project)
                found.setdefault(spot(change), change)
    return sorted(found.values(), key=lambda change: change.surface != "memory")


def spot(change: Change) -> object:
    """Whose node it is and where, whichever host reads it there."""
    return (os.path.realpath(change.file), change.owner[0], identity(change.node) if change.node else None)


def ids(machine: Machine, hosts: Sequence[str] | None = None) -> tuple[str, ...]:
    """The connectors that the files of `hosts` mention, installed as far as we know or not."""
    found: set[str] = set()
    for host in hosts or query.hosts():
        for scope in query.places(host).SCOPES:
            for file in _texts(host, scope, machine):
                found.update(one or other for one, other in _IDS.findall(_read(file) or ""))
    return tuple(sorted(found))


def _texts(host: str, scope: str, machine: Machine) -> Iterator[str]:
    """Every file that entries of ours may be in."""
    files = query.places(host).files(scope, machine)
    for place in dict.fromkeys([*files.values(), *_memory(host, scope, machine)]):
        if os.path.isfile(place):
            yield place
        elif place == files.get("hooks") and os.path.isdir(place):
            yield from (os.path.join(place, name) for name in sorted(os.listdir(place)))


def _memory(host: str, scope: str, machine: Machine) -> list[str]:
    """The memory file that is there, and the one that a new block would go to."""
    content = query.facet(host, "content")
    target = content.memory(scope, machine) if hasattr(content, "memory") else None
    named = query.places(host).files(scope, machine).get("memory")
    imports = content.agents_import(scope, machine) if hasattr(content, "agents_import") else None
    shared = (imports.agents, imports.file) if imports else ()
    return sorted({file for file in (named, None if isinstance(target, Refusal) else target, *shared) if file})


def _host(host: str, scope: str, machine: Machine, connectors: Sequence[str]) -> Iterator[tuple[Node, str]]:
    files = dict(query.places(host).files(scope, machine))
    for name in ("home", "memory"):
        files.pop(name, None)
    for file in _memory(host, scope, machine):
        yield from _blocks(file, connectors)
    register = query.register(host)
    for place in dict.fromkeys(files.values()):
        if os.path.isfile(place):
            form = register.FORMAT if register and place == files.get("server") else None
            yield from _document(place, form, connectors)
    if os.path.isdir(files.get("hooks", "")):
        yield from _wholes(files["hooks"], connectors)


def _blocks(file: str, connectors: Sequence[str]) -> Iterator[tuple[Node, str]]:
    text = _read(file)
    for block in markdown.blocks(text or ""):
        connector = block.name.partition("/")[0]
        if connector in connectors:
            yield Block(file, block.name, ""), connector


def _wholes(folder: str, connectors: Sequence[str]) -> Iterator[tuple[Node, str]]:
    for name in sorted(os.listdir(folder)):
        file = os.path.join(folder, name)
        text = _read(file) if os.path.isfile(file) else None
        for connector in connectors:
            if text and is_ours(text, connector):
                yield Whole(file, ""), connector


def _document(file: str, form: str | None, connectors: Sequence[str]) -> Iterator[tuple[Node, str]]:
    text = _read(file)
    form = form or _FORMATS.get(file.rpartition(".")[2])
    if text is None or form is None:
        return
    try:
        content = FORMATS[form].load(text)
    except DocumentError:
        return  # what does not parse, no host reads either
    yield from _values(file, form, (), content, connectors)


def _values(
    file: str, form: str, path: tuple[str, ...], value: Any, connectors: Sequence[str]
) -> Iterator[tuple[Node, str]]:
    """The outermost values that are ours: an element of a list, a server's entry, a status line."""
    if isinstance(value, list):
        for element in cast("list[Any]", value):
            for connector in connectors:
                if is_ours(element, connector):
                    yield Item(file, form, path, element, marks(connector)), connector
    elif isinstance(value, Mapping):
        for key, inner in cast("Mapping[str, Any]", value).items():
            owner = next((c for c in connectors if _is_entry(inner, c)), None)
            if owner is None:
                yield from _values(file, form, (*path, str(key)), inner, connectors)
            elif path:
                yield Key(file, form, (*path, str(key)), inner), owner
            else:
                yield Default(file, form, (str(key),), inner), owner


def _is_entry(value: Any, connector: str) -> bool:
    """A server or status line of ours: its `command` is the launcher (a map of such entries is not one)."""
    if not isinstance(value, Mapping) or "command" not in value:
        return False
    return is_ours(cast("Mapping[str, Any]", value), connector)


def _read(file: str) -> str | None:
    try:
        about = os.stat(file)
        if not stat.S_ISREG(about.st_mode) or about.st_size > _LARGEST:  # a pipe would hold us for ever
            return None
        with open(file, encoding="utf-8", newline="") as stream:
            return stream.read()
    except (OSError, UnicodeDecodeError):
        return None
