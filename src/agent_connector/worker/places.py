"""Where the worker's own files lie, and which folders no run may come near.

`~/.agent-connector/worker/` holds `credentials`, `connector.yml`, the state and the kill switch; where it is not there an
existing `~/.appsuite/` is used. APPSUITE_CREDENTIALS and APPSUITE_CONNECTOR_CONFIG name other files.
"""

import os
from collections.abc import Iterable, Mapping

from agent_connector.home import paths

CREDENTIALS, CONFIG = "APPSUITE_CREDENTIALS", "APPSUITE_CONNECTOR_CONFIG"
BOARD = "APPSUITE_BOARD_ID"
OLDER = ".appsuite"
KILL_SWITCH, STATE = "STOP", "worker-state.db"

# Below the person's home: where programs keep keys and logins. A folder of work is in none of them and holds none.
_KEYS = (
    ".agent-connector",
    ".appsuite",
    ".aws",
    ".azure",
    ".byoa",
    ".claude",
    ".codex",
    ".config/gcloud",
    ".config/gh",
    ".docker",
    ".gnupg",
    ".kube",
    ".ssh",
)


def folder(variables: Mapping[str, str], home: str) -> str:
    """The worker's own folder; it need not be there yet."""
    own, older = os.path.join(paths.data_root(variables, home), "worker"), os.path.join(home, OLDER)
    return older if not os.path.isdir(own) and os.path.isdir(older) else own


def credentials_file(variables: Mapping[str, str], home: str) -> str:
    return _named(variables, CREDENTIALS, home) or os.path.join(folder(variables, home), "credentials")


def config_file(variables: Mapping[str, str], home: str) -> str:
    return _named(variables, CONFIG, home) or os.path.join(folder(variables, home), "connector.yml")


def state_file(variables: Mapping[str, str], home: str) -> str:
    """Where the state is unless `statePath` says otherwise: beside connector.yml."""
    return os.path.join(os.path.dirname(config_file(variables, home)), STATE)


def kill_switch_file(variables: Mapping[str, str], home: str) -> str:
    """Where the kill switch is unless `killSwitchFile` says otherwise: beside connector.yml."""
    return os.path.join(os.path.dirname(config_file(variables, home)), KILL_SWITCH)


def secret_folders(variables: Mapping[str, str], home: str) -> tuple[str, ...]:
    """The folders that a run's folder may neither be in nor hold."""
    below = (os.path.join(home, *name.split("/")) for name in _KEYS)
    held = (
        os.path.dirname(credentials_file(variables, home)),
        folder(variables, home),
        paths.data_root(variables, home),
    )
    return tuple(dict.fromkeys((*held, *below)))


def absolute(path: str, home: str, beside: str) -> str:
    """`path` as a person wrote it: `~` is their home, what is relative starts at the folder `beside`."""
    if path == "~" or path.startswith(("~/", "~" + os.sep)):
        path = home + path[1:]
    return os.path.abspath(os.path.join(beside, path))


def within(path: str, folder: str) -> bool:
    """True when `path` is `folder` or lies below it, links resolved; the file system says what is the same folder."""
    path, folder = os.path.realpath(path), os.path.realpath(folder)
    while True:
        if os.path.normcase(path) == os.path.normcase(folder) or _same(path, folder):
            return True
        path, below = os.path.dirname(path), path
        if path == below:
            return False


def clash(path: str, folders: Iterable[str]) -> str | None:
    """The first of `folders` that `path` is in, or that is in `path`."""
    return next((one for one in folders if within(path, one) or within(one, path)), None)


def _named(variables: Mapping[str, str], name: str, home: str) -> str | None:
    value = variables.get(name)
    return absolute(value, home, os.getcwd()) if value else None


def _same(one: str, other: str) -> bool:
    try:
        return os.path.samefile(one, other)
    except OSError:
        return False
