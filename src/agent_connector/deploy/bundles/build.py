"""A connector as one host's own package: the surfaces rendered as they are at install, into a bundle's folders.

A bundle works where agent-connector is not installed: it starts the server itself, and its hooks run the light part of
this package, which it carries, with any Python 3.11 or newer on the PATH. Without one they say nothing.
"""

import json
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, cast

from agent_connector.connector.load import Loaded
from agent_connector.connector.model import ConnectorModel
from agent_connector.deploy import python_server, surfaces
from agent_connector.deploy.bundles import carried
from agent_connector.deploy.bundles.published import elsewhere
from agent_connector.deploy.surfaces import Note, Place
from agent_connector.errors import DeployError
from agent_connector.hosts import query
from agent_connector.hosts.machine import Machine
from agent_connector.hosts.nodes import Block, Default, Item, Key, Refusal, Whole
from agent_connector.hosts.uses import About


@dataclass(frozen=True, slots=True)
class Parcel:
    """A bundle: path -> text, and what of the connector is not in it; `without` are surfaces of which nothing is."""

    format: str
    host: str
    files: Mapping[str, str]
    notes: tuple[str, ...]
    without: frozenset[str] = frozenset()


class EmptyBundle(DeployError):
    """The format has no place for anything that the connector declares."""


@dataclass(frozen=True, slots=True)
class Shelf(Place):
    """A place in a bundle instead of on a machine."""

    facet: Any = None

    @property
    def files(self) -> Mapping[str, str]:
        return {"hooks": "hooks", "native_hooks": "hooks", **self.facet.FOLDERS}

    def guarded(self, *arguments: str, neutral: str = "") -> str:
        """The shell command of a hook that finds what it runs in the bundle."""
        return carried.command(self.facet.ROOT, [*arguments, "--connector", self.model.id], neutral)


@dataclass
class _Pile:
    """What has been rendered so far."""

    texts: dict[str, str] = field(default_factory=dict[str, str])
    values: dict[str, Any] = field(default_factory=dict[str, Any])
    notes: list[str] = field(default_factory=list[str])
    without: set[str] = field(default_factory=set[str])

    def leave_out(self, surface: str, why: str) -> None:
        self.without.add(surface)
        self.notes.append(f"{surface}: {why}")

    def take(self, surface: str, found: "surfaces.Found") -> None:
        if isinstance(found, Whole):
            self.texts[found.file] = found.text
        elif isinstance(found, Key | Default):
            _set(self.values.setdefault(found.file, {}), found.path, found.value)
        elif isinstance(found, Item):
            _append(self.values.setdefault(found.file, {}), found.path, found.value)
        elif isinstance(found, Block):
            self.notes.append(f"{surface}: {found.name} is a block of a file of the person's own")
        else:
            told = found.text if isinstance(found, Note) else found.reason
            self.notes.append(f"{getattr(found, 'surface', None) or surface}: {told}")


def formats() -> dict[str, str]:
    """Format -> the host that it is rendered for; where several share one, the parent of the forks."""
    found = {host: query.facet(host, "bundle") for host in query.hosts()}
    return {facet.FORMAT: host for host, facet in found.items() if facet is not None}


def format_of(word: str) -> str:
    """The format that is called so, or that the host of that id has; else the word itself."""
    facet = query.facet(word, "bundle") if word in query.hosts() else None
    return word if facet is None else str(facet.FORMAT)


def build(loaded: Loaded, format: str, host: str | None = None, *, here: bool = False) -> Parcel:
    """The bundle of `loaded` in `format`, for `host` or the one that the format is named after; `here`: for this machine.

    Raises DeployError for a format that nobody has, EmptyBundle when nothing would be in it.
    """
    host = host or formats().get(format)
    if host is None:
        raise DeployError(f"there is no format {format!r}", remedy="one of: " + ", ".join(sorted(formats())))
    facet, model, pile = query.facet(host, "bundle"), loaded.model, _Pile()
    machine = Machine("/", "linux", {})
    shelf = Shelf(model, host, "user", machine, "", facet=facet)
    used = model.surfaces(host)
    servers = _servers(model, host, facet, pile, here) if "server" in used else {}
    _render(shelf, used, loaded, pile)
    hooks = pile.values.pop("hooks", None)  # no file of its own: it goes into the manifest
    if "server" in facet.FOLDERS and servers:
        pile.values[facet.FOLDERS["server"]] = {"mcpServers": servers}
        servers = {}
    if model.memory and "memory" in used:
        _memory(model, facet, pile)
    for surface in ("statusline", "actions", "config_patch"):
        if surface in used:
            pile.leave_out(surface, f"no part of {format}; `agent-connector install` writes it")
    if not (servers or hooks or pile.values or pile.texts):
        raise EmptyBundle(
            f"{format} has no place for anything that {model.id} declares",
            where=model.source.path,
            remedy="; ".join(pile.notes),
        )
    path, content = facet.manifest(about(model), servers, hooks)
    files = {path: _json(content), **{file: _json(value) for file, value in pile.values.items()}, **pile.texts}
    notes = tuple(dict.fromkeys(pile.notes))
    return Parcel(format, host, dict(sorted(files.items())), notes, frozenset(pile.without))


def about(model: ConnectorModel) -> About:
    """What the bundle says of itself: the declaration's words, and those of the project that it belongs to."""
    root = python_server.project_root(model.source.path) if model.source.path else None
    described = python_server.project(root) if root else {}
    authors: Any = described.get("authors")
    first: Any = cast("list[Any]", authors)[0] if isinstance(authors, list) and authors else {}
    urls: Any = described.get("urls")
    pages = cast("dict[str, Any]", urls) if isinstance(urls, dict) else {}
    license: Any = described.get("license")
    return About(
        model.id,
        model.version,
        model.description,
        str(cast("dict[str, Any]", first).get("name", "")) if isinstance(first, dict) else "",
        license if isinstance(license, str) else "",
        str(next(iter(pages.values()), "")),
    )


def _render(shelf: Shelf, used: tuple[str, ...], loaded: Loaded, pile: _Pile) -> None:
    """Hooks and content, each as at install. Hooks are left out where they could not run."""
    facet, model = shelf.facet, shelf.model
    why = _no_hooks(facet, loaded) if {"hooks", "native_hooks"} & set(used) else ""
    if why:
        pile.leave_out("hooks", why)
    elif {"hooks", "native_hooks"} & set(used):
        named = _as_named(model, facet)
        for found in surfaces.hooks(replace(shelf, model=named), used):
            pile.take("hooks", found)
        key, file = getattr(facet, "HOOKS_KEY", None), facet.FOLDERS.get("hooks")
        if key and file in pile.values:
            pile.values[file] = {key: pile.values[file]}
        pile.texts |= carried.files(named, shelf.host)
        wrapper: tuple[str, str] | None = getattr(facet, "WRAPPER", None)
        if wrapper:
            pile.texts[wrapper[0]] = wrapper[1].replace("@ID@", model.id)
    renders: Mapping[str, Callable[[Place], Iterator[surfaces.Found]]] = surfaces.RENDER
    for surface in ("commands", "skills", "subagents"):
        if surface not in used:
            continue
        if surface not in facet.FOLDERS:
            pile.leave_out(surface, f"no part of {facet.FORMAT}")
            continue
        for found in renders[surface](shelf):
            pile.take(surface, found)


def _as_named(model: ConnectorModel, facet: Any) -> ConnectorModel:
    """The connector under the name that the host gives the server of a bundle: its hooks meet tools of that name."""
    name: str | None = getattr(facet, "SERVER_NAME", None)
    return replace(model, alias=name.format(id=model.id, server=model.server_name)) if name else model


def _no_hooks(facet: Any, loaded: Loaded) -> str:
    """Why the hooks cannot be in the bundle, "" when they can."""
    if facet.ROOT is None:
        return "the host does not tell a plugin's hooks where the plugin lies; `agent-connector install` writes them"
    if loaded.model.source.requires:
        needed = ", ".join(loaded.model.source.requires)
        return f"their code needs packages ({needed}), which a bundle does not carry"
    return ""


def _servers(model: ConnectorModel, host: str, facet: Any, pile: _Pile, here: bool) -> dict[str, Any]:
    """The server as the host starts it itself, without our launcher."""
    if not getattr(facet, "SERVERS", True):
        pile.leave_out("server", f"no part of {facet.FORMAT}; `agent-connector install` writes it")
        return {}
    use = surfaces.raw_use(Place(model, host, "user", Machine("/", "linux", {}), ""))
    if use.transport == "stdio":
        command, *args = elsewhere((use.command, *use.args), model, here=here)
        use = replace(use, command=command, args=tuple(args))
    register = query.register(host)
    if register is None:
        return {}
    names = use.env_names
    if names and register.REFERENCE != "native" and any("${env:" in word for word in (use.command, *use.args)):
        pile.leave_out("server", f"the host puts no variable's value into arguments ({', '.join(names)})")
        return {}
    entry = getattr(facet, "entry", register.entry)(use)
    if isinstance(entry, Refusal):
        pile.leave_out("server", entry.reason)
        return {}
    local = [word for word in (use.command, *use.args) if os.path.isabs(word)]
    if local and not here:
        pile.notes.append(f"server: {local[0]} is a path of this machine; name a published command for other machines")
    return {use.name: entry}


def _memory(model: ConnectorModel, facet: Any, pile: _Pile) -> None:
    if "memory" not in facet.FOLDERS:
        pile.leave_out("memory", f"no part of {facet.FORMAT}; `agent-connector install` writes it")
        return
    pile.texts[facet.FOLDERS["memory"]] = "\n\n".join(block.text.strip() for block in model.memory) + "\n"


def _set(value: dict[str, Any], path: tuple[str, ...], leaf: Any) -> None:
    for key in path[:-1]:
        value = value.setdefault(key, {})
    value[path[-1]] = leaf


def _append(value: dict[str, Any], path: tuple[str, ...], item: Any) -> None:
    for key in path[:-1]:
        value = value.setdefault(key, {})
    value.setdefault(path[-1], []).append(item)


def _json(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"
