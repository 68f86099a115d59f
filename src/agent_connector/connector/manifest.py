"""What the hook path needs to decide without the author's code: the content of `connectors/<id>/connector.json`.

Shape (version 1; absent optional keys are not written as null unless said so):

    {
      "manifest": 1,
      "id": "acme-db", "version": "1.2.0", "description": "...", "framework": "0.1.0",
      "server_name": "acme-db" | null,           name under which hosts know our server (alias, else id)
      "declaration": {                           null when there is no author's code
          "kind": "file" | "package",
          "path": "acme.py" | "acme",            below connectors/<id>/declaration/
          "module": "acme" | "acme.connector",   imported with declaration/ first on sys.path
          "attribute": "connector" },
      "hooks": {                                 per host: an event found under the host's own id stands in for "*"
          "*":     {"PreToolUse": [HANDLER, ...], ...},
          "codex": {"PreToolUse": [HANDLER, ...]} },
      "native_hooks": {"claude-code": {"TaskCompleted": [HANDLER, ...]}},
      "statusline": {"*": {"handler": 0, "name": "line", "options": {}}, "codex": {...}},
      "actions": {"reindex": {"*": {"handler": 0, "name": "reindex", "label": "...", "confirm": null}}},
      "server": {"transport": "stdio", "command": "npx", "args": [...], "env": {...}, ...} | null,
      "servers": {"codex": {...}},               the same, for hosts where the connector changes the server
      "env": [["ACME_DSN", null], ["ACME_PORT", "5432"]],    every ${env:NAME[:-default]} of the server
      "telemetry": {"enabled": true, "model_family": null, "measure_definitions": true, "store": "home",
                    "keep_days": 90},
      "shares_hooks": ["claude-code", "cursor"]  chosen hosts of which one loads the hook files of another
    }

    HANDLER = {"handler": 0,                 ordinal: connector.handler("hook", 0); "native_hook" for native ones
               "name": "confirm_writes",     the function's qualified name, for logs
               "matcher": {"side": "own", "names": [...]},     compiled, see matchers.py; not on native hooks
               "timeout": 10.0, "on_error": "allow" | "deny", "async": false}

Several handlers of an event are asked in this order. `runtime/decide.py` finds those of a host and an event.
"""

from collections.abc import Iterable
from typing import Any

from agent_connector.connector.interpolation import references
from agent_connector.connector.model import Action, ConnectorModel, Hook, NativeHook, Server, StatusLine
from agent_connector.connector.servers import changed
from agent_connector.connector.validation import Check
from agent_connector.version import __version__

VERSION = 1


def build(model: ConnectorModel, shares_hooks: Iterable[str] = ()) -> dict[str, Any]:
    """The manifest of `model`."""
    return {
        "manifest": VERSION,
        "id": model.id,
        "version": model.version,
        "description": model.description,
        "framework": __version__,
        "server_name": model.server_name if model.server else None,
        "declaration": _declaration(model),
        "hooks": _by_host((hook.host or "*", hook.event, _hook(hook)) for hook in model.hooks),
        "native_hooks": _by_host((hook.host, hook.event, _native(hook)) for hook in model.native_hooks),
        "statusline": {line.host or "*": _statusline(line) for line in model.statuslines},
        "actions": _actions(model.actions),
        "server": server_fields(model.server) if model.server else None,
        "servers": _servers(model),
        "env": [list(pair) for pair in references(server_fields(model.server))] if model.server else [],
        "telemetry": {
            "enabled": model.telemetry.enabled,
            "model_family": model.telemetry.model_family,
            "measure_definitions": model.telemetry.measure_definitions,
            "store": model.telemetry.store,
            "keep_days": model.telemetry.keep_days,
        },
        "shares_hooks": list(shares_hooks),
    }


def server_fields(server: Server) -> dict[str, Any]:
    """The server's fields that say something, as plain values."""
    fields = {
        "transport": server.transport,
        "command": server.command,
        "args": list(server.args),
        "env": dict(server.env),
        "cwd": server.cwd,
        "url": server.url,
        "headers": dict(server.headers),
        "bearer": server.bearer,
        "timeout": server.timeout,
        "startup_timeout": server.startup_timeout,
        "include_tools": list(server.include_tools),
        "exclude_tools": list(server.exclude_tools),
        "enabled": server.enabled,
    }
    return {name: value for name, value in fields.items() if value not in ("", None, [], {})}


def _servers(model: ConnectorModel) -> dict[str, dict[str, Any]]:
    base = model.server
    if base is None:
        return {}
    changes = {host: platform.server for host, platform in model.platforms.items() if platform.server}
    return {host: server_fields(changed(base, fields, Check(None), "server")) for host, fields in changes.items()}


def _declaration(model: ConnectorModel) -> dict[str, str] | None:
    source = model.source
    if not source.has_code:
        return None
    name = source.path.replace("\\", "/").rstrip("/").rpartition("/")[2]
    return {"kind": source.kind, "path": name, "module": source.module, "attribute": source.attribute}


def _by_host(triples: Iterable[tuple[str, str, dict[str, Any]]]) -> dict[str, dict[str, list[dict[str, Any]]]]:
    table: dict[str, dict[str, list[dict[str, Any]]]] = {}
    for host, event, entry in triples:
        table.setdefault(host, {}).setdefault(event, []).append(entry)
    return table


def _hook(hook: Hook) -> dict[str, Any]:
    return {
        "handler": hook.handler.ordinal,
        "name": hook.handler.name,
        "matcher": dict(hook.matcher),
        "timeout": hook.timeout,
        "on_error": hook.on_error,
        "async": hook.handler.is_async,
    }


def _native(hook: NativeHook) -> dict[str, Any]:
    return {
        "handler": hook.handler.ordinal,
        "name": hook.handler.name,
        "timeout": hook.timeout,
        "on_error": "allow",
        "async": hook.handler.is_async,
    }


def _statusline(line: StatusLine) -> dict[str, Any]:
    return {"handler": line.handler.ordinal, "name": line.handler.name, "options": dict(line.options)}


def _actions(actions: Iterable[Action]) -> dict[str, dict[str, dict[str, Any]]]:
    table: dict[str, dict[str, dict[str, Any]]] = {}
    for action in actions:
        table.setdefault(action.id, {})[action.host or "*"] = {
            "handler": action.handler.ordinal,
            "name": action.handler.name,
            "label": action.label,
            "confirm": action.confirm,
            "async": action.handler.is_async,
        }
    return table
