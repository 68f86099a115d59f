"""Getting hold of a connector: from a declaration, from a bare command or address, or from what was installed.

A declaration that requires packages is imported with them, so its environment is built first.
"""

import os
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from agent_connector.connector import load as loading
from agent_connector.connector import needs
from agent_connector.connector.load import Loaded
from agent_connector.connector.locate import Found, locate
from agent_connector.deploy import record
from agent_connector.deploy.python_server import PythonServer
from agent_connector.errors import ConnectorError
from agent_connector.home import environments, paths, progress
from agent_connector.hosts import query


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a person named: a declaration (`target`; None: look in `cwd`), or `name` with a command or an address.

    `python` is a server that was found in Python; it has a name of its own where `name` is None.
    """

    target: str | None = None
    name: str | None = None
    command: Sequence[str] = ()
    url: str | None = None
    transport: str = "http"
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    bearer: str | None = None
    env: Mapping[str, str] = field(default_factory=dict[str, str])
    cwd: str | None = None
    python: PythonServer | None = None


def obtain(wanted: Wanted, root: str, *, dry: bool = False) -> Loaded:
    """The connector, validated. With `dry` our home is left as it is, but for environments that are kept for a look."""
    if wanted.python is not None:
        name = wanted.name or _its_name(wanted.python, root)
        return _without_file(replace(wanted, name=name, command=wanted.python.command))
    if wanted.name is not None or wanted.url or wanted.command:
        return _without_file(wanted)
    found = locate(wanted.target, cwd=wanted.cwd)
    if not found.source.requires:
        return _loaded(found)
    with _environment(found, root, dry) as packages:
        return _loaded(found, packages)


def _loaded(found: Found, *packages: str) -> Loaded:
    with progress.during(f"importing {found.source.path}"):
        return loading.load(found, hosts=query.nameable(), packages=packages)


def obtain_any(wanted: Wanted, root: str, *, dry: bool = True) -> Loaded:
    """As `obtain`; a target that is no file but the id of an installed connector means that one."""
    target = wanted.target
    if target is not None and target in record.connectors(root) and not os.path.exists(target):
        remembered = record.load(root, target)
        if remembered is not None:
            return remembered.loaded(query.nameable())
    return obtain(wanted, root, dry=dry)


def _without_file(wanted: Wanted) -> Loaded:
    if wanted.name is None:
        raise ConnectorError("a command or address without a name", remedy="Give it one: --name NAME.")
    if bool(wanted.url) == bool(wanted.command):
        raise ConnectorError(
            "neither a command nor an address" if not wanted.url else "both a command and an address",
            remedy="agent-connector install --name NAME -- COMMAND ARGS, or --name NAME --url https://...",
        )
    if wanted.url:
        return loading.from_url(
            wanted.name,
            wanted.url,
            transport=wanted.transport,
            headers=wanted.headers,
            bearer=wanted.bearer,
            hosts=query.nameable(),
        )
    version = wanted.python.version if wanted.python else ""
    return loading.from_command(wanted.name, wanted.command, env=wanted.env, version=version, hosts=query.nameable())


def _its_name(server: PythonServer, root: str) -> str:
    """The id under which this very server is installed, else its own name. Raises where another one has that."""
    known = {name: kept.command_line for name in record.connectors(root) if (kept := record.load(root, name))}
    same = [name for name, line in known.items() if server.is_started_by(line)]
    if same:
        return server.name if server.name in same else same[0]
    line = known.get(server.name)
    if line is not None and not any(server.path in word for word in line):
        does = f", which starts `{' '.join(line)}`" if line else ""
        raise ConnectorError(
            f"another connector is called {server.name} already{does}",
            where=server.path,
            remedy="Give this one an id of its own with --id NAME, or take the other out first: "
            f"agent-connector uninstall -c {server.name}",
        )
    return server.name


@contextmanager
def _environment(found: Found, root: str, dry: bool) -> Generator[str]:
    """The folder with the packages that the declaration requires; built where it will stay, or (`dry`) lent."""
    connector = needs.literal_id(_file(found)) or found.defaults.get("id")
    if connector is None:
        raise ConnectorError(
            "a declaration that requires packages needs its id in plain sight",
            where=found.source.path,
            remedy='Write it out: Connector(id="...").',
        )
    if dry:
        with environments.lent(root, connector, found.source.requires) as environment:
            yield paths.packages(environment)
    else:
        environments.settle(root, connector, found.source.requires)
        yield paths.connector_packages(root, connector)


def _file(found: Found) -> str:
    """The file that declares: in a package its path follows the module's name."""
    base = os.path.join(found.root, *found.source.module.split("."))
    return next(p for p in (os.path.join(base, "__init__.py"), base + ".py") if os.path.isfile(p))
