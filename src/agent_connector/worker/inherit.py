"""`inheritHome: true`: copies of what a person has set up for a host, put into a run's private home.

Copies, so that an agent changes nothing of the person's. Logins stay out (a run gets one only where it has no key), and so
do links, since they may lead anywhere. The guard comes after this and is what counts.
"""

import os
import sys
from collections.abc import Iterator

from agent_connector.errors import WorkerError
from agent_connector.hosts import query
from agent_connector.hosts.contract import Headless
from agent_connector.hosts.machine import Machine

SURFACES = ("server", "hooks", "commands", "skills", "subagents", "memory", "config_patch")
MOST_FILES, MOST_BYTES = 2_000, 32 << 20


def texts(host: str, facet: Headless, home: str) -> dict[str, bytes]:
    """Path below the home -> content, of the person's hooks, memory, servers, commands, skills and subagents."""
    files = query.places(host).files("user", Machine(home, sys.platform, {}))
    found: dict[str, bytes] = {}
    room = MOST_BYTES
    for path in dict.fromkeys(files[surface] for surface in SURFACES if surface in files):
        for file in _below(path):
            name = os.path.relpath(file, home).replace(os.sep, "/")
            if name.startswith("..") or name in facet.LOGIN:
                continue
            with open(file, "rb") as stream:
                found[name] = stream.read(room + 1)
            room -= len(found[name])
            if room < 0 or len(found) > MOST_FILES:
                raise WorkerError(
                    f"what is set up for {host} is more than {MOST_FILES} files or {MOST_BYTES >> 20} MiB",
                    where="inheritHome",
                    remedy="Make it less, or put what agents need into the board's bundle.",
                )
    return found


def _below(path: str) -> Iterator[str]:
    """The regular files at and below `path`; no link is followed."""
    if os.path.islink(path):
        return
    if os.path.isfile(path):
        yield path
        return
    for folder, folders, names in os.walk(path):
        folders.sort()
        for name in sorted(names):
            file = os.path.join(folder, name)
            if os.path.isfile(file) and not os.path.islink(file):
                yield file
