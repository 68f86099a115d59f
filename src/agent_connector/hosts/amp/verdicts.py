"""What Amp and our bridge do with each decision: after its own guide for plugins. On the hook path."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from agent_connector.hosts.contract import Sure, Verdict

    Row = tuple[Verdict, Sure, str]

_ALWAYS = ("SessionStart", "SessionEnd", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure", "Stop")
_STANDS = "the tool has run; the reason stands in the place of its result"
_GOES_ON = "the agent goes on with the reason as its task, ten times in a row at most"

TABLE: "dict[tuple[str, str], Row]" = {
    ("SessionStart", "context"): ("honoured", "documented", "the bridge adds it to the thread's first prompt"),
    ("UserPromptSubmit", "context"): ("honoured", "documented", "a message beside the prompt"),
    ("UserPromptSubmit", "deny"): ("dropped", "documented", "Amp lets no plugin refuse a prompt"),
    ("PreToolUse", "allow"): ("dropped", "documented", "a plugin grants nothing: the person's own permissions decide"),
    ("PreToolUse", "deny"): ("honoured", "documented", "the tool does not run and the model reads the reason"),
    ("PreToolUse", "ask"): ("degraded", "documented", "the person is asked; where nobody is there, it is denied"),
    ("PreToolUse", "modify"): ("honoured", "documented", "the tool gets the new arguments"),
    ("PreToolUse", "context"): ("degraded", "documented", "the bridge keeps it and adds it to the tool's result"),
    ("Stop", "deny"): ("honoured", "documented", _GOES_ON),
    ("Stop", "ask"): ("degraded", "documented", f"nobody is asked at the end of a turn; {_GOES_ON}"),
}
for _event in ("PostToolUse", "PostToolUseFailure"):
    TABLE.update(
        {
            (_event, "context"): ("honoured", "documented", "added to the tool's result"),
            (_event, "replace_output"): (
                "honoured",
                "documented",
                "the model reads the text in the place of the result",
            ),
            (_event, "deny"): ("degraded", "documented", _STANDS),
            (_event, "ask"): ("degraded", "documented", f"nobody is asked after a tool; {_STANDS}"),
        }
    )


def verdict(event: str, kind: str) -> "Row":
    if row := TABLE.get((event, kind)):
        return row
    if event not in _ALWAYS:
        return ("dropped", "documented", f"Amp has no event for {event}, so the handler never runs")
    return ("dropped", "documented", f"Amp takes no {kind} at {event}")
