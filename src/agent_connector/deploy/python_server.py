"""An MCP server in Python, named by its file or module: how it is started with its project's own dependencies.

server.py          a file; with inline script metadata (`# /// script`) its dependencies are those
server.py:app      the server object in it, where the file does not run it itself
package.module:app a module of the project in this folder

`uv` gives a server the dependencies of its script or project wherever the host starts it from; without uv only a server
that needs none can be started.
"""

import ast
import os
import re
import stat
import tokenize
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from agent_connector.connector import needs
from agent_connector.deploy import naming, python_start
from agent_connector.errors import ConnectorError

SERVERS = ("FastMCP", "MCPServer", "Server")  # classes of the `mcp` and `fastmcp` packages
LOW_LEVEL = "Server"  # has no way to start itself: its `run` wants streams
LIBRARIES = ("mcp", "fastmcp")
FORMER = {"mcp.server.fastmcp": ("mcp", "2")}  # module -> the package that had it, and the version that has it no more
PROJECT = "--project"  # of uv: the folder of the project
_MODULE = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*:[A-Za-z_]\w*")
_BOUND = re.compile(
    r"<|==|~=|@"
)  # in a requirement: newer versions are not let in, or the person knows which one it is
_SKIPPED = {"node_modules", "site-packages", "__pycache__", "tests", "test", "build", "dist"}
_MOST = 2000  # files that are looked at
_ENTRIES = 100_000  # names of files and folders that are looked at
_LARGEST = 2 << 20  # bytes of a file that a person wrote


@dataclass(frozen=True, slots=True)
class Candidate:
    """A server object: its file, its name there, whether the file runs it when it is started, and what it calls itself."""

    path: str
    attribute: str
    runs: bool
    title: str = ""
    low_level: bool = False


@dataclass(frozen=True, slots=True)
class PythonServer:
    """`name` is the id that is taken when none is given; `how` says in one line how it is started."""

    name: str
    command: tuple[str, ...]
    how: str
    whose: str = ""  # whose name the id is
    path: str = ""
    version: str = ""  # of its project, where that says one

    def is_started_by(self, line: Sequence[str]) -> bool:
        """True when that command line starts this very server, be it with other packages."""
        *before, own = self.command
        if self.path in own:
            return own in line
        root = before[before.index(PROJECT) + 1] if PROJECT in before else None  # the module is one of this project
        return own in line and root in line if root else tuple(line) == self.command


def is_target(text: str, cwd: str) -> bool:
    """True for what names a server in Python: an existing .py file, or module:attribute."""
    head = text.partition(":")[0]
    if head.endswith(".py"):
        return os.path.isfile(os.path.join(cwd, head))
    return _MODULE.fullmatch(text) is not None


def find(target: str, cwd: str, which: Callable[[str], str | None]) -> PythonServer:
    """The server at `target`. Raises ConnectorError when there is none, or when nothing here could start it."""
    path, module, attribute = _place(target, cwd)
    text = _read(path)
    tree = _parsed(text) if text is not None else None
    if text is None or tree is None:
        raise ConnectorError("this is no text of Python", where=path, remedy="python -m py_compile says what is wrong.")
    candidates = list(_candidates(path, tree))
    chosen = next((one for one in candidates if one.attribute == attribute), None)
    if attribute and chosen is None and not _binds(tree, attribute):
        named = ", ".join(one.attribute for one in candidates)
        raise ConnectorError(
            f"there is no {attribute!r} in it",
            where=path,
            remedy=f"It has: {named}." if named else "Name the server object: server.py:app.",
        )
    if not attribute and not _runs(tree):
        if not candidates:
            raise ConnectorError(
                "this file neither runs a server nor has one",
                where=path,
                remedy="Name a file with a FastMCP or mcp server in it, or the command that starts the server: "
                "agent-connector install --name NAME -- COMMAND ARGS",
            )
        attribute = candidates[0].attribute
        if own := script(path):
            return _started(path, (own,), _title(candidates, attribute, text), text, which)
    if any(one.low_level for one in candidates if one.attribute == attribute):
        raise ConnectorError(
            f"{attribute} is a low-level Server, which does not start itself",
            where=path,
            remedy='Run it over stdio_server() below `if __name__ == "__main__":` in its file, and name the file alone.',
        )
    run = ("python", *python_start.words(path, module, attribute, tree))
    return _started(path, run, _title(candidates, attribute, text), text, which)


def script(path: str) -> str | None:
    """The script of its project that starts the file's package; only what is built has its scripts."""
    root = project_root(path)
    tables = _pyproject(root) if root else {}
    uv = _table(_table(tables, "tool"), "uv")
    if "build-system" not in tables and uv.get("package") is not True:
        return None
    described = _table(tables, "project")
    return python_start.script(path, str(described.get("name")), _table(described, "scripts"))


def _title(candidates: list[Candidate], attribute: str, text: str) -> str:
    """What the server calls itself: the one that is named, else the one that the file runs, else the only one."""
    if attribute:
        meant = [one for one in candidates if one.attribute == attribute]
    else:
        meant = [one for one in candidates if f"{one.attribute}.run" in text] or candidates
    return meant[0].title if len(meant) == 1 else ""


def servers(folder: str) -> list[Candidate]:
    """The servers of the `mcp` and `fastmcp` packages in the Python files below `folder`, those that run first."""
    found: list[Candidate] = []
    for path in _files(folder):
        text = _read(path)
        if text is not None and any(library in text for library in LIBRARIES):
            tree = _parsed(text)
            found += _candidates(path, tree) if tree is not None else ()
    return sorted(found, key=lambda one: (not one.runs, one.path.count(os.sep), one.path))


def project_root(path: str) -> str | None:
    """The folder of the pyproject.toml that `path` belongs to, not beyond a repository's root; None without one."""
    folder = os.path.dirname(os.path.abspath(path))
    while True:
        if os.path.isfile(os.path.join(folder, "pyproject.toml")):
            return folder
        parent = os.path.dirname(folder)
        if parent == folder or os.path.exists(os.path.join(folder, ".git")):
            return None
        folder = parent


def project(root: str) -> dict[str, Any]:
    """The `[project]` table of the project at `root`; {} when it has none or its file cannot be read."""
    return _table(_pyproject(root), "project")


def _pyproject(root: str) -> dict[str, Any]:
    try:
        with open(os.path.join(root, "pyproject.toml"), "rb") as stream:
            return tomllib.load(stream)
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError):
        return {}


def _table(tables: dict[str, Any], name: str) -> dict[str, Any]:
    found: Any = tables.get(name)
    return cast("dict[str, Any]", found) if isinstance(found, dict) else {}


def _place(target: str, cwd: str) -> tuple[str, str, str]:
    """(file, module "" for a file, attribute "" for none)"""
    head, _, attribute = target.partition(":")
    if head.endswith(".py"):
        return os.path.abspath(os.path.join(cwd, head)), "", attribute
    for base in (cwd, os.path.join(cwd, "src")):
        place = os.path.join(base, *head.split("."))
        for path in (place + ".py", os.path.join(place, "__init__.py")):
            if os.path.isfile(path):
                return os.path.abspath(path), head, attribute
    raise ConnectorError(
        f"no module {head!r} in this folder or below src",
        where=cwd,
        remedy="Run this in the project's folder, or name the file: path/to/server.py:app.",
    )


def _started(
    path: str, run: tuple[str, ...], title: str, text: str, which: Callable[[str], str | None]
) -> PythonServer:
    """`run` is `python` and what follows it, or a script of the project."""
    root = project_root(path)
    described = project(root) if root else {}
    named = naming.chosen(title, described, path)
    reached = needs.reached(os.path.dirname(path), os.path.splitext(os.path.basename(path))[0])
    former = {FORMER[name][0]: "{}<{}".format(*FORMER[name]) for name in reached if name in FORMER}

    def server(command: tuple[str, ...], how: str) -> PythonServer:
        version = described.get("version")
        return PythonServer(named.id, command, how, named.whose, path, version if isinstance(version, str) else "")

    script = needs.script_requirements(text)
    if script is not None and run == ("python", path):
        how = "with the dependencies of the script itself" + _open(former, script)
        return server((*_uv(which, path), "--script", path), how)
    if described and root:
        how = f"with the dependencies of the project in {root}"
        if not os.path.exists(os.path.join(root, "uv.lock")):
            how += _open(former, described.get("dependencies"))
        return server((*_uv(which, path), PROJECT, root, *run), how)
    imported = {name.partition(".")[0] for name in reached}
    wanted = sorted(script or {former.get(name, name) for name in imported})
    if not wanted:
        return server(("python3", *run[1:]), "with the Python on the PATH: it needs nothing else")
    extras = tuple(word for one in wanted for word in ("--with", one))
    how = f"with {', '.join(wanted)}, which it imports; a pyproject.toml would say which versions"
    if listed := None if script else python_start.requirements(path):
        extras, how = ("--with-requirements", listed, *extras), f"with what {listed} lists"
    return server((*_uv(which, path), "--no-project", *extras, *run), how)


def _open(former: Mapping[str, str], requirements: object) -> str:
    """Words on a requirement that lets in a version without what the server imports; "" where none does."""
    given = cast("list[object]", requirements) if isinstance(requirements, list | tuple) else ()
    named = {re.split(r"[^\w.-]", str(one))[0].lower(): str(one) for one in given}
    loose = [fixed for name, fixed in former.items() if name in named and not _BOUND.search(named[name])]
    return "".join(f"; ask for {fixed} there: what it imports is gone in newer ones" for fixed in loose)


def _uv(which: Callable[[str], str | None], path: str) -> tuple[str, ...]:
    if which("uv") is None:
        raise ConnectorError(
            "it needs packages, and uv, which brings them wherever a host starts it, is not here",
            where=path,
            remedy="Install uv (pip install uv), or name a command that starts the server with its packages: "
            "agent-connector install --name NAME -- COMMAND ARGS",
        )
    return ("uv", "run", "--quiet")


def _read(path: str) -> str | None:
    """The text of a file, in the encoding that it names; None for what is no file or no text (a pipe would hang)."""
    try:
        status = os.stat(path)
        if not stat.S_ISREG(status.st_mode) or status.st_size > _LARGEST:
            return None
        with tokenize.open(path) as stream:
            return stream.read()
    except (OSError, SyntaxError, UnicodeDecodeError):
        return None


def _parsed(text: str) -> ast.Module | None:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, MemoryError, RecursionError):  # the last two: nested too deep
        return None


def _candidates(path: str, tree: ast.Module) -> Iterator[Candidate]:
    classes = {
        alias.asname or alias.name: alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] in LIBRARIES
        for alias in node.names
        if alias.name in SERVERS
    }
    low_level = {name for name, meant in classes.items() if meant == LOW_LEVEL} | {
        f"{one}.{LOW_LEVEL}" for one in LIBRARIES
    }
    for node in tree.body:
        target = (
            node.targets[0]
            if isinstance(node, ast.Assign)
            else node.target
            if isinstance(node, ast.AnnAssign)
            else None
        )
        value = node.value if isinstance(node, ast.Assign | ast.AnnAssign) else None
        if isinstance(target, ast.Name) and isinstance(value, ast.Call):
            called = ast.unparse(value.func).partition("[")[0]
            if called in classes or any(called == f"{library}.{name}" for library in LIBRARIES for name in SERVERS):
                title = naming.literal(value, tree)
                yield Candidate(path, target.id, _runs(tree), title, called in low_level)


def _runs(tree: ast.Module) -> bool:
    """True when starting the file runs something: it has `if __name__ == "__main__":`, or calls `.run()` at its top."""
    for node in tree.body:
        if isinstance(node, ast.If) and "__name__" in ast.unparse(node.test):
            return True
        if (
            isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Call)
            and ast.unparse(node.value.func).endswith("run")
        ):
            return True
    return False


def _binds(tree: ast.Module, attribute: str) -> bool:
    return any(isinstance(node, ast.Name) and node.id == attribute for node in ast.walk(tree))


def _files(folder: str) -> Iterator[str]:
    count = entries = 0
    for where, folders, names in os.walk(folder):
        entries += len(folders) + len(names)
        if entries > _ENTRIES:
            return
        folders[:] = sorted(
            one
            for one in folders
            if not one.startswith(".")
            and one not in _SKIPPED
            and not os.path.exists(os.path.join(where, one, "pyvenv.cfg"))
        )
        for name in sorted(names):
            if name.endswith(".py"):
                count += 1
                if count > _MOST:
                    return
                yield os.path.join(where, name)
