"""The home that a run has instead of the person's: ours to fill, kept while its task may be taken up again.

<runs>/<hash of the task's id>/home   HOME of the run, with the host's sessions in it: a retry goes on with them
                              /guard  what arms the guard, read-only inside
                              /work   the clone, where there is one
"""

import hashlib
import os
import time
from collections.abc import Mapping
from dataclasses import dataclass

from agent_connector.drive import environment
from agent_connector.errors import WorkerError
from agent_connector.home import private
from agent_connector.home.folders import remove_tree

RUNS = "agent-connector/runs"
_DAYS = 30  # after which a task that nobody took up again has no session any more


@dataclass(frozen=True, slots=True)
class Place:
    """The folders of one task's runs."""

    folder: str
    home: str
    guard: str
    scratch: str


def runs_folder(variables: Mapping[str, str], home: str) -> str:
    """Beside, not in, the folder of the worker's keys: nothing of a run lies where a key does."""
    state = variables.get("LOCALAPPDATA") if os.name == "nt" else variables.get("XDG_STATE_HOME")
    return os.path.join(state or os.path.join(home, ".local", "state"), *RUNS.split("/"))


def folder_name(task_id: str) -> str:
    """The folder of a task, in that of all."""
    return hashlib.sha256(task_id.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def place(runs: str, task_id: str) -> Place:
    """The folders of a task, made private when they are not there yet."""
    folder = os.path.join(runs, folder_name(task_id))
    made = Place(folder, *(os.path.join(folder, part) for part in ("home", "guard", "tmp")))
    for one in (folder, made.home, made.guard, made.scratch):
        private.make_folder(one)
    os.utime(folder)
    return made


def furnish(made: Place, texts: Mapping[str, str], login: Mapping[str, bytes]) -> None:
    """Put down what the host needs in a fresh home, and the one file that its login is, where there is no key.

    An earlier run may have left links there: none is followed. Nothing of the run lives meanwhile.
    """
    for name, data in {**{name: text.encode() for name, text in texts.items()}, **login}.items():
        path = os.path.join(made.home, *name.split("/"))
        folder = os.path.dirname(path)
        _walk(made.home, folder)
        if os.path.lexists(path):
            remove_tree(path)
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(data)


def _walk(home: str, folder: str) -> None:
    """Each folder on the way is one: a link, or a file, makes room for it."""
    path = home
    for part in os.path.relpath(folder, home).split(os.sep):
        path = os.path.join(path, part)
        if os.path.lexists(path) and (os.path.islink(path) or not os.path.isdir(path)):
            remove_tree(path)
        if not os.path.isdir(path):
            os.mkdir(path, 0o700)


def login(home: str, files: tuple[str, ...]) -> dict[str, bytes]:
    """The login's files from the person's home; they are the only ones that leave it."""
    found: dict[str, bytes] = {}
    for name in files:
        path = os.path.join(home, *name.split("/"))
        try:
            with open(path, "rb") as file:
                found[name] = file.read()
        except OSError as error:
            raise WorkerError(f"the login cannot be read: {error.strerror}", where=path) from None
    return found


def variables(made: Place, own: Mapping[str, str], added: Mapping[str, str]) -> dict[str, str]:
    """The environment of a run: a few of the worker's variables, and the private home."""
    return environment.environment(own, made.home, made.scratch, added)


def remove(made: Place) -> None:
    """All of it, once the task is settled."""
    remove_tree(made.folder)


def prune(runs: str, keep: frozenset[str] = frozenset()) -> None:
    """Remove what was left of tasks that nobody took up again; folders named in `keep` stay."""
    try:
        entries = [entry for entry in os.scandir(runs) if entry.is_dir(follow_symlinks=False)]
    except OSError:
        return
    oldest = time.time() - _DAYS * 86_400
    for entry in entries:
        if entry.name not in keep and entry.stat(follow_symlinks=False).st_mtime < oldest:
            remove_tree(entry.path)
