"""macOS: `sandbox-exec` with a profile that denies all but what is listed.

Apple calls the program deprecated and ships it still; every browser on macOS stands on the same mechanism.
"""

import os
import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence

from agent_connector.worker.sandbox import system, trial
from agent_connector.worker.sandbox.policy import Policy, Probe, Wrapped

NAME = "seatbelt"
OWN_NETWORK = False
PROGRAM = "/usr/bin/sandbox-exec"  # never another of that name on the PATH
READABLE = (
    "/usr",
    "/bin",
    "/sbin",
    "/System",
    "/Library/Apple",
    "/Library/Developer/CommandLineTools",
    "/Applications/Xcode.app/Contents/Developer",
    "/opt/homebrew",
    "/private/etc/hosts",
    "/private/etc/localtime",
    "/private/etc/passwd",
    "/private/etc/protocols",
    "/private/etc/resolv.conf",
    "/private/etc/services",
    "/private/etc/shells",
    "/private/etc/ssl",
    "/private/var/db/timezone",
    "/private/var/select",
    "/dev/null",
    "/dev/random",
    "/dev/urandom",
    "/dev/zero",
)
# Asked by every program that looks up a user, a locale or a certificate. None of them gives out a secret or starts one.
SERVICES = (
    "com.apple.system.opendirectoryd.libinfo",
    "com.apple.system.opendirectoryd.membership",
    "com.apple.system.logger",
    "com.apple.system.notification_center",
    "com.apple.trustd.agent",
    "com.apple.cfprefsd.agent",
    "com.apple.cfprefsd.daemon",
    "com.apple.SystemConfiguration.configd",
)
_BASE = """\
(version 1)
(deny default)
(allow process-exec process-fork)
(allow process-info* (target same-sandbox))
(allow signal (target same-sandbox))
(allow sysctl-read)
(allow ipc-posix-sem)
(allow pseudo-tty)
(allow file-read-metadata)
(allow file-read* (literal "/"))
(allow file-write-data (literal "/dev/null") (literal "/dev/zero"))
(allow file-read* file-write* (literal "/dev/ptmx") (regex #"^/dev/ttys[0-9]+$"))"""


def probe() -> Probe:
    if sys.platform != "darwin":
        return Probe(False, "it exists on macOS only")
    if not os.path.exists(PROGRAM):
        return Probe(False, f"there is no {PROGRAM}")
    return trial.tried(wrap)


def wrap(argv: Sequence[str], policy: Policy, environment: Mapping[str, str]) -> Wrapped:
    program = shutil.which(argv[0], path=environment.get("PATH")) or argv[0]
    return Wrapped((PROGRAM, "-p", profile(policy), program, *argv[1:]), dict(environment))


def profile(policy: Policy) -> str:
    """The rules in order: the last that matches decides, so what is hidden stands at the end."""
    lines = [_BASE, f"(allow mach-lookup {' '.join(f'(global-name {_text(name)})' for name in SERVICES)})"]
    lines.append(f"(allow file-read* {_paths((*READABLE, *system.python_folders(), *policy.readable))})")
    lines.append(f"(allow file-read* file-write* {_paths(policy.changeable)})")
    lines.append(f"(allow network-outbound network-bind {_paths(policy.changeable, 'unix-socket')})")
    if policy.readable:
        lines.append(f"(allow network-outbound {_paths(policy.readable, 'unix-socket')})")
    if policy.network == "open":
        lines.append(
            '(allow network* (remote ip) (local ip))\n(allow network-outbound (literal "/private/var/run/mDNSResponder"))'
        )
    elif policy.proxied:
        lines.append(f'(allow network-outbound (remote ip "localhost:{policy.port}"))')
    if policy.hidden:
        lines.append(f"(deny file-read* file-write* {_paths(policy.hidden)})")
    return "\n".join(lines) + "\n"


def _paths(paths: Iterable[str], kind: str = "") -> str:
    """Each path without links: the kernel compares what a path leads to, and /tmp and /var are links on macOS."""
    found = [f"(subpath {_text(os.path.realpath(path))})" for path in paths]
    return " ".join(f"(remote {kind} {one})" for one in found) if kind else " ".join(found)


def _text(value: str) -> str:
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
