"""What we remember of each installed connector: its declaration, and into which hosts and scopes it went.

An upgrade renders from this alone: it touches no host that was not chosen, and runs no code of the author's.
"""

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from agent_connector.connector.load import Loaded, thaw
from agent_connector.errors import StateError
from agent_connector.home import paths, private
from agent_connector.home.faults import explained

SCHEMA = 1


@dataclass(frozen=True, slots=True)
class Install:
    """One choice of a person: these hosts, in this scope (and this project); not `named` when they were those found here."""

    scope: str
    project: str | None
    hosts: tuple[str, ...]
    measure_remote: bool = False
    trust: bool = False
    named: bool = False


@dataclass(frozen=True, slots=True)
class Record:
    """A connector that is installed. `stored` is what `load.thaw` makes the model of."""

    id: str
    stored: Mapping[str, Any]
    installs: tuple[Install, ...] = ()
    framework: str = ""

    @property
    def hosts(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(host for install in self.installs for host in install.hosts))

    @property
    def command_line(self) -> tuple[str, ...]:
        """What starts its server; () where that is no program."""
        server: Mapping[str, Any] = self.stored.get("declaration", {}).get("server") or {}
        return (str(server["command"]), *map(str, server.get("args", ()))) if server.get("command") else ()

    @property
    def origin(self) -> str:
        """Where it is declared: a file, or the command or address that a person gave."""
        server: Mapping[str, Any] = self.stored.get("declaration", {}).get("server") or {}
        path: str = self.stored.get("source", {}).get("path") or ""
        return path or " ".join(self.command_line) or str(server.get("url") or "")

    def loaded(self, known: Sequence[str] | None = None) -> Loaded:
        return thaw(self.stored, hosts=known)

    def at(self, scope: str, project: str | None) -> list[Install]:
        """What was chosen in that scope and project."""
        return [install for install in self.installs if (install.scope, install.project) == (scope, project)]

    def chosen(self, install: Install) -> "Record":
        """With `install` joined to what was chosen in the same scope and project before."""
        same = self.at(install.scope, install.project)
        hosts = tuple(dict.fromkeys(host for one in (*same, install) for host in one.hosts))
        rest = tuple(i for i in self.installs if i not in same)
        return replace(self, installs=(*rest, replace(install, hosts=hosts)))

    def without(self, scope: str, project: str | None, hosts: Sequence[str]) -> "Record":
        """Without `hosts` in that scope and project."""
        left: list[Install] = []
        for install in self.installs:
            if (install.scope, install.project) == (scope, project):
                install = replace(install, hosts=tuple(host for host in install.hosts if host not in hosts))
            if install.hosts:
                left.append(install)
        return replace(self, installs=tuple(left))


def connectors(root: str) -> tuple[str, ...]:
    """The ids of all connectors that have a record."""
    try:
        names = sorted(os.listdir(paths.connectors_folder(root)))
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise explained(error, paths.connectors_folder(root), "read") from error
    return tuple(name for name in names if os.path.isfile(paths.install_record(root, name)))


def load(root: str, connector: str) -> Record | None:
    """The record of `connector`, None when it is not installed."""
    file = paths.install_record(root, connector)
    data = private.read(file)
    if data is None:
        return None
    try:
        content = json.loads(data)
        if content["schema"] != SCHEMA:
            raise StateError(f"it has schema {content['schema']!r}, this version knows {SCHEMA}", where=file)
        installs = tuple(_install(fields) for fields in content["installs"])
        return Record(connector, content["stored"], installs, content["framework"])
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise StateError(
            f"it is damaged ({type(error).__name__}: {error})",
            where=file,
            remedy=f"Install {connector} again from its declaration; that writes it anew.",
        ) from None


def _install(fields: dict[str, Any]) -> Install:
    read: dict[str, Any] = {**fields, "hosts": tuple(fields["hosts"])}
    return Install(**read)


def store(root: str, record: Record) -> None:
    """Write the record, when it says something new."""
    content = {
        "schema": SCHEMA,
        "framework": record.framework,
        "installs": [asdict(install) for install in record.installs],
        "stored": record.stored,
    }
    data = (json.dumps(content, indent=1, ensure_ascii=False) + "\n").encode()
    file = paths.install_record(root, record.id)
    if private.read(file) != data:
        private.write(file, data)
