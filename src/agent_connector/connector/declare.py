"""The connector as an author's file declares it, and the servers in it.

Nothing is validated here: a declaration is collected as plain fields, and `connector/freeze.py` checks all of it at
install. On the hook path, since hosts run that file: slotted classes only; no dataclasses, typing, re or enum.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any, TypeVar

    from agent_connector.connector.contexts import StatusContext

    Handler = TypeVar("Handler", bound=Callable[..., Any])


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

    def memory(
        self,
        text: "str | None" = None,
        *,
        name: "str | None" = None,
        file: "str | None" = None,
        mode: "str | None" = None,
    ) -> None:
        """A block that stands in the memory file of each host (`file`: read at install).

        `mode="agents-import"` keeps it in a project's AGENTS.md for Claude Code too: its CLAUDE.md gets one line
        that imports that file.
        """
        self._add("memory", {"name": name, "text": text, "file": file, "mode": mode})

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
