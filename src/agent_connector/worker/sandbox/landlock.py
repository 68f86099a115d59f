"""Linux without namespaces: Landlock for files and ports, a filter for system calls, a broker for connections.

It works where user namespaces are forbidden, as in most containers. What it cannot do: hide the names and sizes of files
outside, or the processes of the machine; keep a run from changing the mode of a file that it owns.
"""

import os
import platform
import sys
from collections.abc import Mapping, Sequence
from typing import cast

from agent_connector.errors import SandboxError
from agent_connector.worker.sandbox import system, trial
from agent_connector.worker.sandbox.policy import Policy, Probe, Wrapped

NAME = "landlock"
OWN_NETWORK = False
_MACHINES = ("x86_64", "aarch64")
# What a version of the kernel's interface does not have yet.
_LACKS = ((4, "the kernel checks no ports (our filter does)"), (6, "a run can signal your other processes"))


def probe() -> Probe:
    if not sys.platform.startswith("linux"):
        return Probe(False, "it exists on Linux only")
    if platform.machine() not in _MACHINES:
        return Probe(
            False, f"system calls of a {platform.machine()} are not known here, only of {' and '.join(_MACHINES)}"
        )
    from agent_connector.worker.sandbox import kernel, rights

    version = kernel.landlock_version()
    if version == 0:
        return Probe(False, "the kernel has no Landlock, or it is switched off (it is in Linux 5.13 and newer)")
    if version < rights.NEEDED:
        return Probe(
            False, f"the kernel's Landlock is version {version}; 3 is needed to protect files outside (Linux 6.2)"
        )
    found = trial.tried(wrap)
    lacks = [what for since, what in _LACKS if version < since]
    return Probe(True, f"Landlock {version}: {'; '.join(lacks)}") if found.ok and lacks else found


def wrap(argv: Sequence[str], policy: Policy, environment: Mapping[str, str]) -> Wrapped:
    return Wrapped((*system.helper("confine"), *words(rules(policy)), "--", *argv), dict(environment), monitor=True)


def words(rules: Mapping[str, object]) -> list[str]:
    """The rules for a command line: `name=value`, a list as several."""
    line: list[str] = []
    for name, value in rules.items():
        values = cast("list[str]", value) if isinstance(value, list) else [value]
        line += [f"{name}={'' if one is None else one}" for one in values]
    return line


def rules(policy: Policy) -> dict[str, object]:
    """What the launcher has to know. Landlock can only add to what is shown, so nothing in it can be hidden."""
    shown = [os.path.realpath(path) for path in policy.shown if os.path.exists(path)]
    for path in policy.hidden:
        if os.path.exists(path) and system.inside(os.path.realpath(path), tuple(shown)):
            why = f"landlock cannot hide {path}, which lies in a folder that the run is shown"
            raise SandboxError(why, where="sandbox", remedy="use bubblewrap, or show the folders beside it one by one")
    if not os.path.isdir(policy.workspace):
        raise SandboxError(f"there is no folder {policy.workspace}", where="sandbox")
    folders = [folder for folder in system.FOLDERS if os.path.isdir(folder)]
    read = [*folders, *system.etc(), *system.python_folders(), "/proc", *policy.readable]
    return {
        "read": [os.path.realpath(path) for path in read if os.path.exists(path)],
        "write": [*(os.path.realpath(path) for path in policy.changeable if os.path.exists(path)), *system.DEVICES],
        "shown": shown,
        "port": policy.port if policy.proxied else None,
        "network": policy.network,
    }
