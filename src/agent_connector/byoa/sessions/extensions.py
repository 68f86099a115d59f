"""Our extension in Pi and OMP, our plugin in OpenCode: one file among the person's own, put there and taken out."""

import json
import os
import sys
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path

from agent_connector.byoa.sessions.meeting import Meeting
from agent_connector.errors import DeployError
from agent_connector.home import files, paths, private
from agent_connector.hosts import query
from agent_connector.hosts.machine import Machine

FOLDERS = {"pi": (".pi", "agent"), "omp": (".omp", "agent")}
NAME = "agent-connector-byoa.js"
MOVED = "PI_CODING_AGENT_DIR"  # moves the folder of either of them
TEMPLATES = {"opencode": "opencode_tunnel.js", "pi": "pi_session.js", "omp": "pi_session.js"}
MARK = b"made by `agent-connector byoa attach"


def path(host: str, variables: Mapping[str, str], home: str) -> str:
    """Where it belongs."""
    if host not in FOLDERS:
        machine = Machine(home, sys.platform, variables, exists=os.path.exists)
        return os.path.join(query.places(host).files("user", machine)["hooks"], NAME)
    folder = variables.get(MOVED) or os.path.join(home, *FOLDERS[host])
    return os.path.join(os.path.expanduser(folder), "extensions", NAME)


def place(host: str, variables: Mapping[str, str], home: str) -> str:
    """The file that says where `attach` listens."""
    return paths.byoa_place(paths.data_root(variables, home), host)


@contextmanager
def announced(where: str, found: Meeting) -> Generator[None]:
    """That file, until the end of the block; another `attach` may have put its own address there by then."""
    private.make_folder(os.path.dirname(where))
    private.write(where, json.dumps({"address": found.address, "key": found.key}))
    try:
        yield
    finally:
        data = private.read(where)
        if data is not None and found.key.encode() in data:
            private.remove(where)


def text(host: str, where: str) -> str:
    """The file's text, told where to look for `attach`."""
    template = (Path(__file__).parent / "templates" / TEMPLATES[host]).read_text(encoding="utf-8")
    return template.replace("@HOST@", host).replace("@PLACE@", json.dumps(where))


def install(host: str, variables: Mapping[str, str], home: str) -> str | None:
    """Put it there; gives its path when it is new or another one than before, None when it was there already."""
    where = path(host, variables, home)
    found = files.read(where)
    wanted = text(host, place(host, variables, home)).encode()
    if found.data == wanted:
        return None
    _check(found, where)
    private.make_folder(os.path.dirname(where))
    files.replace(found, wanted)
    return where


def remove(host: str, variables: Mapping[str, str], home: str) -> str | None:
    """Take it out; gives its path, None when there was none."""
    where = path(host, variables, home)
    found = files.read(where)
    if found.data is None:
        return None
    _check(found, where)
    files.replace(found, None)
    return where


def _check(found: files.Snapshot, where: str) -> None:
    if found.data is not None and MARK not in found.data:
        raise DeployError(
            "there is another extension by our name", where=where, remedy="Move it away: it is not ours to change."
        )
