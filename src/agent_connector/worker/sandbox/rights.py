"""A run's folders as Landlock rules, for whatever version the kernel has. Applied to the process that calls."""

import os
import stat

from agent_connector.worker.sandbox import kernel

NEEDED = 3  # before it a file outside could still be emptied
EXECUTE, WRITE, READ, LIST = 1 << 0, 1 << 1, 1 << 2, 1 << 3
REMOVE_DIR, REMOVE_FILE, MAKE_DIR, MAKE_FILE, MAKE_SOCKET, MAKE_FIFO, MAKE_LINK = (
    1 << bit for bit in (4, 5, 7, 8, 9, 10, 12)
)
MAKE_DEVICES = 1 << 6 | 1 << 11
REFER, TRUNCATE, DEVICE_CONTROL = 1 << 13, 1 << 14, 1 << 15
BIND, CONNECT = 1 << 0, 1 << 1
ABSTRACT_SOCKETS, SIGNALS = 1 << 0, 1 << 1

READING = EXECUTE | READ | LIST
_MAKING = REMOVE_DIR | REMOVE_FILE | MAKE_DIR | MAKE_FILE | MAKE_SOCKET | MAKE_FIFO | MAKE_LINK | REFER
WRITING = READING | WRITE | TRUNCATE | _MAKING
OF_FILES = EXECUTE | WRITE | READ | TRUNCATE | DEVICE_CONTROL  # the rest is of folders, and refused for a file
_FILES = WRITING | MAKE_DEVICES


class Rules:
    """What stands on the command line of `confine`, read."""

    __slots__ = ("network", "port", "read", "shown", "takes", "write")

    def __init__(self, words: "list[str]") -> None:
        lists: dict[str, list[str]] = {}
        for word in words:
            name, _, value = word.partition("=")
            lists.setdefault(name, []).append(value)
        self.read, self.write, self.shown = (tuple(lists.get(name, ())) for name in ("read", "write", "shown"))
        self.network = lists["network"][0]
        self.port = int(lists["port"][0]) if lists["port"][0] else None
        self.takes = lists.get("takes", [""])[0] != "False"

    @property
    def open_network(self) -> bool:
        return self.network == "open"


def restrict(rules: Rules) -> None:
    """From now on this process, and all that it starts, has these rights and no others."""
    version = kernel.landlock_version()
    files = _FILES | (DEVICE_CONTROL if version >= 5 else 0)
    network = BIND | CONNECT if version >= 4 and not rules.open_network else 0
    ruleset = kernel.landlock_ruleset(files, network, ABSTRACT_SOCKETS | SIGNALS if version >= 6 else 0, version)
    for paths, rights in ((rules.read, READING), (rules.write, WRITING)):
        for path in paths:
            _grant(ruleset, path, rights & files)
    if network and rules.port is not None:
        kernel.landlock_port(ruleset, CONNECT, rules.port)
    kernel.landlock_restrict(ruleset)
    os.close(ruleset)


def _grant(ruleset: int, path: str, rights: int) -> None:
    handle = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        folder = stat.S_ISDIR(os.fstat(handle).st_mode)
        kernel.landlock_path(ruleset, rights if folder else rights & OF_FILES, handle)
    finally:
        os.close(handle)
