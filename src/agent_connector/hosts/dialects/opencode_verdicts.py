"""What OpenCode, its forks and our bridge do with decisions. On the hook path: a reply leaves out what is dropped."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from agent_connector.hosts.contract import Sure, Verdict

    Row = tuple[Verdict, Sure, str]

HONOURS: "dict[str, dict[str, Row]]" = {
    "SessionStart": {"context": ("honoured", "proven", "a system message of its own in every request of the session")},
    "SubagentStart": {"context": ("honoured", "proven", "a system message of its own in the subagent's requests")},
    "UserPromptSubmit": {
        "deny": ("degraded", "proven", "the prompt is not sent, but as a server error, which hides the reason"),
        "ask": ("degraded", "proven", "a plugin cannot ask, so it becomes a deny"),
        "context": ("honoured", "proven", "one more part of the same message"),
    },
    "PreToolUse": {
        "allow": ("dropped", "documented", "a plugin cannot grant here: answer at PermissionRequest"),
        "deny": ("honoured", "proven", "the tool does not run and the model reads the reason"),
        "ask": ("degraded", "proven", "a plugin cannot ask, so it becomes a deny"),
        "modify": ("honoured", "proven", "the tool runs with the new input, which may show in the model's own history"),
        "context": ("degraded", "proven", "the bridge keeps it and adds it to the tool's result"),
    },
    "PostToolUse": {
        "deny": ("degraded", "proven", "the tool has run; the reason stands in the place of its result"),
        "ask": ("degraded", "proven", "the tool has run; the reason stands in the place of its result"),
        "context": ("honoured", "proven", "added to the tool's result"),
        "replace_output": ("honoured", "proven", "the model reads the text in the place of the result"),
    },
    "PermissionRequest": {
        "allow": ("degraded", "proven", "granted once, in the terminal; a headless run answers first by itself"),
        "deny": ("degraded", "proven", "refused without the reason, in the terminal; a headless run answers first"),
        "ask": ("dropped", "documented", "nothing is said, so the host's own question is asked, without the reason"),
    },
    "PreCompact": {"context": ("honoured", "proven", "added to what the summary is made from")},
    "Stop": {
        "deny": (
            "degraded",
            "proven",
            "the reason is the next prompt, ten times in a row at most; a headless run has ended by then",
        ),
        "ask": ("degraded", "proven", "a plugin cannot ask, so it becomes a deny"),
    },
}
WATCHED = ("SessionEnd", "PostCompact", "PostToolUseFailure", "SubagentStop")


def verdict(
    host: str, events: "Collection[str]", event: str, kind: str, changes: "Mapping[tuple[str, str], Row]", sure: "Sure"
) -> "Row":
    """The row for `kind` at `event`, as `changes` say for this host, else as in all; none is surer than `sure`."""
    if event not in events:
        return ("dropped", "documented", f"{host} has no event for {event}")
    row = changes.get((event, kind)) or HONOURS.get(event, {}).get(kind)
    if row is not None:
        return (row[0], row[1] if sure == "proven" else sure, row[2])
    if event in WATCHED:
        return ("dropped", "documented", f"{host} lets this event be watched only")
    return ("dropped", "documented", f"{host} takes no {kind} at {event}")
