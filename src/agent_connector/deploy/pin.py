"""Pins: in this project folder, hosts run that version.

A pin is a line of a file in our home, never of a repository. Pinning installs the version into `versions/`; the
launcher uses only what is there.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from importlib import metadata

from agent_connector.deploy import launcher, versions
from agent_connector.deploy.versions import Version
from agent_connector.errors import DeployError
from agent_connector.home import lock, paths, private, progress

_VERSION = re.compile(r"[0-9]+(\.[0-9]+)*((a|b|rc|\.dev|\.post)[0-9]+)*(\+[A-Za-z0-9.]+)?")
_PATIENCE = 300  # seconds


@dataclass(frozen=True, slots=True)
class Pin:
    folder: str
    version: str
    there: bool  # the version is installed in our home


def pins(root: str) -> tuple[Pin, ...]:
    """Every pin, in the order of the file."""
    return tuple(Pin(folder, version, versions.is_whole(root, version)) for folder, version in launcher.pins(root))


def pin(root: str, home: str, folder: str, version: str) -> Pin:
    """Pin `folder` to `version`, and install that version when it is not there."""
    if not _VERSION.fullmatch(version):
        raise DeployError(f"{version!r} is no version", remedy="Such as 1.2.3.")
    folder = os.path.realpath(folder)
    if not os.path.isdir(folder):
        raise DeployError("there is no such folder", where=folder)
    if "\t" in folder or "\n" in folder:
        raise DeployError("a folder with a tab or a line break in its name cannot be pinned", where=folder)
    with lock.held(root):
        launcher.heal(home, root)
        if not versions.is_whole(root, version):
            _fetch(root, version)
        _write(root, [*((p.folder, p.version) for p in pins(root) if p.folder != folder), (folder, version)])
    return Pin(folder, version, True)


def unpin(root: str, folder: str) -> bool:
    """True when `folder` was pinned and is no more."""
    folder = os.path.realpath(folder)
    with lock.held(root):
        found = pins(root)
        rest = [(p.folder, p.version) for p in found if p.folder != folder]
        if len(rest) == len(found):
            return False
        _write(root, rest)
    return True


def _write(root: str, rows: list[tuple[str, str]]) -> None:
    text = "".join(f"{folder}\t{version}\n" for folder, version in rows)
    if text:
        private.write(paths.pins(root), text.encode("utf-8", "surrogateescape"))
    else:
        private.remove(paths.pins(root))


def _fetch(root: str, version: str) -> None:
    """Get that version's wheel, make sure that it is ours, and put its package where the launcher looks."""
    scratch = tempfile.mkdtemp(prefix="agent-connector-")
    try:
        _unpack(version, scratch)
        package = _ours(version, scratch)
        now = launcher.this_version()
        versions.put(root, Version(version, package, now.python, now.tools, now.needs))
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _ours(version: str, folder: str) -> str:
    """The package in an unpacked wheel. DeployError when it is somebody else's: its code is never run then."""
    package = os.path.join(folder, "agent_connector")
    about = [each for each in metadata.distributions(path=[folder]) if each.metadata["Name"] == "agent-connector"]
    code = private.read(os.path.join(package, "version.py")) or b""
    if not (
        len(about) == 1
        and _short(about[0].version) == _short(version)
        and f'__version__ = "{about[0].version}"'.encode() in code
        and all(os.path.isfile(os.path.join(package, "runtime", name)) for name in ("entry.py", "pack.py"))
    ):
        raise DeployError(
            f"what is there as agent-connector {version} is not this program",
            where="the package index",
            remedy="Nothing of it was run or kept. The name may be another project's there: install that version of "
            "ours from its checkout or wheel, and run `agent-connector pin` with that one.",
        )
    return package


def _short(version: str) -> str:
    """1.4.0 is 1.4."""
    return re.sub(r"(\.0)+$", "", version)


def _unpack(version: str, folder: str) -> None:
    """Unpack the wheel of that version, and only a wheel: building from source would run what is in it."""
    uv = shutil.which("uv")
    wanted = ["--no-deps", "--only-binary", ":all:", "--target", folder, f"agent-connector=={version}"]
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-input", "--disable-pip-version-check"]
    command = (
        [uv, "pip", "install", "--quiet", "--python", sys.executable, *wanted]
        if uv
        else [*pip, "--no-compile", *wanted]
    )
    try:
        with progress.during(f"fetching agent-connector {version}"):
            done = subprocess.run(command, capture_output=True, text=True, timeout=_PATIENCE, check=False)
    except subprocess.TimeoutExpired:
        raise DeployError(f"fetching agent-connector {version} took longer than {_PATIENCE} s") from None
    if done.returncode != 0:
        lines = (done.stderr.strip() or done.stdout.strip()).splitlines()
        raise DeployError(
            f"agent-connector {version} cannot be had: {lines[-1] if lines else 'no reason was given'}",
            remedy=f"Run it by hand to see more:\n    {' '.join(command)}",
        )
