"""A container of Docker or Podman around a run. Needs an image that holds the host's program.

AGENT_CONNECTOR_SANDBOX_IMAGE names it; with the network `model` or `hosts` it needs a `python3`, too. It is ended by name,
since the end of the client alone leaves a container running.
"""

import os
import secrets
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence

from agent_connector.errors import SandboxError
from agent_connector.worker.sandbox.policy import Policy, Probe, Wrapped

NAME = "container"
OWN_NETWORK = True
PROGRAMS = ("podman", "docker")
IMAGE = "AGENT_CONNECTOR_SANDBOX_IMAGE"
INSIDE = "/run/agent-connector"
SECONDS = 60.0
_FORWARD = os.path.join(os.path.dirname(__file__), "forward.py")
_SHUT = ("--read-only", "--cap-drop=ALL", "--security-opt=no-new-privileges", "--pids-limit=4096", "--ipc=private")


def probe() -> Probe:
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if program is None:
        return Probe(False, "there is neither podman nor docker")
    if not os.environ.get(IMAGE):
        return Probe(False, f"{IMAGE} names no image; it must hold the host's program")
    with tempfile.TemporaryDirectory(prefix="agent-connector-") as folder:
        wrapped = wrap(["/bin/sh", "-c", "exit 0"], Policy(folder, folder), {"HOME": folder})
        try:
            done = subprocess.run(
                wrapped.argv, env=dict(wrapped.environment), capture_output=True, timeout=SECONDS, check=False
            )
        except subprocess.TimeoutExpired:
            subprocess.run(wrapped.after, capture_output=True, timeout=SECONDS, check=False)
            return Probe(False, f"a command inside did not end within {SECONDS:.0f} s")
    words = done.stderr.decode("utf-8", "replace").strip().splitlines()
    return Probe(done.returncode == 0, "" if done.returncode == 0 else (words or ["it fails without a word"])[-1])


def wrap(argv: Sequence[str], policy: Policy, environment: Mapping[str, str]) -> Wrapped:
    program = next(filter(None, map(shutil.which, PROGRAMS)), PROGRAMS[-1])
    return command(program, os.environ.get(IMAGE, ""), argv, policy, environment)


def command(program: str, image: str, argv: Sequence[str], policy: Policy, environment: Mapping[str, str]) -> Wrapped:
    """The client's command. Values of variables go by the client's own environment, so no list of processes shows them."""
    if not image:
        raise SandboxError(
            f"{IMAGE} names no image", where="sandbox.kind", remedy="name one that holds the host's program"
        )
    name = f"agent-connector-{secrets.token_hex(8)}"
    line = [
        program,
        "run",
        "--rm",
        "--interactive",
        "--init",
        f"--name={name}",
        *_SHUT,
        f"--user={os.getuid()}:{os.getgid()}",
    ]
    if os.path.basename(program) == "podman":
        line.append("--userns=keep-id")
    line += ["--tmpfs=/tmp:rw,exec,mode=1777", f"--network={'bridge' if policy.network == 'open' else 'none'}"]
    line += _mounts(policy)
    line += [f"--env={variable}" for variable in sorted(environment) if variable != "PATH"]
    line += [f"--workdir={policy.workspace}", f"--entrypoint={'python3' if _forwarded(policy) else argv[0]}", image]
    helper = ["-I", "-S", f"{INSIDE}/forward.py", str(policy.port), f"{INSIDE}/egress.sock", "--", argv[0]]
    line += [*(helper if _forwarded(policy) else ()), *argv[1:]]
    passed = {
        variable: value for variable, value in os.environ.items() if variable.startswith(("DOCKER_", "XDG_RUNTIME"))
    }
    client = {
        "PATH": os.environ.get("PATH", os.defpath),
        **passed,
        **{k: v for k, v in environment.items() if k != "PATH"},
    }
    return Wrapped(tuple(line), client, after=(program, "rm", "--force", name))


def _forwarded(policy: Policy) -> bool:
    return policy.proxied and policy.socket is not None


def _mounts(policy: Policy) -> list[str]:
    folders = {os.path.realpath(path): "ro" for path in policy.readable}
    folders |= {os.path.realpath(path): "rw" for path in policy.changeable}
    line = [_mount(path, path, mode) for path, mode in sorted(folders.items())]
    if _forwarded(policy):
        line += [
            _mount(_FORWARD, f"{INSIDE}/forward.py", "ro"),
            _mount(str(policy.socket), f"{INSIDE}/egress.sock", "rw"),
        ]
    for path in policy.hidden:
        real = os.path.realpath(path)
        line.append(f"--tmpfs={real}:ro" if os.path.isdir(real) else _mount("/dev/null", real, "ro"))
    return line


def _mount(source: str, target: str, mode: str) -> str:
    if "," in source + target:  # it would be read as another option
        raise SandboxError(f"a container cannot be given {source}: its name has a comma", where="sandbox")
    return f"--mount=type=bind,source={source},target={target}{',readonly' if mode == 'ro' else ''}"
