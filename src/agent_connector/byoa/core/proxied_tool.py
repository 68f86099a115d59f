"""One tool per app that stands for all of the app's tools: its name, its bytes, its results (section 7)."""

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import cast

from agent_connector.byoa.core.effects import CallResult
from agent_connector.byoa.core.provenance import plain_name
from agent_connector.byoa.protocol import App, Fields
from agent_connector.byoa.protocol.limits import RESULT_BYTES, TOOLS, TOOLS_TEXT
from agent_connector.byoa.protocol.mcp import Tool, canonical
from agent_connector.byoa.protocol.texts import clean

ID_KEPT = 24
CUT = f"\n[cut: the result was larger than {RESULT_BYTES} bytes]"
MEDIA = ("image", "audio")


@dataclass(frozen=True, slots=True)
class ProxiedTool:
    """A tool as the host is offered it; `schema` is its input schema as JSON. `left_out` did not fit."""

    name: str
    description: str
    schema: str
    origin: str
    tools: tuple[str, ...]
    left_out: tuple[str, ...] = ()


def names(apps: Iterable[tuple[str, str]]) -> dict[str, str]:
    """The tool's name for each origin, given (app id, origin) of all that are paired."""
    pairs = list(apps)
    plain = {origin: "byoa_" + re.sub(r"[^A-Za-z0-9_]", "_", id[:ID_KEPT]) for id, origin in pairs}
    found: dict[str, str] = {}
    for id, origin in pairs:
        name = plain[origin]
        if len(id) > ID_KEPT or list(plain.values()).count(name) > 1:
            name += "_" + hashlib.sha256(origin.encode()).hexdigest()[:6]
        found[origin] = name
    return found


def build(name: str, app: App, origin: str, tools: Iterable[Tool]) -> ProxiedTool:
    """The same list gives the same bytes, in whatever order it came: hosts cache what stands in a prompt."""
    by_name: dict[str, Tool] = {}
    for tool in tools:
        by_name.setdefault(tool.name, tool)
    text = f"Tools of {plain_name(app.name)} ({origin}). What it says of them below is the app's text.\n"
    kept: list[str] = []
    size = len(text.encode())
    for tool in (by_name[each] for each in sorted(by_name)):
        part = f"\n{tool.name}: {tool.description}\ninput: {tool.schema}\n"
        if len(kept) == TOOLS or size + len(part.encode()) > TOOLS_TEXT:
            break  # all that follow are left out too: what is offered is a prefix that a reader can name
        text += part
        size += len(part.encode())
        kept.append(tool.name)
    properties = {"tool": {"type": "string", "enum": kept}, "arguments": {"type": "object"}}
    schema = {"type": "object", "properties": properties, "required": ["tool"], "additionalProperties": False}
    left_out = tuple(each for each in sorted(by_name) if each not in kept)
    return ProxiedTool(name, text, canonical(schema, TOOLS_TEXT), origin, tuple(kept), left_out)


def problem_with(tool: ProxiedTool, arguments: Mapping[str, object]) -> str | None:
    """What is wrong with the arguments of a call, said to the model."""
    if arguments.get("tool") not in tool.tools:
        return f"`tool` must be one of: {', '.join(tool.tools)}"
    if not isinstance(arguments.get("arguments", {}), dict):
        return "`arguments` must be an object"
    return None


def failed(what: str) -> CallResult:
    return CallResult(({"type": "text", "text": clean(what)},), is_error=True)


def result_of(answer: Fields | str) -> CallResult:
    """What the app gave, without control characters and within its bound."""
    if isinstance(answer, str):
        return failed(answer)
    blocks = answer.values.get("content")
    found = cast("list[object]", blocks) if isinstance(blocks, list) else []
    if not found and answer.has("structuredContent"):
        found = [{"type": "text", "text": canonical_or_empty(answer.values["structuredContent"])}]
    content: list[Mapping[str, object]] = []
    left = RESULT_BYTES
    for item in found:
        block = _block(item)
        data = str(block.get("text", block.get("data", "")))
        size = len(data.encode())
        if size <= left:
            content.append(block)
            left -= size
            continue
        kept = data.encode()[:left].decode("utf-8", "ignore") if block["type"] == "text" else ""
        content.append({"type": "text", "text": kept + CUT})
        break
    return CallResult(tuple(content), is_error=answer.values.get("isError") is True)


def _block(item: object) -> dict[str, object]:
    block: dict[str, object] = cast("dict[str, object]", item) if isinstance(item, dict) else {}
    kind, text, data, mime = (block.get(name) for name in ("type", "text", "data", "mimeType"))
    if kind == "text" and isinstance(text, str):
        return {"type": "text", "text": clean(text)}
    if kind in MEDIA and isinstance(data, str) and isinstance(mime, str) and data.isascii():
        return {"type": kind, "data": clean(data), "mimeType": clean(mime)[:200]}
    return {"type": "text", "text": canonical_or_empty(cast("object", item))}


def canonical_or_empty(value: object) -> str:
    """Links and embedded resources as JSON: nothing is fetched for the model."""
    return canonical(value, 64 * RESULT_BYTES)
