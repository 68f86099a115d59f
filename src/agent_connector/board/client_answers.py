"""What a board's answer means: its values, or one of the three errors that a worker knows."""

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from agent_connector.board import values
from agent_connector.board.client_http import Seen
from agent_connector.errors import BoardError, BoardRefused, BoardUnreachable

if TYPE_CHECKING:
    from mcp.shared.exceptions import MCPError
    from mcp_types import CallToolResult

_METHOD_NOT_FOUND, _INVALID_PARAMS, _CLOSED = -32601, -32602, -32000
_STATUS = {  # of HTTP, where the answer has no code of its own
    400: ("invalid", "the board does not understand the call"),
    401: ("unauthorized", "the board does not take this key: it is wrong, or was revoked"),
    403: ("forbidden", "the board does not allow that"),
    404: ("not_found", "there is no board at this address"),
    405: ("not_found", "there is no board at this address"),
    413: ("invalid", "the call is larger than the board takes"),
    421: ("forbidden", "the board does not answer to this name: start it with --allow-host"),
}
_KNOWN = ("unauthorized", "forbidden", "not_found", "stale_fence", "invalid", "conflict", "unknown_tool")
_OVER = ("unavailable", "internal", "too_many_requests", "rate_limited")  # words for: ask again later


class SessionLost(BoardUnreachable):
    """A board that keeps sessions has forgotten ours; it did nothing."""


def session_lost(seen: Seen, error: "MCPError") -> bool:
    """Where a call was understood before, a 404 without a word on tools means the session."""
    return seen.shaken and seen.status == 404 and error.code != _METHOD_NOT_FOUND and _code(error.data) is None


def closed(error: "MCPError") -> bool:
    """The SDK's own word for a connection that has ended, whatever ended it: no call will get through it any more."""
    return error.code == _CLOSED


def judged(tool: str, seen: Seen, error: "MCPError") -> BoardError:
    """What stands behind an error of the protocol, from what the line met meanwhile."""
    if seen.broken is not None:
        return BoardUnreachable(f"the line to the board broke ({seen.broken})", where=tool)
    if seen.status is not None and (seen.status == 429 or seen.status >= 500):
        return BoardUnreachable(f"the board answers {seen.status}", retry_after=seen.retry_after, where=tool)
    if session_lost(seen, error):
        return SessionLost("the board has forgotten the session", where=tool)
    code = _code(error.data)
    from_status = (
        error.code not in (_METHOD_NOT_FOUND, _INVALID_PARAMS) or error.message == "Not Found"
    )  # the SDK's word
    if code is None and seen.status in _STATUS and from_status:
        code, message = _STATUS[seen.status]
        return BoardRefused(message, code=code, where=tool)
    code = code or {_METHOD_NOT_FOUND: "unknown_tool", _INVALID_PARAMS: "invalid"}.get(error.code)
    if code in _KNOWN:
        return BoardRefused(_short(error.message), code=code, where=tool)
    return BoardUnreachable(_short(error.message) or "the board failed", where=tool)


def read(tool: str, result: "CallToolResult") -> Mapping[str, Any]:
    held = result.structured_content if result.structured_content is not None else _parsed(result)
    if not result.is_error:
        return values.record(held, tool)
    inner: Any = cast("Mapping[str, Any]", held).get("error", held) if isinstance(held, Mapping) else held
    code, message = _code(inner), _text(result)
    wait: Any = None
    if isinstance(inner, Mapping):
        told = cast("Mapping[str, Any]", inner)
        message = str(told.get("message") or message)
        wait = told.get("retryAfter")
    code = code or _first_word(message)
    if code in _OVER:
        raise BoardUnreachable(_short(message), retry_after=wait if isinstance(wait, int | float) else None, where=tool)
    raise BoardRefused(_short(message), code=code if code in _KNOWN else "invalid", where=tool)


def _parsed(result: "CallToolResult") -> object:
    """A server that gives no structure gives its JSON as text."""
    try:
        return json.loads(_text(result))
    except ValueError:
        return None


def _text(result: "CallToolResult") -> str:
    return "".join(getattr(block, "text", "") for block in result.content)


def _code(told: object) -> str | None:
    if isinstance(told, Mapping):
        code = cast("Mapping[str, Any]", told).get("code")
        return code.lower() if isinstance(code, str) else None
    return None


def _first_word(message: str) -> str | None:
    """`stale_fence: another worker ...`, or the words spelled out."""
    head = message.partition(":")[0].strip().lower().replace(" ", "_")
    return head if head in (*_KNOWN, *_OVER) else None


def _short(text: str) -> str:
    return text if len(text) <= 300 else text[:299] + "…"
