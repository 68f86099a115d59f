"""Asks the author's handlers of one event, in the order of their declaration, and makes one answer of theirs.

- The first denial ends it: no later handler is asked.
- `ask` outweighs everything but a denial and stands alone, since what a host does with more beside it differs.
- `modify` and `replace_output` chain: the next handler sees what the one before made of the input or the output.
- `context` texts are put together; a grant (`allow`) stands beside them.

A handler that raises, exits or answers with anything else counts as one that said nothing, and is logged; when its
author said `on_error="deny"` it counts as a denial.
"""

from agent_connector.connector.light import Decision
from agent_connector.runtime import codec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from agent_connector.connector.declare import Connector
    from agent_connector.connector.light import Event
    from agent_connector.runtime.decide import Run

_ALONE = ("deny", "ask")
_TOGETHER = ("modify", "replace_output", "context", "allow")
_NEEDS = {
    "deny": ("reason", str),
    "ask": ("reason", str),
    "modify": ("updated_input", dict),
    "replace_output": ("text", str),
    "context": ("text", str),
    "allow": ("kind", str),
}


def consult(run: "Run", connector: "Connector", event: "Event") -> None:
    """Ask every handler that matched; `run.decisions` then holds what is to be said to the host."""
    said: dict[str, Decision] = {}
    for entry in run.matched:
        decision = _decision(run, connector, entry, event)
        run.pending.remove(entry)
        if decision is not None:
            _take(said, decision, event)
            run.decisions = _outcome(said)
            if decision.kind == "deny":
                run.pending.clear()
                return


def consult_native(run: "Run", connector: "Connector", raw: object) -> object:
    """Ask the host's own handlers, with the payload as it is, up to the first that answers; None when none does."""
    for entry in run.native:
        try:
            said = _ask(connector, "native_hook", entry, raw)
        except BaseException as error:  # noqa: BLE001  # whatever an author's code may raise, sys.exit() too
            run.fail(entry["name"], "raised", error)
            said = None
        run.pending.remove(entry)
        if said is not None:
            return said
    return None


def refusal(connector: str, entry: "Mapping[str, Any]") -> Decision:
    """The denial of a guard that could not judge."""
    return Decision("deny", reason=f"{connector}: the guard {entry['name']} could not judge this, so it is denied.")


def _decision(run: "Run", connector: "Connector", entry: "Mapping[str, Any]", event: "Event") -> "Decision | None":
    try:
        said = _ask(connector, "hook", entry, event)
        if isinstance(said, Decision) and said.updated_input is not None:
            codec.encode(said.updated_input)  # what has no JSON form is this handler's failure, not the reply's
    except BaseException as error:  # noqa: BLE001  # whatever an author's code may raise, sys.exit() too
        run.fail(entry["name"], "raised", error)
    else:
        if said is None or _is_sound(said):
            return said
        run.fail(entry["name"], f"answered {_shown(said)}; allowed are None and a decision such as deny('why')")
    return refusal(run.connector, entry) if entry["on_error"] == "deny" else None


def _ask(connector: "Connector", kind: str, entry: "Mapping[str, Any]", about: object) -> "Any":
    handler = connector.handler(kind, entry["handler"])
    if handler is None:
        raise LookupError(f"the {kind} {entry['name']} has no function under its decorator")
    result = handler(about)
    if hasattr(result, "__await__"):
        from agent_connector.runtime.declaration import await_result

        return await_result(result)
    return result


def _take(said: "dict[str, Decision]", decision: Decision, event: "Event") -> None:
    """Add `decision` to what was said before; what it changes shows in `event`."""
    kind, before = decision.kind, said.get(decision.kind)
    if kind == "modify":
        event.tool_input = decision.updated_input
    elif kind == "replace_output":
        event.tool_output = decision.text
    elif before is not None and kind == "context":
        decision = Decision(kind, text=f"{before.text}\n\n{decision.text}")
    elif before is not None and kind == "ask":
        decision = Decision(kind, reason=f"{before.reason}\n{decision.reason}")
    said[kind] = decision


def _outcome(said: "Mapping[str, Decision]") -> "list[Decision]":
    """What is said to the host: one denial, one question, or all that can be said together."""
    for kind in _ALONE:
        if kind in said:
            return [said[kind]]
    return [said[kind] for kind in _TOGETHER if kind in said]


def _is_sound(said: object) -> bool:
    """A decision of a known kind whose field is what the kind needs: a reply must not fail on it later."""
    if not isinstance(said, Decision):
        return False
    field, kind = _NEEDS.get(said.kind, ("", object))
    return field != "" and isinstance(getattr(said, field), kind)


def _shown(said: object) -> str:
    """The answer's type, not its value: the log keeps no content."""
    return f"an unsound {said.kind!r}" if isinstance(said, Decision) else f"a {type(said).__name__}"
