"""Versions of this package in our home: `versions/<v>/`, whole and ready to run, or not there.

Hooks run a copy of the source with a base interpreter, so that the environment from which install was run may be
upgraded, moved or removed. A copy is prepared beside its place, with the bundle of the hook path, and swapped in.
"""

import contextlib
import os
import secrets
import shutil
import subprocess
import sysconfig
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from agent_connector.errors import DeployError
from agent_connector.home import paths, private, progress, swap
from agent_connector.home.faults import explained

PATIENCE = 120  # seconds, for making a bundle
_LEFT_OUT = shutil.ignore_patterns("__pycache__", "*.pyc", ".*")


@dataclass(frozen=True, slots=True)
class Version:
    """What `put` makes of a version: its package's folder, the interpreters, and what these need to start."""

    name: str
    package: str  # a folder, to be copied
    python: str  # the base interpreter, for what hosts run
    tools: str  # the interpreter with all dependencies
    needs: tuple[str, ...] = ()  # files without which `python` does not start


def put(root: str, version: Version) -> tuple[str, ...]:
    """The version is there as described; gives the names of what had to be written. The caller holds the lock."""
    home = paths.version_folder(root, version.name)
    private.make_folder(home)
    written: list[str] = []
    target = paths.version_package(root, version.name)
    if _listed(version.package) != _listed(target) or not _is_packed(target):
        _clear_leftovers(paths.versions_folder(root))
        _copy(version, target)
        written.append("package")
    files = {"python": version.python, "tools": version.tools, "needs": "\n".join(version.needs)}
    for name, text in files.items():
        if write_line(os.path.join(home, name), text):
            written.append(name)
    return tuple(written)


def use(root: str, name: str) -> bool:
    """Make a version the one that is used where no pin says otherwise. False when it was."""
    return write_line(paths.current_version(root), name)


def current(root: str) -> str | None:
    """The version in use, None when there is none."""
    return first_line(paths.current_version(root)) or None


def present(root: str) -> tuple[str, ...]:
    """The versions that are there, whole or not."""
    try:
        names = os.listdir(paths.versions_folder(root))
    except OSError:
        return ()
    return tuple(sorted(name for name in names if os.path.isdir(paths.version_package(root, name)) and name[0] != "."))


def prune(root: str, keep: Iterable[str]) -> tuple[str, ...]:
    """Remove the versions that are neither current nor in `keep` (those of pins); gives their names."""
    kept = {*keep, current(root)}
    gone = tuple(name for name in present(root) if name not in kept)
    for name in gone:
        shutil.rmtree(paths.version_folder(root, name), ignore_errors=True)
    return gone


def is_whole(root: str, name: str) -> bool:
    """True when what the launcher starts is there."""
    return os.path.isfile(os.path.join(paths.version_package(root, name), "runtime", "entry.py"))


def landmarks() -> tuple[str, ...]:
    """Files without which the base of the running interpreter cannot start, though its program may still be there."""
    standard = sysconfig.get_path("stdlib")
    found = [os.path.join(standard, "encodings", "__init__.py")]
    if sysconfig.get_config_var("Py_ENABLE_SHARED"):
        library = sysconfig.get_config_var("INSTSONAME") or ""
        found.append(os.path.join(sysconfig.get_config_var("LIBDIR") or "", library))
    return tuple(path for path in found if os.path.isfile(path))


def first_line(path: str) -> str:
    """The first line of a file; empty when there is none, or when it can name nothing."""
    data = private.read(path) or b""
    line = data.decode("utf-8", "surrogateescape").partition("\n")[0].strip()
    return "" if "\0" in line else line


def write_line(path: str, text: str) -> bool:
    """Write `text` and a line end; False when that stood there."""
    data = (text + "\n").encode("utf-8", "surrogateescape") if text else b""
    if private.read(path) == data:
        return False
    private.write(path, data)
    return True


def _listed(package: str) -> list[tuple[str, int, int]]:
    """Every file of a package: its place, size and time of change, to the second."""
    found: list[tuple[str, int, int]] = []
    for folder, folders, names in os.walk(package):
        folders[:] = [name for name in folders if name != "__pycache__" and not name.startswith(".")]
        for name in names:
            if name.startswith((".", "bundle.")) or name.endswith(".pyc"):
                continue
            path = os.path.join(folder, name)
            with contextlib.suppress(FileNotFoundError):  # an editor's, gone again
                about = os.stat(path)
                found.append((os.path.relpath(path, package), about.st_size, int(about.st_mtime)))
    return sorted(found)


def _is_packed(package: str) -> bool:
    runtime = os.path.join(package, "runtime")
    return os.path.isdir(runtime) and any(name.startswith("bundle.") for name in os.listdir(runtime))


def _copy(version: Version, target: str) -> None:
    versions = os.path.dirname(os.path.dirname(target))
    fresh = os.path.join(versions, f".new-{secrets.token_hex(6)}", "agent_connector")
    try:
        shutil.copytree(version.package, fresh, ignore=_LEFT_OUT, ignore_dangling_symlinks=True)
        with progress.during(f"making version {version.name} ready for hooks"):
            _pack(version.python, fresh, target)
        if not os.path.isdir(target):
            os.rename(fresh, target)
        elif not swap.exchange(fresh, target):  # where that is not to be had, hooks say nothing for an instant
            os.rename(target, fresh + ".old")
            os.rename(fresh, target)
        swap.sync_folder(os.path.dirname(target))
    except OSError as error:
        raise explained(error, target, "written") from error
    finally:
        shutil.rmtree(os.path.dirname(fresh), ignore_errors=True)


def _pack(python: str, package: str, final: str) -> None:
    """The bundle, made by the interpreter that will use it: this also proves that it starts."""
    script = os.path.join(package, "runtime", "pack.py")
    _run([python, "-I", "-S", "-B", script, package, final], python)


def _run(command: Sequence[str], python: str) -> None:
    remedy = f"Check that {python} works, or install agent-connector with another Python of version 3.11 or newer."
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise DeployError(f"the interpreter for hooks does not start: {error}", where=python, remedy=remedy) from error
    if done.returncode != 0:
        said = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
        raise DeployError(f"the interpreter for hooks cannot run them: {said[-1]}", where=python, remedy=remedy)


def _clear_leftovers(versions: str) -> None:
    """What an install that was killed has left; the lock says that nobody is at it."""
    with contextlib.suppress(OSError):
        for name in os.listdir(versions):
            if name.startswith(".new-"):
                shutil.rmtree(os.path.join(versions, name), ignore_errors=True)
