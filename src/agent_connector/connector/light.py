"""The words that connectors and hosts share: events, surfaces, and what handlers are told and answer.

`declare` and `contexts` are the rest of what an author's file imports.
On the hook path: slotted classes only; no dataclasses, typing, re or enum.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

EVENTS = (
    "SessionStart",
    "SessionEnd",
    "UserPromptSubmit",
    "PreToolUse",
    "PostToolUse",
    "PreCompact",
    "Stop",
    "Notification",
    "PermissionRequest",
    "PostToolUseFailure",
    "SubagentStart",
    "SubagentStop",
    "PostCompact",
)
TOOL_EVENTS = ("PreToolUse", "PostToolUse", "PermissionRequest", "PostToolUseFailure")
SURFACES = (  # what a connector can bring to a host
    "server",
    "hooks",
    "commands",
    "skills",
    "subagents",
    "memory",
    "statusline",
    "actions",
    "config_patch",
    "native_hooks",
)


class Decision:
    """What a handler answers. `kind` is allow, deny, ask, modify, context or replace_output."""

    __slots__ = ("kind", "reason", "text", "updated_input")

    def __init__(
        self, kind: str, reason: str = "", updated_input: "dict[str, Any] | None" = None, text: str = ""
    ) -> None:
        self.kind = kind
        self.reason = reason
        self.updated_input = updated_input
        self.text = text

    def __repr__(self) -> str:
        return f"Decision({self.kind!r}, reason={self.reason!r}, text={self.text!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Decision) and all(getattr(self, n) == getattr(other, n) for n in self.__slots__)

    __hash__ = None  # type: ignore[assignment]


def allow() -> Decision:
    """An explicit grant, where the host takes one. A hook that only watches returns None instead."""
    return Decision("allow")


def deny(reason: str) -> Decision:
    """The call, prompt or stop does not go ahead; the model reads `reason`."""
    return Decision("deny", reason=reason)


def ask(reason: str) -> Decision:
    """The person is asked; hosts that cannot ask here get a deny."""
    return Decision("ask", reason=reason)


def modify(updated_input: "dict[str, Any]") -> Decision:
    """The tool runs with `updated_input` (the whole arguments object) instead."""
    return Decision("modify", updated_input=updated_input)


def context(text: str) -> Decision:
    """`text` is put before the model."""
    return Decision("context", text=text)


def replace_output(text: str) -> Decision:
    """The model sees `text` instead of the tool's result."""
    return Decision("replace_output", text=text)


class Event:
    """One happening in a host, in the same words for every host. What a host does not tell is None.

    `name` is the normalized event ("PreToolUse"), `host` the host's id, `host_event` the host's own name for it.
    `tool_name` is the bare name for MCP tools and the canonical one (`Bash`, `Read`, `Write`, `Edit`, `Fetch` ...)
    for the host's own; `server` the MCP server's name as the host knows it (None: the host's own tool);
    `host_tool_name` what the host called it. `tool_input` is the arguments object, `tool_output` the result as the
    host gives it, `raw` the whole payload.
    """

    __slots__ = (
        "agent_id",
        "agent_type",
        "call_id",
        "cwd",
        "error",
        "host",
        "host_event",
        "host_tool_name",
        "last_message",
        "message",
        "model",
        "name",
        "notification_type",
        "permission_mode",
        "prompt",
        "raw",
        "reason",
        "server",
        "session_id",
        "source",
        "stop_hook_active",
        "tool_input",
        "tool_name",
        "tool_output",
        "transcript_path",
        "trigger",
    )

    if TYPE_CHECKING:
        name: str
        host: str
        host_event: str
        raw: dict[str, Any]
        agent_id: str | None
        agent_type: str | None
        call_id: str | None
        cwd: str | None
        error: str | None
        host_tool_name: str | None
        last_message: str | None
        message: str | None
        model: str | None
        notification_type: str | None
        permission_mode: str | None
        prompt: str | None
        reason: str | None
        server: str | None
        session_id: str | None
        source: str | None
        stop_hook_active: bool | None
        tool_input: dict[str, Any] | None
        tool_name: str | None
        tool_output: Any
        transcript_path: str | None
        trigger: str | None

    def __init__(self, name: str, host: str, host_event: str, raw: "dict[str, Any]", **fields: "Any") -> None:
        for slot in self.__slots__:
            setattr(self, slot, fields.pop(slot, None))
        if fields:
            raise TypeError(f"Event has no field {min(fields)!r}")
        self.name = name
        self.host = host
        self.host_event = host_event
        self.raw = raw
