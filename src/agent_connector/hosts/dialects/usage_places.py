"""Where programs keep their data on each system, for the logs of usage: pure functions of a machine."""

from collections.abc import Iterator, Sequence
from typing import Any

from agent_connector.hosts.dialects.vscode import user_folder
from agent_connector.hosts.machine import Machine
from agent_connector.hosts.records import Place, Reader, Record, Source

EDITORS = ("Code", "Code - Insiders", "VSCodium", "Cursor", "Windsurf", "Trae", "Kiro", "Antigravity")
SERVERS = (".vscode-server", ".vscode-server-insiders", ".vscodium-server", ".cursor-server", ".windsurf-server")


def xdg_data(machine: Machine, *names: str) -> str:
    """Below the XDG data folder, by programs that use it on every system."""
    top = machine.variables.get("XDG_DATA_HOME") or machine.join(machine.home, ".local", "share")
    return machine.join(top, *names)


def local_data(machine: Machine, *names: str) -> str:
    """Below the system's own folder for data that stays on this machine."""
    if machine.platform == "darwin":
        return machine.join(machine.home, "Library", "Application Support", *names)
    if machine.platform == "win32":
        return machine.join(machine.config("LOCALAPPDATA", "AppData", "Local"), *names)
    return xdg_data(machine, *names)


def roaming_data(machine: Machine, *names: str) -> str:
    """Where desktop programs keep what belongs to the person: Electron's `appData`."""
    if machine.platform == "darwin":
        return machine.join(machine.home, "Library", "Application Support", *names)
    if machine.platform == "win32":
        return machine.join(machine.config("APPDATA", "AppData", "Roaming"), *names)
    return machine.join(machine.config("XDG_CONFIG_HOME", ".config"), *names)


def editor_folders(machine: Machine) -> Iterator[str]:
    """The `User` folder of VS Code and each of its kin, here, in a portable copy, and of sessions from elsewhere."""
    for editor in EDITORS:
        yield user_folder(machine, editor)
    for server in SERVERS:
        yield machine.join(machine.home, server, "data", "User")
    if portable := machine.variables.get("VSCODE_PORTABLE"):
        yield machine.join(portable, "user-data", "User")


def file_place(machine: Machine, path: str, kind: str) -> Place:
    """A place that is this one file."""
    separator, path = ("\\", path.replace("/", "\\")) if machine.platform == "win32" else ("/", path)
    top, _, last = path.rpartition(separator)
    return Place(top or separator, last, kind)


def is_absolute(machine: Machine, path: str) -> bool:
    """Whether `path` starts at a root of the machine's own system."""
    if machine.platform == "win32":
        return path.startswith(("/", "\\")) or path[1:3] in (":\\", ":/")
    return path.startswith("/")


def name_of(path: str, up: int = 0) -> str:
    """The last part of a path of any system, or one that is `up` folders above it; "" when there is none."""
    parts = [part for part in path.replace("\\", "/").split("/") if part]
    return parts[-1 - up] if len(parts) > up else ""


def _nothing(data: bytes, state: dict[str, Any], source: Source) -> Sequence[Record]:
    del data, state, source
    return ()


LIST = Reader("document", 1, _nothing)  # a file that names places, for LISTS, and has no counts of its own
