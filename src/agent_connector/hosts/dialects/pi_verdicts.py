"""What Pi, Oh My Pi and our bridge do with decisions. On the hook path: a reply leaves out what is dropped."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from agent_connector.hosts.contract import Sure, Verdict

    Row = tuple[Verdict, Sure, str]

_RESULT: "dict[str, Row]" = {
    "deny": ("degraded", "proven", "the tool has run; the reason stands in the place of its result"),
    "ask": ("degraded", "documented", "the tool has run; the question stands in the place of its result"),
    "context": ("honoured", "proven", "added to the tool's result"),
    "replace_output": ("honoured", "proven", "the model reads the text in the place of the result"),
}
HONOURS: "dict[str, dict[str, Row]]" = {
    "PreToolUse": {
        "allow": ("dropped", "documented", "nothing has to be granted: the host asks no hook for leave"),
        "deny": ("honoured", "proven", "the tool does not run and the model reads the reason"),
        "ask": ("degraded", "documented", "the person is asked in the terminal; without one it is a deny"),
        "modify": ("honoured", "proven", "the tool runs with the new input"),
        "context": ("degraded", "proven", "the bridge keeps it and adds it to the tool's result"),
    },
    "PostToolUse": _RESULT,
    "PostToolUseFailure": _RESULT,
    "PreCompact": {
        "deny": ("degraded", "documented", "nothing is compacted, and the reason is shown to the person alone"),
        "ask": ("degraded", "documented", "nothing is compacted, and the question is shown to the person alone"),
    },
    "Stop": {
        "deny": ("honoured", "proven", "the agent goes on with the reason, ten times in a row at most"),
        "ask": ("degraded", "documented", "an extension cannot ask there, so it becomes a deny"),
    },
}
WATCHED = ("SessionEnd", "PostCompact", "Notification", "PermissionRequest")


def verdict(
    host: str, events: "Collection[str]", event: str, kind: str, changes: "Mapping[tuple[str, str], Row]"
) -> "Row":
    """The row for `kind` at `event`, as `changes` say for this host, else as in both."""
    if event not in events:
        return ("dropped", "documented", f"{host} has no event for {event}")
    if event in WATCHED:
        return ("dropped", "documented", f"{host} lets this event be watched only")
    row = changes.get((event, kind)) or HONOURS.get(event, {}).get(kind)
    return row or ("dropped", "documented", f"{host} takes no {kind} at {event}")
