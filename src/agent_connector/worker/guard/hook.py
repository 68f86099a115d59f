"""The guard as a host runs it before each tool call: `run(POLICY)` in a Python of its own, the payload on stdin.

It fails closed: whatever goes wrong ends it with a code other than 0, and the command that the host has registered turns
that into a denial in the host's own words. It lives only as long as its alarm. Denials go to the worker over a socket;
where nobody listens there, nothing is allowed.
"""

import os
import sys
from _socket import AF_UNIX, SOCK_STREAM, socket

from agent_connector.hosts.dialects.values import mapping
from agent_connector.runtime import codec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from signal import SIG_DFL, SIGALRM, alarm, signal
    from typing import Any
else:  # the other one doubles the time of a start
    from _signal import SIG_DFL, SIGALRM, alarm, signal

SECONDS = 45  # for one call, below what hosts wait
LONGEST = 32 << 20  # bytes of a payload
SCRIPT = 256 << 10  # of a script that is looked at


def main(path: str) -> int:
    signal(SIGALRM, SIG_DFL)
    alarm(SECONDS)
    with open(path, "rb") as file:
        policy = codec.decode_object(file.read())
    _packages(policy["packages"])
    from agent_connector.worker.guard import tools
    from agent_connector.worker.guard.values import rules_of

    channel = socket(AF_UNIX, SOCK_STREAM)
    channel.settimeout(10.0)
    channel.connect(policy["channel"])
    raw = codec.decode_object(_payload())
    hooks = __import__(f"agent_connector.hosts.{policy['host'].replace('-', '_')}.hooks", fromlist=["parse"])
    event = hooks.parse(policy["event"], raw, policy["rules"]["servers"])
    name = event.host_tool_name or event.tool_name
    if not isinstance(name, str) or not name:
        raise ValueError("the payload names no tool")
    cwd = os.path.realpath(event.cwd) if isinstance(event.cwd, str) and os.path.isabs(event.cwd) else None
    rules = rules_of(policy["rules"], os.path.realpath, _text, cwd)
    arguments = mapping(event.tool_input)
    tool = event.tool_name if event.server is not None else name
    verdict = tools.judge(policy["host"], tool, arguments, rules, event.server)
    if not verdict.allowed:
        told = {
            "rule": verdict.rule,
            "reason": verdict.reason,
            "tool": name,
            "command": tools.shown(name, arguments)[:4000],
        }
        channel.sendall(codec.encode(told) + b"\n")
    channel.close()
    return _answer(policy, hooks, event, verdict)


def _packages(folders: "list[str]") -> None:
    """The parser's two packages, of which only the compiled module is wanted: the rest takes longer than all of ours."""
    sys.path += folders
    for name in ("tree_sitter", "tree_sitter_bash"):
        place = next(folder for folder in folders if os.path.isdir(os.path.join(folder, name)))
        package = type(sys)(name)
        package.__path__ = [os.path.join(place, name)]
        sys.modules[name] = package


def _answer(policy: "dict[str, Any]", hooks: "Any", event: "Any", verdict: "Any") -> int:
    """In the host's own dialect, or in that of our own plugin. Everything at once, at the very end."""
    from agent_connector.connector.light import deny

    reason = f"Denied by the worker's guard ({verdict.rule}): {verdict.reason}"
    if policy["plugin"]:
        _say(1, codec.encode({"guard": "allowed"} if verdict.allowed else {"guard": "denied", "reason": reason}))
        return 0
    if verdict.allowed:
        _say(1, getattr(hooks, "NEUTRAL_AT", {}).get(policy["event"], hooks.NEUTRAL))
        return 0
    reply = hooks.reply(event, deny(reason))
    if reply.stderr:
        _say(2, reply.stderr)
    if reply.output is not None:
        _say(1, reply.output if isinstance(reply.output, str) else codec.encode(reply.output))
    return reply.exit_code


def _payload() -> bytes:
    pieces: list[bytes] = []
    size = 0
    while piece := os.read(0, 1 << 16):
        size += len(piece)
        if size > LONGEST:
            raise ValueError("the payload is too long")
        pieces.append(piece)
    return b"".join(pieces)


def _text(path: str) -> "str | None":
    """The text of a script; None where there is none, or where it is no text."""
    try:
        with open(path, "rb") as file:
            data = file.read(SCRIPT + 1)
    except OSError:
        return None
    return data.decode("utf-8", "replace") if len(data) <= SCRIPT else None


def _say(stream: int, text: "str | bytes") -> None:
    data = text.encode() if isinstance(text, str) else text
    while data:
        data = data[os.write(stream, data) :]


def run(path: str) -> None:
    """Judge one call and end the process."""
    try:
        code = main(path)
    except BaseException as error:  # noqa: BLE001 - whatever it is, the call is denied
        os.write(2, f"agent-connector guard: {type(error).__name__}: {error}\n".encode("utf-8", "replace"))
        code = 70
    os._exit(code)
