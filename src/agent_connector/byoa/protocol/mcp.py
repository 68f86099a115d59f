"""JSON-RPC as the proxied tool speaks it: requests out, the one answer found in a body of either type (section 7)."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import cast

from agent_connector.byoa.protocol import limits
from agent_connector.byoa.protocol.fields import Fields, ProtocolError, compact, dump, load_value, visible_ascii
from agent_connector.byoa.protocol.texts import clean

VERSIONS = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
LINE_END = re.compile(rb"\r\n|\n|\r")


@dataclass(frozen=True, slots=True)
class RpcError:
    """The server's refusal of a request."""

    code: int
    message: str


def request(id: int, method: str, params: Mapping[str, object] | None = None) -> bytes:
    return dump(compact({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))


def notification(method: str) -> bytes:
    return dump({"jsonrpc": "2.0", "method": method})


def parse_answer(data: bytes, content_type: str, id: int) -> Fields | RpcError:
    """The result or error with this id; whatever else the server sends along is passed over."""
    if len(data) > limits.MCP_BODY:
        raise ProtocolError(f"larger than {limits.MCP_BODY} bytes")
    kind = content_type.partition(";")[0].strip().lower()
    if kind not in ("application/json", "text/event-stream"):
        raise ProtocolError("neither JSON nor an event stream", "content-type")
    for message in _events(data) if kind == "text/event-stream" else _bodies(data):
        fields = Fields(message)
        if "method" in fields.values or not _same_id(fields.values.get("id"), id):
            continue
        if fields.has("error"):
            return _error(fields.inner("error"))
        return fields.inner("result")
    raise ProtocolError("no answer to the request")


def _same_id(found: object, id: int) -> bool:
    return isinstance(found, int) and not isinstance(found, bool) and found == id


def _error(fields: Fields) -> RpcError:
    message = fields.values.get("message")
    code = fields.integer("code", -limits.COUNT)
    # on one line: it stands among other lines that a person reads
    return RpcError(
        code, " ".join(clean(message[: limits.TOOL_DESCRIPTION]).split()) if isinstance(message, str) else ""
    )


def _bodies(data: bytes) -> Iterator[object]:
    value = load_value(data, limits.MCP_BODY)
    if isinstance(value, list):  # a batch, as one revision of the protocol allowed
        yield from cast("list[object]", value)
    else:
        yield value


def _events(data: bytes) -> Iterator[object]:
    """The data of each event of an event stream; the last one counts also when its blank line was lost."""
    lines: list[bytes] = []
    for line in [*LINE_END.split(data.removeprefix(b"\xef\xbb\xbf")), b""]:
        if line.startswith(b"data:"):
            lines.append(line[5:].removeprefix(b" "))
        elif not line and lines:
            text = b"\n".join(lines)
            lines = []
            if text.strip():
                yield from _bodies(text)


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool of an app; `schema` is its input schema as canonical JSON, so that the same list gives the same bytes."""

    name: str
    description: str
    schema: str

    def value(self) -> dict[str, object]:
        return {"name": self.name, "description": self.description, "inputSchema": json.loads(self.schema)}


@dataclass(frozen=True, slots=True)
class ToolPage:
    """One page of `tools/list`; `refused` counts tools whose name or schema cannot be used."""

    tools: tuple[Tool, ...]
    refused: int = 0
    next: str | None = None


def read_tools(result: Fields) -> ToolPage:
    tools: list[Tool] = []
    items = result.items("tools", limits.TOOLS_READ)
    for where, item in items:
        try:
            tools.append(_tool(Fields(item, where)))
        except ProtocolError:
            continue
    following = result.text("nextCursor", limits.URL) if result.values.get("nextCursor") else None
    return ToolPage(tuple(tools), len(items) - len(tools), following)


def _tool(fields: Fields) -> Tool:
    name = fields.text("name", limits.TOOL_NAME, visible_ascii)
    description = fields.values.get("description")
    most = limits.TOOL_DESCRIPTION
    text = (
        clean(description[: 4 * most])[:most] if isinstance(description, str) else ""
    )  # what follows is not looked at
    return Tool(name, text, canonical(fields.inner("inputSchema").values, limits.TOOL_SCHEMA))


def canonical(value: object, most: int) -> str:
    """One spelling per value: sorted keys, ASCII only, so that no control or bidi character survives unescaped."""
    try:
        text = json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)
    except (RecursionError, ValueError):
        raise ProtocolError("cannot be written as JSON") from None
    if len(text) > most:
        raise ProtocolError(f"larger than {most} bytes")
    return text
