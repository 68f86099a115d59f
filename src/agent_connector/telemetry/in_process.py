"""Counting inside a server: one middleware for FastMCP and for `mcp` 2.x, with the rows that `serve` would write.

    server.add_middleware(telemetry.middleware("acme-db"))       FastMCP
    server.middleware.append(telemetry.middleware("acme-db"))    mcp: MCPServer and the low-level Server

Both libraries call it as `(context, call_next)`. Where `serve` already stands before this server it does nothing.
"""

import itertools
import os
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, cast

from agent_connector.home import paths
from agent_connector.telemetry.append import enabled
from agent_connector.telemetry.frames import IN, OUT
from agent_connector.telemetry.messages import CLIENT
from agent_connector.telemetry.origin import origin
from agent_connector.telemetry.rows import project_book
from agent_connector.telemetry.worker import Worker, now

SERVED = "AGENT_CONNECTOR_SERVED"  # set by `serve` for its server: the connector that is being measured
_COUNTED = ("initialize", "server/discover", "tools/list", "tools/call", "resources/read", "prompts/get")
_DUMP = {"by_alias": True, "mode": "json", "exclude_none": True}

Next = Callable[[Any], Awaitable[Any]]


def middleware(
    connector: str, *, host: str = "", model_family: str = "", store: str = "home", root: str | None = None
) -> "Middleware":
    """A middleware that counts the calls of `connector`'s own server."""
    root = paths.data_root(os.environ, os.path.expanduser("~")) if root is None else root
    if os.environ.get(SERVED) == connector or not enabled(root, connector, "middleware"):
        return Middleware(None)
    whence = origin(connector, host, model_family, os.environ, os.getcwd(), f"{os.getpid():x}-{now():x}")
    return Middleware(Worker(root, whence, "middleware", project_book(os.getcwd()) if store == "project" else ""))


class Middleware:
    """Passes every message on as it is, and shows a copy to the worker."""

    def __init__(self, worker: Worker | None) -> None:
        self.worker = worker
        self.numbers = itertools.count()

    async def __call__(self, context: Any, call_next: Next) -> Any:
        """Count one message around the rest of the chain."""
        method = context.method
        if self.worker is None or method not in _COUNTED:
            return await call_next(context)
        number, client = next(self.numbers), client_name(context)
        self.worker.seen(IN, lambda: [request(number, method, given(context), client)])
        try:
            result = await call_next(context)
        except BaseException as error:  # measured and raised again, a cancel too
            text = str(error)  # the model reads it; here it is only measured
            self.worker.seen(OUT, lambda: [{"id": number, "error": {"message": text}}])
            raise
        self.worker.seen(OUT, lambda: [{"id": number, "result": wire(result, method)}])
        return result

    async def check_resource_access(self, context: Any) -> None:
        """FastMCP asks each middleware whether a resource may be read."""


def request(number: int, method: str, params: Mapping[str, Any], client: str) -> dict[str, Any]:
    """The request as it would have stood on the wire; both ages tell the client in `_meta` here."""
    meta = {**cast(Mapping[str, Any], params.get("_meta") or {}), CLIENT: {"name": client}}
    return {"id": number, "method": method, "params": {**params, "_meta": meta}}


def given(context: Any) -> Mapping[str, Any]:
    """The request's params, of either library."""
    params = context.params if hasattr(context, "params") else context.message
    value = plain(params)
    inner = value.get("params")
    return cast(Mapping[str, Any], inner) if isinstance(inner, dict) else value


def client_name(context: Any) -> str:
    """The name that the client gave itself, "" when it is not known yet."""
    try:
        holder = context if hasattr(context, "session") else context.fastmcp_context
        info = holder.session.client_params.client_info
    except (AttributeError, RuntimeError, LookupError):
        return ""
    return str(getattr(info, "name", ""))


def wire(result: Any, method: str) -> Mapping[str, Any]:
    """A result as it goes over the wire: what mcp gives is that already, FastMCP's own types are turned into it."""
    if method == "tools/list" and hasattr(result, "__len__") and not hasattr(result, "keys"):
        return {"tools": [plain(tool.to_mcp_tool()) for tool in result]}
    if getattr(result, "input_required", None) is not None:
        return {"resultType": "input_required"}
    if method == "tools/call" and hasattr(result, "structured_content"):
        return {
            "content": [plain(block) for block in result.content],
            "structuredContent": plain_or_none(result.structured_content),
            "isError": bool(getattr(result, "is_error", False)),
        }
    if hasattr(result, "to_mcp_prompt_result"):
        return plain(result.to_mcp_prompt_result())
    if hasattr(result, "to_mcp_result"):
        return plain(result.to_mcp_result("resource:"))
    return plain(result)


def plain_or_none(value: Any) -> Any:
    """A value that may be a model."""
    return value.model_dump(**_DUMP) if hasattr(value, "model_dump") else value


def plain(value: Any) -> Mapping[str, Any]:
    """A model or mapping as plain values."""
    found = plain_or_none(value)
    return cast(Mapping[str, Any], found) if isinstance(found, dict) else {}
