"""From a place, or from a bare command line, to a validated connector.

`locate` finds the declaration; Python code is imported in a child process (see `child.py`) with a time limit, so
nothing that an author's file does reaches the installer; TOML is read. `freeze` then checks everything.
"""

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, cast

from agent_connector.connector.freeze import freeze, slow_matchers
from agent_connector.connector.locate import TABLE, Found, locate, read_toml
from agent_connector.connector.model import ConnectorModel, Server, Source
from agent_connector.errors import ConnectorError, Problem

IMPORT_LIMIT = 20.0
SLOW_IMPORT = 0.5
_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


@dataclass(frozen=True, slots=True)
class Loaded:
    """A valid connector, and what its author should know."""

    model: ConnectorModel
    found: Found
    stored: Mapping[str, Any]  # the declaration as plain values, and what else `thaw` needs to make the model again
    warnings: tuple[str, ...] = ()


def load(
    target: str | Found | None = None,
    *,
    attribute: str = "connector",
    cwd: str | None = None,
    hosts: Sequence[str] | None = None,
    packages: Sequence[str] = (),
    timeout: float = IMPORT_LIMIT,
) -> Loaded:
    """Load and validate; raises ConnectorError. `packages` are folders with what the declaration requires."""
    found = target if isinstance(target, Found) else locate(target, attribute=attribute, cwd=cwd)
    if not found.source.has_code:
        return _frozen(found, _toml(found), hosts)
    answer = _imported(found, packages, timeout)
    source = replace(found.source, attribute=answer["attribute"], import_seconds=answer["seconds"])
    problems = [Problem(*problem) for problem in answer["problems"]]
    return _frozen(replace(found, source=source), answer["declaration"], hosts, problems)


def thaw(stored: Mapping[str, Any], *, hosts: Sequence[str] | None = None) -> Loaded:
    """The connector as it was loaded once, without its files and without running its code again."""
    fields: dict[str, Any] = {**stored["source"], "requires": tuple(stored["source"]["requires"])}
    source = Source(**fields)
    found = Found(source, "", stored["defaults"])
    texts: Mapping[str, str] = stored["texts"]

    def read(name: str) -> str:
        if name not in texts:
            raise FileNotFoundError(2, "it was not there at install", name)
        return texts[name]

    model = freeze(stored["declaration"], source, hosts=hosts, defaults=found.defaults, read=read)
    return Loaded(model, found, stored, _warnings(model))


def started_by(loaded: Loaded, server: Server, command: str) -> Loaded:
    """The same connector, its `server` started by another program."""
    declared = loaded.stored["declaration"]
    stored = {**loaded.stored, "declaration": {**declared, "server": {**declared["server"], "command": command}}}
    model = replace(loaded.model, server=replace(server, command=command))
    return replace(loaded, model=model, stored=stored)


def _frozen(
    found: Found, declaration: Mapping[str, Any], hosts: Sequence[str] | None, problems: Sequence[Problem] = ()
) -> Loaded:
    texts: dict[str, str] = {}

    def read(name: str) -> str:
        with open(os.path.join(found.root, name), encoding="utf-8-sig", newline="") as stream:
            texts[name] = stream.read().replace("\r\n", "\n")
        return texts[name]

    reader = read if found.root else None
    model = freeze(declaration, found.source, hosts=hosts, defaults=found.defaults, read=reader, problems=problems)
    stored = {
        "source": asdict(found.source),
        "defaults": dict(found.defaults),
        "declaration": dict(declaration),
        "texts": texts,
    }
    return Loaded(model, found, stored, _warnings(model))


def from_command(
    name: str,
    argv: Sequence[str],
    *,
    env: Mapping[str, str] | None = None,
    version: str = "",
    hosts: Sequence[str] | None = None,
) -> Loaded:
    """A connector that is one command: no file at all."""
    if not argv:
        raise ConnectorError("no command was given", remedy="agent-connector install --name NAME -- COMMAND ARGS")
    server = {"transport": "stdio", "command": argv[0], "args": list(argv[1:]), "env": dict(env or {})}
    declared = {"id": name, "server": server} | ({"version": version} if version else {})
    return _frozen(Found(Source("command"), ""), declared, hosts)


def from_url(
    name: str,
    url: str,
    *,
    transport: str = "http",
    headers: Mapping[str, str] | None = None,
    bearer: str | None = None,
    hosts: Sequence[str] | None = None,
) -> Loaded:
    """A connector that is one remote server: no file at all."""
    server = {"transport": transport, "url": url, "headers": dict(headers or {}), "bearer": bearer}
    return _frozen(Found(Source("url"), ""), {"id": name, "server": server}, hosts)


def _toml(found: Found) -> dict[str, Any]:
    table = read_toml(found.source.path)
    if found.source.kind == "pyproject":
        table = cast("dict[str, Any]", table.get("tool", {}).get(TABLE, {}))
    platforms: Any = table.get("platform")
    if isinstance(platforms, dict):
        table = {**table, "platform": [_platform(*pair) for pair in cast("dict[str, Any]", platforms).items()]}
    return table


def _platform(host: str, fields: Any) -> Any:
    return {"host": host, **cast("dict[str, Any]", fields)} if isinstance(fields, dict) else fields


def _imported(found: Found, packages: Sequence[str], timeout: float) -> dict[str, Any]:
    request = {
        "package": _PACKAGE,
        "packages": list(packages),
        "module": found.source.module,
        "attribute": found.source.attribute,
        "root": found.root,
    }
    child = [sys.executable, "-I", "-S", "-B", os.path.join(_PACKAGE, "connector", "child.py")]
    where = found.source.path
    try:
        done = subprocess.run(
            child, check=False, input=json.dumps(request).encode(), capture_output=True, timeout=timeout
        )
    except subprocess.TimeoutExpired:
        raise ConnectorError(
            f"importing it took longer than {timeout:g} s",
            where=where,
            remedy="Hosts import this file at a hook: move slow work and network calls into the handlers.",
        ) from None
    if done.returncode != 0 or not done.stdout:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise ConnectorError(
            f"importing it ended the interpreter (exit code {done.returncode})" + (f": {said[-1]}" if said else ""),
            where=where,
        )
    answer: dict[str, Any] = json.loads(done.stdout)
    if "error" in answer:
        raise _import_error(answer["error"], found)
    if "missing" in answer:
        raise _no_connector(answer["missing"], found)
    return answer


def _import_error(error: Mapping[str, Any], found: Found) -> ConnectorError:
    file = error["file"] or found.source.path
    where = f"{file}:{error['line']}" if error["line"] else file
    what = f"{error['type']} on import: {error['text']}"
    remedy = ""
    if error["missing"]:
        top = error["missing"].partition(".")[0]
        beside = os.path.exists(os.path.join(found.root, top + ".py")) or os.path.isdir(os.path.join(found.root, top))
        if beside:
            remedy = "Files beside it are not copied: make it a package with an __init__.py."
        elif found.source.requires:
            remedy = f"{top} is not among what it requires: {', '.join(found.source.requires)}."
        else:
            remedy = (
                "Hosts run this file with the standard library and what it declares: name the package under "
                "`dependencies` in a `# /// script` block at its top, or in the project's pyproject.toml."
            )
    return ConnectorError(what, where=where, remedy=remedy)


def _no_connector(missing: Mapping[str, Any], found: Found) -> ConnectorError:
    attribute, names = found.source.attribute, missing["names"]
    if names:
        what = f"{attribute!r} is not there, and {' and '.join(map(repr, names))} are"
        return ConnectorError(what, where=found.source.path, remedy="Name one of them: --connector FILE:NAME.")
    what = f"{attribute!r} is a {missing['kind']}" if missing["kind"] else f"it has no {attribute!r}"
    return ConnectorError(
        what, where=found.source.path, remedy=f"Assign one: {attribute} = Connector(id=..., server=...)."
    )


def _warnings(model: ConnectorModel) -> tuple[str, ...]:
    lines: list[str] = []
    if model.source.import_seconds > SLOW_IMPORT:
        lines.append(
            f"importing {model.source.module} took {model.source.import_seconds:.1f} s: each hook that matches pays it"
        )
    lines += [
        f"matcher {pattern!r} is a regex beyond names and prefixes: hosts load `re` for it at each call"
        for pattern in slow_matchers(model)
    ]
    return tuple(lines)
