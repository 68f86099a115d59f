"""Anthropic's sandbox-runtime, `srt` (npm: @anthropic-ai/sandbox-runtime): bubblewrap or Seatbelt with settings in JSON.

Its settings are denials of reading with exceptions, so all is denied first. It has proxies of its own, which are given no
host: a run's way to the model is our forwarder inside, as under bubblewrap. It tells programs of its proxies in variables,
over ours, so `hosts` cannot be had.
"""

import json
import os
import shutil
import sys
import tempfile
from collections.abc import Mapping, Sequence

from agent_connector.errors import SandboxError
from agent_connector.worker.sandbox import system, trial
from agent_connector.worker.sandbox.policy import Policy, Probe, Wrapped

NAME = "srt"
OWN_NETWORK = True
PROGRAM = "srt"
_FORWARD = os.path.join(os.path.dirname(__file__), "forward.py")


def probe() -> Probe:
    if sys.platform == "win32":
        return Probe(False, "here it runs what it starts as another user, who cannot write a run's folders")
    if shutil.which(PROGRAM) is None:
        return Probe(False, "there is no program `srt`; npm install -g @anthropic-ai/sandbox-runtime")
    return trial.tried(wrap)


def wrap(argv: Sequence[str], policy: Policy, environment: Mapping[str, str]) -> Wrapped:
    if policy.network in ("hosts", "open") or (policy.proxied and not sys.platform.startswith("linux")):
        raise SandboxError(f"srt cannot do the network policy {policy.network!r} here", where="sandbox.network")
    inner = list(argv)
    if policy.proxied and policy.socket:
        inner = [system.python(), "-I", "-S", _FORWARD, str(policy.port), policy.socket, "--", *inner]
    file, path = tempfile.mkstemp(prefix="agent-connector-", suffix=".json")  # beside the run, which must not change it
    with open(file, "w") as stream:
        json.dump(settings(policy), stream)
    program = shutil.which(PROGRAM) or PROGRAM
    return Wrapped(
        (program, "--settings", path, "--", *inner), dict(environment), monitor=True, after=("rm", "-f", path)
    )


def settings(policy: Policy) -> dict[str, object]:
    shown = [*system.FOLDERS, *system.etc(), *system.python_folders(), "/dev", "/proc", _FORWARD, *policy.shown]
    program = os.path.realpath(shutil.which(PROGRAM) or PROGRAM)
    shown.append(os.path.dirname(os.path.dirname(program)))  # it starts a helper of its own inside
    readable = [os.path.realpath(path) for path in (*shown, *filter(None, [policy.socket])) if os.path.exists(path)]
    return {
        "network": {"allowedDomains": [], "deniedDomains": [], "allowAllUnixSockets": policy.proxied},
        "filesystem": {
            "denyRead": ["/", *map(os.path.realpath, policy.hidden)],
            "allowRead": list(dict.fromkeys(readable)),
            "allowWrite": [os.path.realpath(path) for path in policy.changeable],
            "denyWrite": [os.path.realpath(path) for path in policy.hidden],
        },
    }
