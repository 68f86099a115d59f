"""What a hook of Claude Code tells the pairer, read once into a value; and what it is answered."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

# Modes in which a person, or the host's own judge of each call, stands between an app's prompt and what it does. Any
# other one, known or new, counts as bypassed.
GUARDED = ("default", "manual", "plan", "acceptEdits", "auto")
Answer = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Hook:
    """One event. Fields that this event does not have are empty."""

    event: str
    session: str
    pid: str = ""
    attended: bool = True
    agent: str = ""  # of a subagent; "" is the main loop
    prompt: str = ""  # the id of the turn's prompt, never its text
    mode: str = ""
    transcript: str = ""
    folder: str = ""
    again: bool = False  # Stop: a hook has kept this turn going
    text: str | None = None  # Stop: the last message
    source: str = ""  # SessionStart
    reason: str = ""  # SessionEnd
    kind: str = ""  # Notification
    tool: str = ""
    words: str = ""  # what the person typed behind /byoa

    @property
    def main(self) -> bool:
        return not self.agent


def read(value: object) -> Hook | None:
    """The hook in a line that was sent; None when it is none."""
    if not isinstance(value, dict):
        return None
    said: dict[str, object] = value  # pyright: ignore[reportUnknownVariableType]
    event, session = _text(said, "hook_event_name"), _text(said, "session_id")
    if not event or not session:
        return None
    last = said.get("last_assistant_message")
    return Hook(
        event,
        session,
        pid=_text(said, "pid"),
        attended=_text(said, "attended") != "0",
        agent=_text(said, "agent_id"),
        prompt=_text(said, "prompt_id"),
        mode=_text(said, "permission_mode"),
        transcript=_text(said, "transcript_path"),
        folder=_text(said, "cwd"),
        again=said.get("stop_hook_active") is True,
        text=last if isinstance(last, str) else None,
        source=_text(said, "source"),
        reason=_text(said, "reason"),
        kind=_text(said, "notification_type"),
        tool=_text(said, "tool_name"),
        words=_text(said, "command_args"),
    )


def _text(said: Mapping[str, object], name: str) -> str:
    value = said.get(name)
    return value if isinstance(value, str) else ""


def bypassed(mode: str) -> bool:
    return mode != "" and mode not in GUARDED


def going_on(prompt: str) -> Answer:
    """The answer to a Stop that makes `prompt` what the agent goes on with."""
    return {"decision": "block", "reason": prompt}


def told(text: str) -> Answer:
    """The answer to a command of the person: shown to them, and never to the model."""
    return {"decision": "block", "reason": text, "suppressOriginalPrompt": True}


def with_news(answer: Answer | None, news: str) -> Answer | None:
    """The answer, and beside it a message that the terminal shows."""
    return {**(answer or {}), "systemMessage": news} if news else answer
