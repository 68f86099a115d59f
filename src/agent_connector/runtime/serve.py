"""`serve --connector <id> [--host <id>] -- <command...>`: stand between a host and its server and change nothing.

Two pumps pass every byte on, in order, before anything else happens. A copy goes to a measuring process, which counts
tokens and writes rows; it may be missing, slow or dead, and the traffic does not notice.
"""

import os
import sys

from agent_connector.home import paths
from agent_connector.runtime import codec
from agent_connector.telemetry.append import enabled

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal
    from collections.abc import Mapping, Sequence
    from typing import Any
else:
    import _signal as signal

USAGE = "usage: agent-connector serve --connector ID [--host ID] -- COMMAND [ARGUMENT ...]\n"
SERVED = "AGENT_CONNECTOR_SERVED"  # tells a server that counts itself that it is counted already
STARTER = "AGENT_CONNECTOR_SERVE_STARTER"  # the process that started us: the server is not its child
GRACE = "AGENT_CONNECTOR_SERVE_GRACE"  # seconds: the longest patience with a server that should end
NOT_FOUND, NOT_RUNNABLE, WRONG_USAGE = 127, 126, 2


class Call:
    """What the command line says."""

    __slots__ = ("command", "connector", "host", "url")

    def __init__(self) -> None:
        self.connector = ""
        self.host = ""
        self.url = ""
        self.command: list[str] = []


def main(arguments: "Sequence[str]") -> int:
    """Serve. Returns the exit code, after the server's own end."""
    call = parse(arguments)
    if call is None:
        os.write(2, USAGE.encode())
        return WRONG_USAGE
    root = paths.data_root(os.environ, os.path.expanduser("~"))
    if call.url:
        return bridge(root, arguments)
    manifest = load(root, call.connector)
    own = table(table(manifest.get("servers")).get(call.host))  # where the connector changes the server for this host
    if own:
        manifest = {**manifest, "server": own}
    environment, command, missing = resolve(manifest, call.command, os.environ)
    if missing:
        tell("not set, taken as empty: " + ", ".join(missing))
    environment[STARTER] = str(os.getppid())
    measuring = measurer(root, call, manifest)
    if measuring:
        environment[SERVED] = call.connector
    folder = table(manifest.get("server")).get("cwd")
    try:
        if folder:
            os.chdir(fill(folder, os.environ, []))
        return leave(run(command, environment, measuring))
    except OSError as error:
        tell("cannot start " + command[0] + ": " + (error.strerror or str(error)))
        return NOT_FOUND if isinstance(error, FileNotFoundError) else NOT_RUNNABLE


def parse(arguments: "Sequence[str]") -> "Call | None":
    """The command line's parts; None when they make no sense."""
    call, rest = Call(), list(arguments)
    while rest:
        word = rest.pop(0)
        if word == "--":
            call.command = rest
            break
        name, equals, value = word.partition("=")
        if name not in ("--connector", "--host", "--url", "--header", "--bearer", "--transport"):
            return None
        if not equals:
            if not rest:
                return None
            value = rest.pop(0)
        if name in ("--connector", "--host", "--url"):
            setattr(call, name[2:], value)
    return call if call.connector and bool(call.command) != bool(call.url) else None


def load(root: str, connector: str) -> "Mapping[str, Any]":
    """The connector's manifest; {} when it is missing or broken: the server is served all the same."""
    try:
        descriptor = os.open(paths.manifest(root, connector), os.O_RDONLY)
    except OSError:
        return {}
    try:
        parts: list[bytes] = []
        while part := os.read(descriptor, 1 << 16):
            parts.append(part)
        return codec.decode_object(b"".join(parts))
    except (OSError, ValueError):
        return {}
    finally:
        os.close(descriptor)


def table(value: object) -> "Mapping[str, Any]":
    """The value when it is a JSON object, else an empty one."""
    return value if isinstance(value, dict) else {}  # pyright: ignore[reportUnknownVariableType]


def resolve(
    manifest: "Mapping[str, Any]", command: "Sequence[str]", variables: "Mapping[str, str]"
) -> "tuple[dict[str, str], list[str], list[str]]":
    """(environment, command, names that are not set). What the host has resolved already stands as it is."""
    missing: list[str] = []
    environment = dict(variables)
    for name, value in table(table(manifest.get("server")).get("env")).items():
        given = variables.get(name)
        if given is None:
            environment[name] = fill(str(value), variables, missing)
    for name, value in list(environment.items()):
        if "${env:" in value:
            environment[name] = fill(value, variables, missing, skip=name)
    return environment, [fill(word, variables, missing) for word in command], missing


def fill(text: str, variables: "Mapping[str, str]", missing: "list[str]", skip: str = "") -> str:
    """`text` with each `${env:NAME}` and `${env:NAME:-default}` replaced."""
    out, rest = "", text
    while True:
        before, found, after = rest.partition("${env:")
        inside, closed, behind = after.partition("}")
        if not found or not closed:
            return out + rest
        name, has_default, default = inside.partition(":-")
        if not (name.isascii() and name.isidentifier()):  # no reference of ours: as `connector/interpolation.py` has it
            out += before + found
            rest = after
            continue
        value = variables.get(name) if name != skip else None
        if value is None and not has_default and name not in missing:
            missing.append(name)
        out += before + (value if value is not None else default)
        rest = behind


def measurer(root: str, call: Call, manifest: "Mapping[str, Any]") -> "list[str] | None":
    """The command of the measuring process; None when counting is switched off."""
    told = table(manifest.get("telemetry"))
    if not told.get("enabled", True) or not enabled(root, call.connector, "serve"):
        return None
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    script = os.path.join(package, "telemetry", "measure.py")
    options = [
        "root=" + root,
        "pump=" + str(os.getpid()),
        "connector=" + call.connector,
        "host=" + call.host,
        "family=" + (told.get("model_family") or ""),
        "store=" + (told.get("store") or "home"),
        "definitions=" + ("1" if told.get("measure_definitions", True) else "0"),
    ]
    return [interpreter(package), "-I", script, *options]


def interpreter(package: str) -> str:
    """The interpreter that has the tokenizer; else this one, which counts by the heuristic."""
    try:
        descriptor = os.open(os.path.join(os.path.dirname(package), "tools"), os.O_RDONLY)
    except OSError:
        return sys.executable
    try:
        named = os.read(descriptor, 4096).decode("utf-8", "surrogateescape").strip()
    finally:
        os.close(descriptor)
    return named if named and os.access(named, os.X_OK) else sys.executable


def run(command: "list[str]", environment: "dict[str, str]", measuring: "list[str] | None") -> int:
    """Serve with the means of this system."""
    try:
        grace = float(os.environ.get(GRACE, "3600"))
    except ValueError:
        grace = 3600.0
    if sys.platform == "win32":
        from agent_connector.runtime import pump_windows as system
    else:
        from agent_connector.runtime import pump_posix as system
    return system.run(command, environment, measuring, grace)


def leave(code: int) -> int:
    """The server's own end becomes ours: its exit code, or death by the same signal."""
    if code >= 0:
        return code
    if -code in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGKILL, signal.SIGPIPE):
        if -code != signal.SIGKILL:
            signal.signal(-code, signal.SIG_DFL)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, [-code])
        os.kill(os.getpid(), -code)
    return 128 - code  # signals that would leave a core file of ours: as shells tell them


def bridge(root: str, arguments: "Sequence[str]") -> int:
    """`serve --url`: become the bridge to a remote server, run by the interpreter that has the libraries."""
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    script = os.path.join(package, "telemetry", "bridge.py")
    program = interpreter(package)
    os.execv(program, [program, "-I", script, "root=" + root, *arguments])  # noqa: S606


def tell(text: str) -> None:
    """One line for the host's log of this server."""
    os.write(2, ("agent-connector: " + text + "\n").encode("utf-8", "replace"))
