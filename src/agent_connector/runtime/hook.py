"""`hook <host> <event> --connector <id>`: what a host starts at each of its events.

It fails open and quietly: whatever goes wrong, the host gets its neutral reply and `hooks.log` gets a line; only a
guard (`on_error="deny"`) turns that into a denial. An event that no matcher catches leaves no trace at all.
The process ends without tearing the interpreter down, which alone would take as long as all the rest.
"""

import sys
import time

from agent_connector.home import paths, system
from agent_connector.home.system import calls
from agent_connector.runtime import channel, codec, deadline, decide

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import NoReturn

    from agent_connector.connector.light import Event
    from agent_connector.hosts.nodes import Reply

_NAMING = ("cwd", "host_event", "host_tool_name", "model", "name", "session_id", "tool_name", "transcript_path")
DIED = "AGENT_CONNECTOR_DIED"  # set by the launcher: the exit code of the process that did not answer this event
_ENDS = (("threading", "_shutdown"), ("atexit", "_run_exitfuncs"))
# When the host's own module cannot be loaded: what no host takes amiss, and for the one that takes it for a denial, more.
_UNKNOWN = b"{}"
_ALLOWING = {("antigravity", "PreToolUse"): b'{"decision":"allow"}'}


class _Process:
    """This process: what it has answered so far, and how it ends."""

    __slots__ = ("answered", "code", "own", "run", "sent", "size", "started")

    def __init__(self, host: str, host_event: str, connector: str) -> None:
        root = paths.data_root(system.variables(), system.person_home())
        self.started = time.perf_counter()
        self.run = decide.Run(root, host, host_event, connector, channel.divert, self.note)
        self.own = calls.getpid()
        self.answered, self.code, self.size, self.sent = False, 0, 0, 0

    def note(self, handler: str, what: str, error: "BaseException | None" = None) -> None:
        if calls.getpid() == self.own:
            from agent_connector.runtime import log

            run = self.run
            about = {"connector": run.connector, "host": run.host, "event": run.host_event, "handler": handler}
            log.note(run.root, "hook", what, error, _content(run.event) if error and run.event else (), **about)

    def answer(self, reply: "Reply | None") -> None:
        """Send the reply. In a child that a handler has forked nothing is sent: its parent answers."""
        run = self.run
        unknown = _ALLOWING.get((run.host, run.host_event), _UNKNOWN)
        data = decide.rendered(run, reply) if run.facet is not None else unknown
        if calls.getpid() != self.own:
            calls._exit(0)
        self.answered, self.sent = True, len(data)
        if reply is not None:
            self.code = reply.exit_code
            channel.complain(reply.stderr)
        channel.send(data)

    def give_up(self, handler: str, what: str, error: "BaseException | None" = None) -> None:
        """Answer although not everything that was due could be done."""
        self.run.fail(handler, what, error)
        if self.answered:
            return
        try:
            self.answer(decide.give_up(self.run))
        except Exception as broken:  # noqa: BLE001  # the host's own reply cannot be made: its neutral one can
            self.run.fail("", "the reply could not be made", broken)
            self.answer(None)

    def expired(self) -> "NoReturn":
        """The time limit is over; called between two steps of whatever is going on."""
        try:
            if self.run.event is None:
                self.give_up("", "the payload did not end in time")
            else:
                self.give_up(self.run.pending[0]["name"] if self.run.pending else "", "was not done in time")
        finally:
            calls._exit(self.code)


def main(arguments: "Sequence[str]") -> "NoReturn":
    """Answer the host and end the process."""
    process = _Process(*_names(arguments))
    try:
        _answer(process)
    except BaseException as error:  # noqa: BLE001  # the top level: the host gets an answer whatever it is
        process.give_up("", "the event could not be handled", error)
    if process.run.matched or process.run.native:
        _settle(process)
    calls._exit(process.code)


def _names(arguments: "Sequence[str]") -> "tuple[str, str, str]":
    """(host, event, connector) of `<host> <event> --connector <id>`; what is missing is an empty text."""
    words = [*arguments[:2], "", ""]
    connector = ""
    if "--connector" in arguments:
        connector = "".join(arguments[arguments.index("--connector") + 1 :][:1])
    return words[0], words[1], connector


def _answer(process: _Process) -> None:
    run = process.run
    try:
        decide.prepare(run)
    finally:  # stdin is read to its end whatever happens: a host may not bear a closed pipe
        limit = max((entry["timeout"] for entry in run.pending), default=deadline.DEFAULT)
        deadline.arm(deadline.below(limit), process.expired)
        data = channel.receive()
    if (code := system.variables().get(DIED)) is not None:
        raise RuntimeError(f"the author's code ended the process (exit code {code}) before there was an answer")
    if data is None:
        raise ValueError(f"the payload is larger than {channel.LIMIT} bytes")
    process.size = len(data)
    process.answer(decide.decide(run, codec.decode_object(data)))


def _content(event: "Event") -> "set[str]":
    """Every text of the payload but those that only name things: what a log must not keep."""
    found: set[str] = set()
    rest: list[object] = [event.raw, event.tool_input, event.tool_output]
    while rest:
        value = rest.pop()
        if isinstance(value, str):
            found.add(value)
        elif isinstance(value, dict):
            rest += value.values()
        elif isinstance(value, list):
            rest += value
    return found.difference(getattr(event, name) for name in _NAMING if isinstance(getattr(event, name), str))


def _settle(process: _Process) -> None:
    """What comes after the reply: the telemetry row, and the ends that the author's code has asked for."""
    try:
        _count(process)
        ends = [getattr(sys.modules[module], name) for module, name in _ENDS if module in sys.modules]
        if ends:
            _end(process.run.root, ends)
    except BaseException as error:  # noqa: BLE001  # an exit handler of the author's; the reply is out
        process.note("", "failed after its reply", error)


def _end(root: str, ends: "Sequence[Callable[[], object]]") -> None:
    """Run the ends. A mark tells the launcher, should one of them crash this process, that there is an answer."""
    mark = f"{root}/answered.{calls.getppid()}"
    calls.close(calls.open(mark, calls.O_CREAT | calls.O_WRONLY, 0o600))
    try:
        for end in ends:
            end()
    finally:
        calls.unlink(mark)


def _count(process: _Process) -> None:
    from agent_connector.telemetry import append

    run, event = process.run, process.run.event
    settings = run.manifest["telemetry"]
    if event is None or not settings["enabled"] or not append.enabled(run.root, run.connector, "hook"):
        return
    folder = _folder(event.cwd)
    project, name = append.project(folder)
    book = append.repository(folder)[0] + "/.agent-connector" if settings["store"] == "project" else ""
    row = {
        "scope": "hook",
        "connector": run.connector,
        "host": run.host,
        "surface": "hooks" if run.matched else "native_hooks",
        "tool": event.tool_name or event.name,
        "session": event.session_id,
        "project": project,
        "project_name": name,
        "in": append.estimate(process.size),
        "out": append.estimate(process.sent),
        "source": "heuristic",
        "ms": (time.perf_counter() - process.started) * 1000,
        "error": run.failures,
    }
    append.append(run.root, row, book)


def _folder(said: object) -> str:
    """The folder that the event is about, else this process's own, which may have been removed."""
    if isinstance(said, str) and said:
        return said
    try:
        return calls.getcwd()
    except OSError:
        return "/"
