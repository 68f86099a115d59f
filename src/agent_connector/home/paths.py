"""Where our own state lies: one function per file of `~/.agent-connector`. Nothing here looks at the disk.

`root` is the data root, which AGENT_CONNECTOR_DATA_DIR moves. The launcher is not moved: hosts' files name it,
and they must stay right whatever that variable says in the process that reads them.
This module is on the hook path.
"""

import sys

from agent_connector.home.system import isabs, join

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

FOLDER = ".agent-connector"
VARIABLE = "AGENT_CONNECTOR_DATA_DIR"


def data_root(variables: "Mapping[str, str]", home: str) -> str:
    """The folder of all our state but the launcher. A relative or `~` value means what a shell would make of it."""
    moved = variables.get(VARIABLE)
    if not moved:
        return join(home, FOLDER)
    if moved == "~" or moved.startswith(("~/", "~\\") if sys.platform == "win32" else "~/"):
        moved = home + moved[1:]
    if sys.platform != "win32" and isabs(moved) and not any(part in ("", ".", "..") for part in moved[1:].split("/")):
        return moved  # as the launcher hands it over
    import os

    return os.path.abspath(moved)


def bin_folder(home: str) -> str:
    return join(home, FOLDER, "bin")


def launcher_path(home: str, platform: str = sys.platform) -> str:
    """The one path of ours that stands in hosts' files."""
    return join(bin_folder(home), "agent-connector.exe" if platform == "win32" else "agent-connector")


def versions_folder(root: str) -> str:
    return join(root, "versions")


def version_folder(root: str, version: str) -> str:
    """A copy of our package's source is in it, and the two one-line files below."""
    return join(root, "versions", version)


def version_package(root: str, version: str) -> str:
    return join(root, "versions", version, "agent_connector")


def version_python(root: str, version: str) -> str:
    """One line: the base interpreter that runs hooks."""
    return join(root, "versions", version, "python")


def version_tools(root: str, version: str) -> str:
    """One line: the interpreter that has all dependencies."""
    return join(root, "versions", version, "tools")


def current_version(root: str) -> str:
    """One line: the version that is used where no pin says otherwise."""
    return join(root, "versions", "current")


def pins(root: str) -> str:
    """Lines `<folder><tab><version>`."""
    return join(root, "pins")


def connectors_folder(root: str) -> str:
    return join(root, "connectors")


def connector_folder(root: str, connector: str) -> str:
    return join(root, "connectors", connector)


def manifest(root: str, connector: str) -> str:
    return join(root, "connectors", connector, "connector.json")


def bundles_folder(root: str, connector: str) -> str:
    """Bundles that hosts install by their own commands, and which of them did."""
    return join(root, "bundles", connector)


def install_record(root: str, connector: str) -> str:
    """The declaration as it was installed, and the hosts that were chosen."""
    return join(root, "connectors", connector, "install.json")


def declaration_folder(root: str, connector: str) -> str:
    """A copy of the author's file or package."""
    return join(root, "connectors", connector, "declaration")


def connector_python(root: str, connector: str) -> str:
    """One line: the interpreter that runs this connector's handlers."""
    return join(root, "connectors", connector, "python")


def connector_environment(root: str, connector: str) -> str:
    """The environment built for this connector; absent when it needs only the standard library and us."""
    return join(root, "connectors", connector, "env")


def connector_packages(root: str, connector: str) -> str:
    """The packages of that environment."""
    return packages(connector_environment(root, connector))


def packages(environment: str) -> str:
    """The packages of an environment, as the running interpreter would lay them out."""
    if sys.platform == "win32":
        return join(environment, "Lib", "site-packages")
    threads = "t" if "t" in sys.abiflags else ""
    version = f"python{sys.version_info[0]}.{sys.version_info[1]}{threads}"
    return join(environment, "lib", version, "site-packages")


def environments_folder(root: str) -> str:
    """The last few environments that were built to look at a declaration, not to install it."""
    return join(root, "environments")


def telemetry_folder(root: str) -> str:
    return join(root, "telemetry")


def segments_folder(root: str) -> str:
    return join(root, "telemetry", "segments")


def telemetry_store(root: str) -> str:
    return join(root, "telemetry", "telemetry.db")


def telemetry_off(root: str) -> str:
    """This file's existence is the stored off switch."""
    return join(root, "telemetry", "off")


def usage_folder(root: str) -> str:
    return join(root, "usage")


def usage_index(root: str) -> str:
    """What the hosts' own logs say, read once."""
    return join(root, "usage", "usage.db")


def usage_sessions(root: str) -> str:
    """What each session of late used, a small file for each: what a status line can read in its time."""
    return join(root, "usage", "sessions")


def usage_session(root: str, host: str, session: str) -> str:
    """The file of one session; its id may hold anything, so it is hashed."""
    import _blake2

    named = _blake2.blake2b(session.encode("utf-8", "replace"), digest_size=8).hexdigest()
    return join(root, "usage", "sessions", f"{host}-{named}.json")


def usage_prices(root: str) -> str:
    """The person's own prices."""
    return join(root, "prices.toml")


def fetched_prices(root: str) -> str:
    """The list of prices that a person had fetched."""
    return join(root, "usage", "prices.json")


def ledger(root: str) -> str:
    return join(root, "ledger.json")


def backups_folder(root: str) -> str:
    return join(root, "backups")


def lock(root: str) -> str:
    return join(root, "lock")


def hooks_log(root: str) -> str:
    """What failed open; read by doctor."""
    return join(root, "hooks.log")


def byoa_place(root: str, host: str) -> str:
    """Where `byoa attach` says how the extension in that host finds it, while it runs."""
    return join(root, "byoa", f"{host}.json")


def board_folder(root: str) -> str:
    return join(root, "board")


def board_database(root: str) -> str:
    """The task board's own database, where none is named."""
    return join(root, "board", "board.db")
