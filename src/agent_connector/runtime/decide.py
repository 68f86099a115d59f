"""From a host's payload to its reply: what `hook` does between its streams, and `simulate` without any.

payload -> event -> matchers -> handlers -> decisions -> reply. The author's code is loaded only when a matcher
catches the event. Nothing here reads stdin, prints or ends the process.
"""

import sys

from agent_connector.connector.light import Event
from agent_connector.connector.matching import matches
from agent_connector.home import paths, system
from agent_connector.hosts.nodes import Reply
from agent_connector.runtime import codec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from agent_connector.connector.light import Decision

    Entry = Mapping[str, Any]

_NAMES = ("name", "host", "host_event", "host_tool_name", "server", "tool_name")


class Run:
    """One event of one host for one connector: who asks, what the manifest says, and what has come of it.

    `due()` is called before the author's code is loaded, `failed(handler, what, error)` for all that went wrong.
    `pending` are the handlers that may still have to be asked: a guard among them denies when the run is given up.
    """

    __slots__ = (
        "connector",
        "decisions",
        "due",
        "event",
        "facet",
        "failed",
        "failures",
        "host",
        "host_event",
        "manifest",
        "matched",
        "named",
        "native",
        "pending",
        "root",
    )

    def __init__(
        self,
        root: str,
        host: str,
        host_event: str,
        connector: str,
        due: "Callable[[], None]" = lambda: None,
        failed: "Callable[[str, str, BaseException | None], None]" = lambda handler, what, error: None,
    ) -> None:
        self.root, self.host, self.host_event, self.connector = root, host, host_event, connector
        self.due = due
        self.failed = failed
        self.failures = 0
        self.facet: Any = None
        self.manifest: dict[str, Any] = {}
        self.native: Sequence[Entry] = ()
        self.pending: list[Entry] = []
        self.matched: Sequence[Entry] = ()
        self.decisions: list[Decision] = []
        self.event: Event | None = None
        self.named: tuple[object, ...] = ()  # the event's names, which handlers may have changed

    def fail(self, handler: str, what: str, error: "BaseException | None" = None) -> None:
        self.failures += 1
        self.failed(handler, what, error)


def facet(host: str, name: str) -> "Any":
    """A facet of a host by its module's name; ImportError when there is none."""
    module = f"agent_connector.hosts.{host.replace('-', '_')}.{name}"
    __import__(module)
    return sys.modules[module]


def read_manifest(root: str, connector: str) -> "dict[str, Any]":
    """The manifest; OSError when the connector is not installed, ValueError when the file is damaged."""
    with open(paths.manifest(root, connector), "rb", buffering=0) as stream:
        return codec.decode_object(stream.read())


def prepare(run: Run) -> None:
    """Find the host's facet and the handlers that this event may concern."""
    run.facet = facet(run.host, "hooks")
    acting = getattr(run.facet, "acting", None)  # of hosts that load one and the same file
    if acting is not None and (host := acting(system.variables())) != run.host:
        run.host, run.facet = host, facet(host, "hooks")
    run.manifest = read_manifest(run.root, run.connector)
    run.native = run.manifest["native_hooks"].get(run.host, {}).get(run.host_event, ())
    run.pending = [entry for name in _names(run) for entry in entries(run.manifest, run.host, name)]
    run.pending += run.native


def _names(run: Run) -> "list[str]":
    """The normalized events that the host's event may be: a host may have one for two of ours."""
    return [name for name, host_event in run.facet.EVENTS.items() if host_event == run.host_event]


def entries(manifest: "Mapping[str, Any]", host: str, event: str) -> "Sequence[Entry]":
    """The handlers of a normalized event: the host's own ones stand in for the general ones."""
    own = manifest["hooks"].get(host, {})
    return own[event] if event in own else manifest["hooks"].get("*", {}).get(event, ())


def decide(run: Run, raw: "dict[str, Any]") -> "Reply | None":
    """The reply to the payload `raw`; None when it concerns no handler."""
    names = {run.connector, run.manifest["server_name"] or run.connector}
    event = run.facet.parse(run.host_event, raw, sorted(names))
    if event.host != run.host:  # of hosts that load one and the same file, the payload may tell which it is
        run.host, run.facet = event.host, facet(event.host, "hooks")
        run.native = run.manifest["native_hooks"].get(run.host, {}).get(run.host_event, ())
    if event.server in names:
        event.server = run.connector
    run.event, run.named = event, tuple(getattr(event, slot) for slot in _NAMES)
    rules = entries(run.manifest, run.host, event.name)
    restore = getattr(run.facet, "restore", None)  # of hosts that change the names of tools
    if restore is not None:
        restore(event, [entry["matcher"] for entry in rules], run.connector)
    run.matched = [entry for entry in rules if matches(entry["matcher"], event, run.connector)]
    run.pending = [*run.matched, *run.native]
    if not run.pending or _is_anothers(run, event, raw):
        run.pending, run.matched, run.native = [], (), ()
        return None
    run.due()
    return _consult(run, event, raw)


def _is_anothers(run: Run, event: Event, raw: "Mapping[str, Any]") -> bool:
    """True when another host of this connector, which loads this one's hook file too, answers this event."""
    shared = run.manifest.get("shares_hooks")
    if not shared or run.host not in shared:
        return False
    loaded_by = getattr(run.facet, "loaded_by", None)
    if loaded_by is not None and loaded_by(raw, system.variables()) in shared:
        return True
    from agent_connector.runtime import claims

    return claims.is_taken(run.root, run.connector, run.host, event)


def _consult(run: Run, event: Event, raw: object) -> Reply:
    """Ask the normalized handlers, then, unless one has denied, the native ones: their answer goes out verbatim."""
    from agent_connector.runtime import declaration, handlers

    connector = declaration.load(run.root, run.manifest)
    handlers.consult(run, connector, event)
    if run.native and not any(decision.kind == "deny" for decision in run.decisions):
        said = handlers.consult_native(run, connector, raw)
        if said is not None:
            return verbatim(said)
    return reply(run, event)


def reply(run: Run, event: Event) -> Reply:
    """The decisions of `run` as one reply; one without any is neutral."""
    _as_named(run)
    if not run.decisions:
        return run.facet.reply(event, None)
    together = run.facet.reply(event, run.decisions[0])
    for decision in run.decisions[1:]:
        together = _joined(together, run.facet.reply(event, decision))
    return together


def _as_named(run: Run) -> None:
    """Handlers share one event; what the host is answered by must still be what it said."""
    for slot, name in zip(_NAMES, run.named):  # noqa: B905  # one of them is empty before the event is read
        setattr(run.event, slot, name)


def _joined(one: Reply, other: Reply) -> Reply:
    """Two replies as one; where both say something in the same place, `one` counts."""
    if one.output is None:
        return Reply(other.output, one.exit_code or other.exit_code, one.stderr or other.stderr)
    if isinstance(one.output, dict) and isinstance(other.output, dict):
        return Reply(_merged(one.output, other.output), one.exit_code, one.stderr or other.stderr)
    return one


def _merged(one: "Mapping[str, Any]", other: "Mapping[str, Any]") -> "dict[str, object]":
    merged: dict[str, Any] = {**other, **one}
    for key in one.keys() & other.keys():
        if isinstance(one[key], dict) and isinstance(other[key], dict):
            merged[key] = _merged(one[key], other[key])
    return merged


def verbatim(said: object) -> Reply:
    """What a native handler answered, as it is."""
    return said if isinstance(said, Reply) else Reply(said)  # type: ignore[arg-type]


def give_up(run: Run) -> "Reply | None":
    """The reply when not all could be asked, or what they said has no form: a guard among them denies."""
    for entry in run.pending or run.matched:
        if entry["on_error"] == "deny":
            return refuse(run, entry)
    return None if run.event is None or not run.decisions else reply(run, run.event)


def refuse(run: Run, entry: "Entry") -> Reply:
    """The denial of the guard `entry`, also for a payload that could not be read."""
    from agent_connector.runtime import handlers

    _as_named(run)
    denial = handlers.refusal(run.connector, entry)
    name = next(iter(_names(run)), run.host_event)
    return run.facet.reply(run.event or Event(name, run.host, run.host_event, {}), denial)


def rendered(run: Run, answer: "Reply | None") -> bytes:
    """What goes to stdout; the host's neutral text when nothing is said."""
    if answer is None or answer.output is None:
        at: Mapping[str, str] = getattr(run.facet, "NEUTRAL_AT", {})  # of hosts in which it is not the same everywhere
        return at.get(run.host_event, run.facet.NEUTRAL).encode()
    if isinstance(answer.output, str):
        return answer.output.encode("utf-8", "replace")
    return codec.encode(answer.output)
