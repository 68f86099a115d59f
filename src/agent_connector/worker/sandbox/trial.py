"""One trial for every kind: run a real command inside, see that it runs and that a file outside stays shut to it."""

import os
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence

from agent_connector.errors import SandboxError
from agent_connector.worker.sandbox.policy import Policy, Probe, Wrapped

Wrap = Callable[[Sequence[str], Policy, Mapping[str, str]], Wrapped]
SECONDS = 15.0
_TEXT = 'cat own || exit; if cat "$1" >/dev/null 2>&1; then echo open; else echo shut; fi'


def tried(wrap: Wrap) -> Probe:
    """What came of the trial, with the kind's own words when it fails."""
    with tempfile.TemporaryDirectory(prefix="agent-connector-") as folder:
        workspace, home = os.path.join(folder, "workspace"), os.path.join(folder, "home")
        outside = os.path.join(folder, "outside")
        os.mkdir(workspace)
        os.mkdir(home)
        for path, text in ((outside, "not for a run"), (os.path.join(workspace, "own"), "")):
            with open(path, "w") as file:
                file.write(text)
        policy = Policy(workspace, home)
        environment = {"PATH": os.environ.get("PATH", os.defpath), "HOME": home}
        try:
            wrapped = wrap(["/bin/sh", "-c", _TEXT, "sh", outside], policy, environment)
            done = subprocess.run(
                wrapped.argv,
                cwd=workspace,
                env=dict(wrapped.environment),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=SECONDS,
                check=False,
            )
        except SandboxError as error:
            return Probe(False, error.what)
        except OSError as error:
            return Probe(False, f"it cannot be started: {error.strerror or error}")
        except subprocess.TimeoutExpired:
            return Probe(False, f"a command inside did not end within {SECONDS:.0f} s")
        if wrapped.after:
            subprocess.run(wrapped.after, capture_output=True, timeout=SECONDS, check=False)
    return _read(done)


def _read(done: "subprocess.CompletedProcess[bytes]") -> Probe:
    said = done.stdout.decode("utf-8", "replace").strip()
    if done.returncode == 0 and said == "shut":
        return Probe(True)
    if said == "open":
        return Probe(False, "a file outside could be read from inside")
    words = done.stderr.decode("utf-8", "replace").strip().splitlines()
    return Probe(False, words[-1] if words else f"a command inside ended with exit code {done.returncode}")
