"""Linux namespaces through `bwrap`: a file system made of the listed folders alone, own processes, own network.

What is not mounted does not exist inside. The run is process 1's child in a PID namespace that dies with the worker.
"""

import os
import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence

from agent_connector.worker.sandbox import system, trial
from agent_connector.worker.sandbox.policy import Policy, Probe, Wrapped

NAME = "bubblewrap"
OWN_NETWORK = True
PROGRAM = "bwrap"
INSIDE = "/run/agent-connector"  # where our own files are for a run
_FORWARD = os.path.join(os.path.dirname(__file__), "forward.py")
_RESOLVER = os.path.join(os.path.dirname(__file__), "resolv.conf")  # some wait 5 s for a server that is not there
_NAMES = "/etc/resolv.conf"
_NAMESPACES = ("--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try")
_BASE = ("--die-with-parent", "--new-session", "--cap-drop", "ALL", "--hostname", "sandbox")


def probe() -> Probe:
    if not sys.platform.startswith("linux"):
        return Probe(False, "it exists on Linux only")
    if shutil.which(PROGRAM) is None:
        return Probe(False, "there is no program `bwrap`; install the package bubblewrap")
    found = trial.tried(wrap)
    if not found.ok and ("ermission" in found.why or "ot permitted" in found.why):
        return Probe(False, f"{found.why} (user namespaces seem to be forbidden here)")
    return found


def wrap(argv: Sequence[str], policy: Policy, environment: Mapping[str, str]) -> Wrapped:
    line = [shutil.which(PROGRAM) or PROGRAM, *_NAMESPACES, *_BASE]
    if policy.network != "open":
        line.append("--unshare-net")
    line += [*_system(policy.network == "open"), *_folders(policy)]
    inner = list(argv)
    if policy.proxied and policy.socket:
        line += ["--ro-bind", _FORWARD, f"{INSIDE}/forward.py", "--ro-bind", policy.socket, f"{INSIDE}/egress.sock"]
        helper = [system.python(), "-I", "-S", f"{INSIDE}/forward.py", str(policy.port), f"{INSIDE}/egress.sock"]
        inner = [*helper, "--", *inner]
    return Wrapped((*line, "--remount-ro", "/", "--", *inner), dict(environment), monitor=True)


def _system(open_network: bool) -> list[str]:
    """Programs and libraries, a /proc of the run's own processes, and scratch folders that vanish with it."""
    line = ["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--tmpfs", "/var/tmp", "--dir", "/run"]  # noqa: S108
    for folder in system.FOLDERS:
        if os.path.islink(folder):  # /bin is usr/bin on most systems
            line += ["--symlink", os.readlink(folder), folder]
        elif os.path.isdir(folder):
            line += ["--ro-bind", folder, folder]
    sources = {path: os.path.realpath(path) for path in (*system.etc(), *system.python_folders())}
    if not open_network:
        sources[_NAMES] = _RESOLVER
    return line + [word for path, source in sources.items() for word in ("--ro-bind", source, path)]


def _folders(policy: Policy) -> list[str]:
    """The policy's folders, outer before inner, so that each is mounted over what holds it."""
    steps: dict[str, list[str]] = {}
    for flag, paths in (("--ro-bind", policy.readable), ("--bind", policy.changeable)):
        for path in paths:
            real = os.path.realpath(path)
            steps[real] = [flag, real, real]
    links = _links(policy.shown, steps)
    for path in policy.hidden:
        real = os.path.realpath(path)
        if system.inside(real, tuple(steps)) and os.path.exists(real):
            steps[real] = (
                ["--tmpfs", real, "--remount-ro", real] if os.path.isdir(real) else ["--ro-bind", "/dev/null", real]
            )
    ordered = sorted(steps, key=lambda path: path.count("/"))
    return [word for path in ordered for word in steps[path]] + links


def _links(paths: Iterable[str], mounted: Mapping[str, object]) -> list[str]:
    """A path that is a link, or lies behind one, is there under its own name too."""
    there = (*mounted, *system.FOLDERS, *system.python_folders())
    line: list[str] = []
    for path in dict.fromkeys(os.path.abspath(path) for path in paths):
        if path not in there and not system.inside(path, there):
            line += ["--symlink", os.path.realpath(path), path]
    return line
