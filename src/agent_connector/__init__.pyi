"""What an author imports, with events narrowed by their literal name. Type checkers read it; nothing runs it."""

# pyright: reportIncompatibleVariableOverride=false, reportIncompatibleMethodOverride=false
# An author only reads an event, so a narrower type on a typed event is sound; decorators are told apart by event.
# The typed events stand for `Event` at run time, so that an annotation may use them without a guard.

from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any, Literal, Protocol, TypeAlias, TypeVar, overload

from agent_connector.cli.branded import create_cli as create_cli
from agent_connector.connector.contexts import ActionContext as ActionContext
from agent_connector.connector.contexts import StatusContext as _StatusContext
from agent_connector.connector.declare import Connector as _Connector
from agent_connector.connector.declare import http as http
from agent_connector.connector.declare import sse as sse
from agent_connector.connector.declare import stdio as stdio
from agent_connector.connector.declare import ws as ws
from agent_connector.connector.light import Decision as Decision
from agent_connector.connector.light import Event as Event
from agent_connector.connector.light import allow as allow
from agent_connector.connector.light import ask as ask
from agent_connector.connector.light import context as context
from agent_connector.connector.light import deny as deny
from agent_connector.connector.light import modify as modify
from agent_connector.connector.light import replace_output as replace_output
from agent_connector.errors import ConnectorError as ConnectorError
from agent_connector.version import __version__ as __version__

__all__ = [
    "ActionContext",
    "Connector",
    "ConnectorError",
    "Decision",
    "Event",
    "NotificationEvent",
    "PermissionRequestEvent",
    "PostCompactEvent",
    "PostToolUseEvent",
    "PostToolUseFailureEvent",
    "PreCompactEvent",
    "PreToolUseEvent",
    "SessionEndEvent",
    "SessionStartEvent",
    "StatusContext",
    "StopEvent",
    "SubagentStartEvent",
    "SubagentStopEvent",
    "UserPromptSubmitEvent",
    "__version__",
    "allow",
    "ask",
    "context",
    "deny",
    "http",
    "modify",
    "replace_output",
    "sse",
    "stdio",
    "ws",
]

class SessionStartEvent(Event):
    source: str | None

class SessionEndEvent(Event):
    reason: str | None

class UserPromptSubmitEvent(Event):
    prompt: str

class PreToolUseEvent(Event):
    tool_name: str
    host_tool_name: str
    tool_input: dict[str, Any]

class PostToolUseEvent(Event):
    tool_name: str
    host_tool_name: str
    tool_input: dict[str, Any]
    tool_output: Any

class PostToolUseFailureEvent(Event):
    tool_name: str
    host_tool_name: str
    error: str | None

class PermissionRequestEvent(Event):
    tool_name: str
    host_tool_name: str
    tool_input: dict[str, Any]

class PreCompactEvent(Event):
    trigger: str | None

class PostCompactEvent(Event):
    trigger: str | None

class StopEvent(Event):
    stop_hook_active: bool | None
    last_message: str | None

class NotificationEvent(Event):
    message: str | None
    notification_type: str | None

class SubagentStartEvent(Event):
    agent_id: str | None
    agent_type: str | None

class SubagentStopEvent(Event):
    agent_id: str | None
    agent_type: str | None
    last_message: str | None

class _Model(Protocol):
    id: str | None
    display_name: str | None

class _Cost(Protocol):
    total_usd: float | None
    duration_ms: float | None
    api_duration_ms: float | None
    lines_added: int | None
    lines_removed: int | None

class _Context(Protocol):
    used_tokens: int | None
    size_tokens: int | None
    used_percent: float | None
    input_tokens: int | None
    output_tokens: int | None
    cache_read_tokens: int | None

class _Workspace(Protocol):
    folder: str | None
    project: str | None
    branch: str | None

class _Session(Protocol):
    id: str | None
    name: str | None
    transcript_path: str | None

class _App(Protocol):
    id: str | None
    name: str | None
    version: str | None

class StatusContext(_StatusContext):
    model: _Model
    cost: _Cost
    context: _Context
    workspace: _Workspace
    session: _Session
    app: _App

_E = TypeVar("_E", bound=Event)
_H = TypeVar("_H", bound=Callable[..., Any])
_Answer: TypeAlias = Decision | None
_Line: TypeAlias = str | Iterable[str] | None

class _Hook(Protocol[_E]):
    """The decorator of one event: takes a function of that event, sync or async, and gives it back."""

    @overload
    def __call__(self, handler: Callable[[_E], _Answer], /) -> Callable[[_E], _Answer]: ...
    @overload
    def __call__(self, handler: Callable[[_E], Awaitable[_Answer]], /) -> Callable[[_E], Awaitable[_Answer]]: ...

class _Keep(Protocol):
    """A decorator that gives the function back as it is."""

    def __call__(self, handler: _H, /) -> _H: ...

class Connector(_Connector):
    @overload
    def hook(
        self,
        event: Literal["SessionStart"],
        *,
        matcher: str = "*",
        host: str | None = None,
        timeout: float | None = None,
        on_error: Literal["allow", "deny"] = "allow",
    ) -> _Hook[SessionStartEvent]: ...
    @overload
    def hook(
        self,
        event: Literal["SessionEnd"],
        *,
        matcher: str = "*",
        host: str | None = None,
        timeout: float | None = None,
        on_error: Literal["allow", "deny"] = "allow",
    ) -> _Hook[SessionEndEvent]: ...
    @overload
    def hook(
        self,
        event: Literal["UserPromptSubmit"],
        *,
        matcher: str = "*",
        host: str | None = None,
        timeout: float | None = None,
        on_error: Literal["allow", "deny"] = "allow",
    ) -> _Hook[UserPromptSubmitEvent]: ...
    @overload
    def hook(
        self,
        event: Literal["PreToolUse"],
        *,
        matcher: str = "*",
        host: str | None = None,
        timeout: float | None = None,
        on_error: Literal["allow", "deny"] = "allow",
    ) -> _Hook[PreToolUseEvent]: ...
    @overload
    def hook(
        self,
        event: Literal["PostToolUse"],
        *,
        matcher: str = "*",
        host: str | None = None,
        timeout: float | None = None,
        on_error: Literal["allow", "deny"] = "allow",
    ) -> _Hook[PostToolUseEvent]: ...
    @overload
    def hook(
        self,
        event: Literal["PostToolUseFailure"],
        *,
        matcher: str = "*",
        host: str | None = None,
        timeout: float | None = None,
        on_error: Literal["allow", "deny"] = "allow",
    ) -> _Hook[PostToolUseFailureEvent]: ...
    @overload
    def hook(
        self,
        event: Literal["PermissionRequest"],
        *,
        matcher: str = "*",
        host: str | None = None,
        timeout: float | None = None,
        on_error: Literal["allow", "deny"] = "allow",
    ) -> _Hook[PermissionRequestEvent]: ...
    @overload
    def hook(
        self,
        event: Literal["PreCompact"],
        *,
        matcher: str = "*",
        host: str | None = None,
        timeout: float | None = None,
        on_error: Literal["allow", "deny"] = "allow",
    ) -> _Hook[PreCompactEvent]: ...
    @overload
    def hook(
        self,
        event: Literal["PostCompact"],
        *,
        matcher: str = "*",
        host: str | None = None,
        timeout: float | None = None,
        on_error: Literal["allow", "deny"] = "allow",
    ) -> _Hook[PostCompactEvent]: ...
    @overload
    def hook(
        self,
        event: Literal["Stop"],
        *,
        matcher: str = "*",
        host: str | None = None,
        timeout: float | None = None,
        on_error: Literal["allow", "deny"] = "allow",
    ) -> _Hook[StopEvent]: ...
    @overload
    def hook(
        self,
        event: Literal["Notification"],
        *,
        matcher: str = "*",
        host: str | None = None,
        timeout: float | None = None,
        on_error: Literal["allow", "deny"] = "allow",
    ) -> _Hook[NotificationEvent]: ...
    @overload
    def hook(
        self,
        event: Literal["SubagentStart"],
        *,
        matcher: str = "*",
        host: str | None = None,
        timeout: float | None = None,
        on_error: Literal["allow", "deny"] = "allow",
    ) -> _Hook[SubagentStartEvent]: ...
    @overload
    def hook(
        self,
        event: Literal["SubagentStop"],
        *,
        matcher: str = "*",
        host: str | None = None,
        timeout: float | None = None,
        on_error: Literal["allow", "deny"] = "allow",
    ) -> _Hook[SubagentStopEvent]: ...
    def native_hook(self, host: str, event: str, *, timeout: float | None = None) -> _Keep: ...
    @overload
    def statusline(self, handler: Callable[[StatusContext], _Line], /) -> Callable[[StatusContext], _Line]: ...
    @overload
    def statusline(
        self, *, host: str | None = None, options: Mapping[str, Any] | None = None
    ) -> Callable[[Callable[[StatusContext], _Line]], Callable[[StatusContext], _Line]]: ...
    def action(
        self,
        id: str,
        *,
        label: str | None = None,
        icon: str | None = None,
        placement: str | None = None,
        confirm: str | None = None,
        host: str | None = None,
    ) -> _Keep: ...
