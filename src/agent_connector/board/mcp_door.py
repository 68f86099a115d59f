"""`/mcp`: the tools, served by the official SDK in both ages of the protocol to whoever holds a key.

No MCP session is kept: every request stands alone, so any process of the board can answer it, and a restart loses none.
A refusal is an answer with `isError` whose structure is `{"error": {"code", "message", "field"?, "retryAfter"?}}`.
"""

import asyncio
import json
import logging
from collections.abc import Mapping
from contextvars import ContextVar
from functools import cache
from typing import Any, cast

import jsonschema
import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel.server import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from mcp.shared.exceptions import MCPError
from sqlalchemy.exc import SQLAlchemyError
from starlette.requests import Request
from starlette.types import Receive, Scope, Send

from agent_connector.board import tools
from agent_connector.board.doors import address
from agent_connector.board.guard import MOST_BODY, Refused
from agent_connector.board.keys import Caller, caller, used
from agent_connector.board.limits import Buckets
from agent_connector.board.store import Store
from agent_connector.board.tools import Tool
from agent_connector.errors import BoardRefused, BoardUnreachable
from agent_connector.version import __version__

CALLER: ContextVar[Caller] = ContextVar("board_caller")
# Host and Origin were looked at before, for everything the board serves.
_OPEN = TransportSecuritySettings(enable_dns_rebinding_protection=False)
_LOG = logging.getLogger("agent_connector.board")
_WORDS = {"type": "of type", "enum": "one of", "minimum": "at least", "maximum": "at most", "maxItems": "at most"}
Context = ServerRequestContext[Any, Any]


class McpDoor:
    """An ASGI app. `start` and `stop` are called in one task, as the SDK wants it."""

    def __init__(self, store: Store, keys: Buckets, strangers: Buckets) -> None:
        self._store = store
        self._keys = keys
        self._strangers = strangers
        self._manager: StreamableHTTPSessionManager | None = None

    async def run(self, ready: asyncio.Event, over: asyncio.Event) -> None:
        """Serve until `over`; the SDK's manager is good for one life."""
        server = Server[Any](
            "agent-connector board", version=__version__, on_list_tools=self._listed, on_call_tool=self._called
        )
        self._manager = StreamableHTTPSessionManager(
            server, json_response=True, stateless=True, security_settings=_OPEN, max_request_body_size=MOST_BODY
        )
        try:
            async with self._manager.run():
                ready.set()
                await over.wait()
        finally:
            ready.set()
            self._manager = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        try:
            found = await self._caller(request)
        except Refused as refused:
            await refused.response()(scope, receive, send)
            return
        if self._manager is None:
            raise RuntimeError("the board's application was not started: serve it with its lifespan")
        token = CALLER.set(found)
        try:
            await self._manager.handle_request(scope, receive, send)
        finally:
            CALLER.reset(token)

    async def _caller(self, request: Request) -> Caller:
        if request.method != "POST":  # nothing is sent but answers
            raise Refused(405, "method_not_allowed", {"allow": "POST"})
        who = address(request)
        self._strangers.check(who)
        key = request.headers.get("x-api-key") or _bearer(request)
        try:
            found = await self._store.reading(caller, key) if key else None
        except BoardUnreachable as error:
            raise Refused(503, "unavailable", {"retry-after": str(int(error.retry_after or 2))}) from error
        if found is None:
            self._strangers.take(who)
            raise Refused(401, "unauthorized", {"www-authenticate": 'Bearer realm="agent-connector board"'})
        self._keys.take(found[0].prefix)
        if found[1]:
            await self._store.writing(used, found[0].prefix)
        return found[0]

    async def _listed(self, ctx: Context, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[_described(tool) for tool in tools.ALL])

    async def _called(self, ctx: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        tool = tools.BY_NAME.get(params.name)
        if tool is None:
            raise MCPError(types.INVALID_PARAMS, "there is no such tool", {"code": "unknown_tool"})
        given = {name: value for name, value in (params.arguments or {}).items() if value is not None}
        try:
            _check(tool, given)
            run = self._store.writing if tool.writes else self._store.reading
            call = tools.call_by_itself if tool.by_itself else tools.call
            return _answer(await run(call, CALLER.get(), tool, given))
        except BoardRefused as error:
            return _refusal(error.code, error.what, {"field": error.where} if error.where else {})
        except BoardUnreachable as error:
            return _refusal("unavailable", error.what, {"retryAfter": error.retry_after or 2})
        except SQLAlchemyError as error:  # its text may hold what somebody wrote
            _LOG.error("%s failed: %s", tool.name, type(error).__name__)
            return _refusal("internal", "the board could not do that", {})


def _check(tool: Tool, given: Mapping[str, Any]) -> None:
    error = next(_validator(tool.name).iter_errors(given), None)
    if error is not None:
        where, said = _fault(tool, given, error)
        raise BoardRefused(said[:200], code="invalid", where=where[:200])


def _fault(tool: Tool, given: Mapping[str, Any], error: jsonschema.ValidationError) -> tuple[str, str]:
    """Which argument it is, and what is allowed for it."""
    if error.validator == "required":
        return next(name for name in tool.needs if name not in given), "it is missing"
    if error.validator == "additionalProperties":
        return next(name for name in given if name not in tool.takes), f"{tool.name} takes no such argument"
    where, allowed = ".".join(str(part) for part in error.absolute_path), cast("Any", error.validator_value)
    if error.validator == "anyOf":
        return where, "not a text or a list of at most 20 texts"
    told = ", ".join(allowed) if error.validator == "enum" else allowed
    return where, f"not {_WORDS.get(str(error.validator), error.validator)} {told}"


@cache
def _validator(name: str) -> Any:
    """Events are judged one by one in `rules`, which is many times as fast."""
    schema = tools.BY_NAME[name].schema
    events = schema["properties"].get("events")
    if events is not None:
        schema["properties"]["events"] = {"type": "array", "items": {"type": "object"}}
    return jsonschema.Draft202012Validator(schema)


def _described(tool: Tool) -> types.Tool:
    hints = types.ToolAnnotations(read_only_hint=not tool.writes, open_world_hint=False)
    return types.Tool(name=tool.name, description=tool.about, input_schema=tool.schema, annotations=hints)


def _answer(value: Mapping[str, Any], failed: bool = False) -> types.CallToolResult:
    text = types.TextContent(type="text", text=json.dumps(value, ensure_ascii=False))
    return types.CallToolResult(content=[text], structured_content=dict(value), is_error=failed)


def _refusal(code: str, message: str, more: Mapping[str, Any]) -> types.CallToolResult:
    return _answer({"error": {"code": code, "message": message, **more}}, failed=True)


def _bearer(request: Request) -> str:
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if kind.lower() == "bearer" else ""
