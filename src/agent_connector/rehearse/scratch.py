"""A home of its own for one rehearsal, and an environment in which nothing of the person's can be found."""

import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from agent_connector.drive import process
from agent_connector.drive.environment import environment

PREFIX = "agent-connector-rehearsal-"


@dataclass(frozen=True, slots=True)
class Scratch:
    """`folder` holds everything; `environment` is what the host gets before its own variables."""

    folder: str
    home: str
    project: str
    records: str  # what the witness and the launcher write down
    environment: Mapping[str, str]

    @property
    def marks(self) -> tuple[str, ...]:
        """Entries of an environment that only processes of this rehearsal have."""
        name = "USERPROFILE" if sys.platform == "win32" else "HOME"
        return (f"{name}={self.home}",)


@contextmanager
def scratch(variables: Mapping[str, str], added: Mapping[str, str], *, keep: bool = False) -> Generator[Scratch]:
    """A scratch home until the end of the block; `added` are variables that the person chose to hand over."""
    place = _in(os.path.realpath(tempfile.mkdtemp(prefix=PREFIX)), variables, added)
    try:
        for folder in (place.home, place.project, place.records, place.environment["TMPDIR"]):
            os.mkdir(folder, 0o700)
        yield place
    finally:
        process.sweep(place.marks)
        if not keep:
            remove(place.folder)


def remove(folder: str) -> None:
    """All of it, read-only folders too: package caches like to be that."""
    for place, folders, _ in os.walk(folder):
        for name in folders:
            path = os.path.join(place, name)
            if not os.path.islink(path):
                os.chmod(path, stat.S_IRWXU)
    shutil.rmtree(folder, ignore_errors=True)


def _in(folder: str, variables: Mapping[str, str], added: Mapping[str, str]) -> Scratch:
    home = os.path.join(folder, "home")
    return Scratch(
        folder=folder,
        home=home,
        project=os.path.join(home, "project"),
        records=os.path.join(folder, "records"),
        environment=environment(variables, home, os.path.join(folder, "tmp"), {**_packages(variables), **added}),
    )


def _packages(variables: Mapping[str, str]) -> dict[str, str]:
    """What `uv` and `npx` start a server with: packages that were fetched before, and whom to trust for others."""
    home = variables.get("USERPROFILE" if sys.platform == "win32" else "HOME", "")
    if sys.platform == "win32":
        local = variables.get("LOCALAPPDATA", os.path.join(home, "AppData", "Local"))
        places = {
            "UV_CACHE_DIR": os.path.join(local, "uv", "cache"),
            "npm_config_cache": os.path.join(local, "npm-cache"),
        }
    else:
        cache = variables.get("XDG_CACHE_HOME", os.path.join(home, ".cache"))
        places = {"UV_CACHE_DIR": os.path.join(cache, "uv"), "npm_config_cache": os.path.join(home, ".npm")}
    there = {name: place for name, place in places.items() if os.path.isdir(place)}
    named = {name: variables[name] for name in (*places, "SSL_CERT_FILE", "SSL_CERT_DIR") if name in variables}
    return {**there, **named}
