"""What an author's file imports and what hosts execute: the connector, events, decisions, the status line's context.

On the hook path: slotted classes only; no dataclasses, typing, re or enum. Nothing is validated here: a declaration
is collected as plain fields, and `connector/model.py` checks all of it at install.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any, TypeVar

    Handler = TypeVar("Handler", bound=Callable[..., Any])

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


class Group:
    """One part of the status line's context (`ctx.model`, `ctx.cost`): what the host does not tell is None."""

    __slots__ = ("_values",)

    def __init__(self, values: "Mapping[str, Any]") -> None:
        self._values = values

    def __getattr__(self, name: str) -> "Any":
        if name[:2] == "__":
            raise AttributeError(name)
        return self._values.get(name)

    def __repr__(self) -> str:
        return f"Group({dict(self._values)!r})"


class StatusContext:
    """What a status line may show, in the same words for every host; a missing part is an empty `Group`.

    model: id, display_name · cost: total_usd, duration_ms, api_duration_ms, lines_added, lines_removed
    context: used_tokens, size_tokens, used_percent, input_tokens, output_tokens, cache_read_tokens
    workspace: folder, project, branch · session: id, name, transcript_path · app: id, name, version
    `raw` is the host's own payload.
    """

    __slots__ = ("_groups", "raw")

    def __init__(self, values: "Mapping[str, Any]", raw: "dict[str, Any] | None" = None) -> None:
        self._groups = values
        self.raw: dict[str, Any] = raw or {}

    def __getattr__(self, name: str) -> "Any":
        if name[:2] == "__":
            raise AttributeError(name)
        value: Any = self._groups.get(name)
        return Group(value) if isinstance(value, dict) else Group({}) if value is None else value  # type: ignore[arg-type]


class ActionContext:
    """What an action is told: the `host` and the action's `id`, the folder it runs in, and further arguments."""

    __slots__ = ("arguments", "cwd", "host", "id")

    def __init__(self, host: str, id: str, cwd: str, arguments: "tuple[str, ...]" = ()) -> None:
        self.host = host
        self.id = id
        self.cwd = cwd
        self.arguments = arguments


def stdio(
    command: str,
    *args: str,
    env: "Mapping[str, str] | None" = None,
    cwd: "str | None" = None,
    timeout: "float | None" = None,
    startup_timeout: "float | None" = None,
    include_tools: "Iterable[str]" = (),
    exclude_tools: "Iterable[str]" = (),
    enabled: bool = True,
) -> "dict[str, Any]":
    """A server that the host starts as a program. Times are seconds."""
    return {
        "transport": "stdio",
        "command": command,
        "args": list(args),
        "env": dict(env or {}),
        "cwd": cwd,
        "timeout": timeout,
        "startup_timeout": startup_timeout,
        "include_tools": list(include_tools),
        "exclude_tools": list(exclude_tools),
        "enabled": enabled,
    }


def _remote(transport: str, url: str, fields: "dict[str, Any]") -> "dict[str, Any]":
    known = ("headers", "bearer", "timeout", "startup_timeout", "include_tools", "exclude_tools", "enabled")
    unknown = sorted(set(fields) - set(known))
    if unknown:
        raise TypeError(f"{transport}() got an unexpected argument {unknown[0]!r}; it takes {', '.join(known)}")
    return {"transport": transport, "url": url, **fields}


def http(url: str, **fields: "Any") -> "dict[str, Any]":
    """A remote server over Streamable HTTP. `bearer` names the environment variable that holds the token.

    Further fields: headers, timeout, startup_timeout, include_tools, exclude_tools, enabled.
    """
    return _remote("http", url, fields)


def sse(url: str, **fields: "Any") -> "dict[str, Any]":
    """A remote server over the older HTTP with server-sent events; fields as in `http`."""
    return _remote("sse", url, fields)


def ws(url: str, **fields: "Any") -> "dict[str, Any]":
    """A remote server over a WebSocket; fields as in `http`."""
    return _remote("ws", url, fields)


class Part:
    """One declared thing: its fields as the author gave them, and the function under its decorator."""

    __slots__ = ("fields", "handler")

    def __init__(self, fields: "dict[str, Any]") -> None:
        self.fields = fields
        self.handler: Callable[..., Any] | None = None  # a local annotation of an attribute is never evaluated

    def __call__(self, handler: "Handler") -> "Handler":
        """As a decorator: keeps the function, and gives it back unchanged."""
        self.handler = handler
        return handler


KINDS = (
    "hook",
    "native_hook",
    "memory",
    "command",
    "skill",
    "subagent",
    "statusline",
    "action",
    "config_patch",
    "platform",
)


class Connector:
    """The declaration. Its methods collect; `agent-connector install` validates and registers.

    `id` and `version` and `description` default to those of the Python package that the file belongs to.
    `targets` limits the hosts; `alias` is the name under which hosts know the server (default: the id).
    """

    __slots__ = ("fields", "parts")

    def __init__(
        self,
        id: "str | None" = None,
        server: "Mapping[str, Any] | None" = None,
        *,
        version: "str | None" = None,
        description: "str | None" = None,
        targets: "Iterable[str] | None" = None,
        alias: "str | None" = None,
    ) -> None:
        self.fields: dict[str, Any] = {
            "id": id,
            "server": server,
            "version": version,
            "description": description,
            "targets": targets,
            "alias": alias,
            "telemetry": None,
        }
        self.parts: dict[str, list[Part]] = {kind: [] for kind in KINDS}

    def _add(self, kind: str, fields: "dict[str, Any]") -> Part:
        part = Part(fields)
        self.parts[kind].append(part)
        return part

    def handler(self, kind: str, ordinal: int) -> "Callable[..., Any] | None":
        """The function of the `ordinal`-th part of a kind ("hook", "native_hook", "statusline", "action")."""
        return self.parts[kind][ordinal].handler

    def hook(
        self,
        event: str,
        *,
        matcher: str = "*",
        host: "str | None" = None,
        timeout: "float | None" = None,
        on_error: str = "allow",
    ) -> Part:
        """Decorator: runs at the normalized `event` in every host that has it.

        `host` makes it that host's own handler: there it stands in for the general ones of the event.
        `on_error="deny"` makes a guard fail closed. `timeout` is in seconds.
        """
        return self._add(
            "hook", {"event": event, "matcher": matcher, "host": host, "timeout": timeout, "on_error": on_error}
        )

    def native_hook(self, host: str, event: str, *, timeout: "float | None" = None) -> Part:
        """Decorator: runs at the host's own event, raw payload in; what it returns goes out verbatim."""
        return self._add("native_hook", {"host": host, "event": event, "timeout": timeout})

    def memory(self, text: "str | None" = None, *, name: "str | None" = None, file: "str | None" = None) -> None:
        """A block that stands in the memory file of each host (`file`: read at install)."""
        self._add("memory", {"name": name, "text": text, "file": file})

    def command(
        self,
        name: str,
        *,
        prompt: "str | None" = None,
        description: str = "",
        file: "str | None" = None,
        argument_hint: "str | None" = None,
        model: "str | None" = None,
    ) -> None:
        """A slash command; `$ARGUMENTS` in its prompt is what the person typed."""
        self._add(
            "command",
            {
                "name": name,
                "prompt": prompt,
                "description": description,
                "file": file,
                "argument_hint": argument_hint,
                "model": model,
            },
        )

    def skill(
        self,
        name: str,
        *,
        description: str = "",
        body: "str | None" = None,
        file: "str | None" = None,
        files: "Mapping[str, str] | None" = None,
    ) -> None:
        """A skill (`SKILL.md`); `files` are further texts of its folder by relative path."""
        self._add(
            "skill",
            {"name": name, "description": description, "body": body, "file": file, "files": dict(files or {})},
        )

    def subagent(
        self,
        name: str,
        *,
        description: str = "",
        prompt: "str | None" = None,
        file: "str | None" = None,
        tools: "Mapping[str, Any] | None" = None,
        model: "str | None" = None,
    ) -> None:
        """A subagent. `tools` is `{"allow": [...], "deny": [...]}` in a matcher's words: bare, `host:`, `server/`."""
        self._add(
            "subagent",
            {
                "name": name,
                "description": description,
                "prompt": prompt,
                "file": file,
                "tools": tools,
                "model": model,
            },
        )

    def statusline(
        self,
        handler: "Callable[[StatusContext], Any] | None" = None,
        *,
        host: "str | None" = None,
        options: "Mapping[str, Any] | None" = None,
    ) -> "Any":
        """Decorator, bare or with arguments: renders the status line; `host` is that host's own rendering."""
        part = self._add("statusline", {"host": host, "options": dict(options or {})})
        return part if handler is None else part(handler)

    def action(
        self,
        id: str,
        *,
        label: "str | None" = None,
        icon: "str | None" = None,
        placement: "str | None" = None,
        confirm: "str | None" = None,
        host: "str | None" = None,
    ) -> Part:
        """Decorator: a deed that a person starts; `host` is that host's own way to run it."""
        return self._add(
            "action",
            {"id": id, "label": label, "icon": icon, "placement": placement, "confirm": confirm, "host": host},
        )

    def config_patch(
        self, host: str, path: str, value: "Any", *, reason: str = "", docs_url: "str | None" = None
    ) -> None:
        """One setting of a host, set where the person has not set it."""
        self._add("config_patch", {"host": host, "path": path, "value": value, "reason": reason, "docs_url": docs_url})

    def platform(self, host: str, **fields: "Any") -> None:
        """What is different in one host.

        `scope` forces a scope; `extra` is merged verbatim into the native server entry; `server` is a mapping of
        changed fields; any surface (`server`, `hooks`, `commands`, `skills`, `subagents`, `memory`, `statusline`,
        `actions`, `config_patch`, `native_hooks`) set to False is switched off there.
        """
        self._add("platform", {"host": host, **fields})

    def telemetry(
        self,
        *,
        enabled: bool = True,
        model_family: "str | None" = None,
        measure_definitions: bool = True,
        store: str = "home",
        keep_days: int = 90,
    ) -> None:
        """How this connector is measured; `store="project"` keeps the counts in the project's own folder."""
        self.fields["telemetry"] = {
            "enabled": enabled,
            "model_family": model_family,
            "measure_definitions": measure_definitions,
            "store": store,
            "keep_days": keep_days,
        }
