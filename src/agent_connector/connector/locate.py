"""Finding a declaration: a Python file or package, `connector.toml`, or a table in `pyproject.toml`.

Nothing is imported here. What is found is a `Source`, and what the author's own package says about itself
(id, version, description), which a declaration falls back to.
"""

import importlib.util
import os
import re
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from agent_connector.connector import needs
from agent_connector.connector.model import Source
from agent_connector.errors import ConnectorError

if TYPE_CHECKING:
    from importlib.metadata import PackageMetadata

TABLE = "agent-connector"
_DOTTED = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*")
_IMPORTS_SERVER = re.compile(r"(?m)^(from|import) (fastmcp|mcp\.server)\b.*\b(FastMCP|MCPServer|fastmcp|server)\b")
_MOST = 1 << 20  # bytes of a file that is looked at
_REQUIREMENT_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


@dataclass(frozen=True, slots=True)
class Found:
    """A declaration's place. `root` is the folder that is on the path when code is imported."""

    source: Source
    root: str
    defaults: Mapping[str, str] = field(default_factory=dict[str, str])


def locate(target: str | None = None, *, attribute: str = "connector", cwd: str | None = None) -> Found:
    """The declaration at `target`: a file, a folder, `module` or `module:attribute`; None looks in `cwd`."""
    cwd = cwd or os.getcwd()
    if target is None:
        return _in_folder(cwd, attribute)
    path = os.path.abspath(os.path.join(cwd, os.path.expanduser(target)))
    if os.path.isdir(path):
        return _in_folder(path, attribute)
    if os.path.isfile(path):
        return _file(path, attribute)
    head, _, tail = target.partition(":")
    head_path = os.path.abspath(os.path.join(cwd, os.path.expanduser(head)))
    if tail and os.path.isfile(head_path):
        return _file(head_path, tail)
    if _DOTTED.fullmatch(head) and not head.endswith((".py", ".toml")):
        return _module(head, tail or attribute, cwd)
    raise ConnectorError(
        "there is no such file", where=path, remedy="Name a .py or .toml file, a folder with one, or a module."
    )


def _in_folder(folder: str, attribute: str) -> Found:
    for name in ("connector.toml", "pyproject.toml", "connector.py", "__init__.py"):
        path = os.path.join(folder, name)
        if os.path.isfile(path) and (name != "pyproject.toml" or _table(path) is not None):
            return _file(path, attribute)
    if server := _server(folder):
        raise ConnectorError(
            "no connector is declared here, but there is a server",
            where=os.path.join(folder, server),
            remedy=f"agent-connector install {server} installs it as it is; agent-connector init writes a declaration.",
        )
    raise ConnectorError(
        "no connector is declared here",
        where=folder,
        remedy="Write connector.py or connector.toml, add [tool.agent-connector] to pyproject.toml, name the file "
        "with --connector, or declare none: agent-connector install --name NAME -- COMMAND ARGS",
    )


def _server(folder: str) -> str | None:
    """A Python file of the folder that imports a library for servers."""
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        if not name.endswith(".py") or not os.path.isfile(path) or not os.access(path, os.R_OK):
            continue
        if os.path.getsize(path) < _MOST:
            with open(path, encoding="utf-8", errors="replace") as stream:
                if _IMPORTS_SERVER.search(stream.read()):
                    return name
    return None


def _file(path: str, attribute: str) -> Found:
    name = os.path.basename(path)
    if name.endswith(".toml"):
        table = _table(path) if name == "pyproject.toml" else None
        if table is not None and isinstance(table.get("file"), str):
            head, _, tail = str(table["file"]).partition(":")
            return _file(os.path.join(os.path.dirname(path), head), tail or attribute)
        kind = "pyproject" if name == "pyproject.toml" else "toml"
        return Found(Source(kind, path), os.path.dirname(path), _project(path))
    if not os.path.isfile(path) or not name.endswith(".py"):
        raise ConnectorError("this is no declaration", where=path, remedy="Name a .py or a .toml file.")
    return _python(path, attribute)


def _python(path: str, attribute: str) -> Found:
    """A lone file, or a module of the package whose topmost folder with `__init__.py` holds it."""
    folder, stem = os.path.dirname(path), os.path.basename(path).removesuffix(".py")
    parts = [] if stem == "__init__" else [stem]
    while os.path.isfile(os.path.join(folder, "__init__.py")):
        parts.insert(0, os.path.basename(folder))
        folder = os.path.dirname(folder)
    module = ".".join(parts)
    if not _DOTTED.fullmatch(module):
        raise ConnectorError(
            f"{module!r} cannot be imported", where=path, remedy="Give the file a name of letters, digits and _."
        )
    if parts[0] in sys.stdlib_module_names:
        raise ConnectorError(
            f"{parts[0]!r} is a module of Python itself", where=path, remedy="Give it a name of its own: connector.py."
        )
    packaged = len(parts) > 1 or stem == "__init__"
    top = os.path.join(folder, parts[0]) if packaged else path
    requires = _requires(path, folder, module)
    source = Source("package" if packaged else "file", top, module, attribute, requires)
    return Found(source, folder, _project(path) or _distribution(parts[0]))


def _module(module: str, attribute: str, cwd: str) -> Found:
    """A module of an installed package, or of a package in `cwd`; found without importing it."""
    top = module.partition(".")[0]
    local = os.path.join(cwd, *module.split("."))
    for path in (os.path.join(local, "__init__.py"), local + ".py"):
        if os.path.isfile(path):
            return _python(path, attribute)
    spec = importlib.util.find_spec(top)
    places = list(spec.submodule_search_locations or ()) if spec else []
    origin = spec.origin if spec else None
    base = os.path.dirname(places[0]) if places else os.path.dirname(origin) if origin else None
    for path in (
        (os.path.join(base, *module.split("."), "__init__.py"), os.path.join(base, *module.split(".")) + ".py")
        if base
        else ()
    ):
        if os.path.isfile(path):
            return _python(path, attribute)
    raise ConnectorError(
        f"no module {module!r}", where=cwd, remedy="Name a file, or install the package beside agent-connector first."
    )


def _requires(path: str, root: str, module: str) -> tuple[str, ...]:
    """Exact requirements; () when the declaration reaches nothing beyond the standard library and this package."""
    with open(path, encoding="utf-8", errors="replace") as stream:
        script = needs.script_requirements(stream.read())
    if script is not None:
        return _without_us(script)
    if not needs.imported(root, module):
        return ()
    project = _pyproject(path)
    declared: Any = _section(project, "project").get("dependencies", []) if project else []
    if not declared:
        declared = _distribution_requires(module.partition(".")[0])
    return _without_us(tuple(str(item) for item in declared))


def _without_us(requirements: tuple[str, ...]) -> tuple[str, ...]:
    def named(requirement: str) -> str:
        found = _REQUIREMENT_NAME.match(requirement)
        return re.sub(r"[-_.]+", "-", found[0]).lower() if found else ""

    return tuple(r for r in requirements if named(r) != "agent-connector")


def _table(pyproject: str) -> dict[str, Any] | None:
    tables = _section(read_toml(pyproject), "tool")
    return _section(tables, TABLE) if TABLE in tables else None


def read_toml(path: str) -> dict[str, Any]:
    try:
        with open(path, "rb") as stream:
            return tomllib.load(stream)
    except tomllib.TOMLDecodeError as error:
        raise ConnectorError(f"this is not TOML: {error}", where=path) from error
    except UnicodeDecodeError as error:
        raise ConnectorError("this is not UTF-8", where=path) from error


def _section(table: Mapping[str, Any], name: str) -> dict[str, Any]:
    value = table.get(name)
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def _pyproject(path: str) -> dict[str, Any] | None:
    """The pyproject.toml of the project that holds `path`: the nearest one above, not beyond a repository's root."""
    folder = os.path.dirname(path)
    while True:
        candidate = os.path.join(folder, "pyproject.toml")
        if os.path.isfile(candidate):
            return read_toml(candidate)
        parent = os.path.dirname(folder)
        if parent == folder or os.path.exists(os.path.join(folder, ".git")):
            return None
        folder = parent


def _project(path: str) -> dict[str, str]:
    project = _section(_pyproject(path) or {}, "project")
    name = project.get("name")
    if not isinstance(name, str):
        return {}
    version = project.get("version")
    installed = _distribution(name) if not isinstance(version, str) else {}
    found = {
        "id": _as_id(name),
        "version": version or installed.get("version"),
        "description": project.get("description"),
    }
    return {key: value for key, value in found.items() if isinstance(value, str)}


def _distribution(name: str) -> dict[str, str]:
    found = _metadata(name)
    if found is None:
        return {}
    given = {
        "id": _as_id(found["Name"]),
        "version": found["Version"],
        "description": str(found.json.get("summary", "")),
    }
    return {key: value for key, value in given.items() if value}


def _distribution_requires(name: str) -> list[str]:
    found = _metadata(name)
    required = (found.get_all("Requires-Dist") or []) if found else []
    return [str(line) for line in required if "extra ==" not in str(line)]


def _metadata(name: str) -> "PackageMetadata | None":
    """Of the distribution called `name`, or of the one that holds the top-level package `name`."""
    from importlib import metadata  # most declarations never ask for it

    try:
        return metadata.metadata(name)
    except metadata.PackageNotFoundError:
        owners = metadata.packages_distributions().get(name, [])
        return metadata.metadata(owners[0]) if owners else None


def _as_id(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
