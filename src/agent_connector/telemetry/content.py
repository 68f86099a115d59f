"""What parts of MCP messages cost a model: arguments, results, tool definitions, resources, prompts.

What a model reads is counted once: text blocks as they are, structured content as compact JSON unless a text block
says the same, images and audio by formula. Binary resources count by their reference: no model reads them. `_meta`
and annotations are for programs and count nothing.
"""

import json
from collections.abc import Iterable, Mapping
from typing import Any, cast

from agent_connector.telemetry import media
from agent_connector.telemetry.tokenizer import NOTHING, Count, Counter

_DEFINITION = ("name", "description", "inputSchema")  # what hosts tell the model of a tool
_LINK = ("uri", "name", "title", "description", "mimeType")


def compact(value: Any) -> str:
    """JSON without blanks, letters as they are: the form in which models write and read it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def arguments(counter: Counter, family: str, given: Any) -> Count:
    """What the model wrote to call a tool."""
    return NOTHING if given is None else counter.text(compact(given), family)


def definition(counter: Counter, family: str, tool: Mapping[str, Any]) -> Count:
    """What a tool's definition costs each time it is put before the model."""
    return counter.text(compact(_part(tool, _DEFINITION)), family)


def result(counter: Counter, family: str, value: Mapping[str, Any]) -> Count:
    """What the model reads of a tool's result."""
    blocks = _mappings(value.get("content"))
    total = total_of(counter, family, blocks)
    structured = value.get("structuredContent")
    if structured is None or any(says_same(block.get("text"), structured) for block in blocks):
        return total
    return total + counter.text(compact(structured), family)


def total_of(counter: Counter, family: str, blocks: Iterable[Mapping[str, Any]]) -> Count:
    """The sum of content blocks."""
    return sum((block(counter, family, one) for one in blocks), NOTHING)


def block(counter: Counter, family: str, one: Mapping[str, Any]) -> Count:
    """One content block."""
    kind = one.get("type")
    if kind == "text":
        return counter.text(str(one.get("text", "")), family)
    if kind in ("image", "audio"):
        return binary(str(one.get("data", "")), kind, family)
    if kind == "resource" and isinstance(one.get("resource"), dict):
        return resource(counter, family, cast(dict[str, Any], one["resource"]))
    return counter.text(compact(_part(one, _LINK)), family)


def binary(data: str, kind: str, family: str) -> Count:
    """Base64 of an image or of audio."""
    return media.image(data, family) if kind == "image" else media.audio(data, family)


def resource(counter: Counter, family: str, one: Mapping[str, Any]) -> Count:
    """The contents of a resource: text, or a picture or sound as base64; anything else by its reference."""
    if isinstance(one.get("text"), str):
        return counter.text(one["text"], family)
    kind = str(one.get("mimeType", "")).partition("/")[0]
    if kind in ("image", "audio") and isinstance(one.get("blob"), str):
        return binary(one["blob"], kind, family)
    return counter.text(compact(_part(one, _LINK)), family)


def resources(counter: Counter, family: str, value: Mapping[str, Any]) -> Count:
    """What `resources/read` brought."""
    return sum((resource(counter, family, one) for one in _mappings(value.get("contents"))), NOTHING)


def prompt(counter: Counter, family: str, value: Mapping[str, Any]) -> Count:
    """What `prompts/get` brought."""
    contents = [message.get("content") for message in _mappings(value.get("messages"))]
    flat = [one for part in contents for one in (_mappings(part) if isinstance(part, list) else _mappings([part]))]
    return total_of(counter, family, flat)


def says_same(text: Any, structured: Any) -> bool:
    """True when a text block says what the structured content says, which may be wrapped as `{"result": ...}`."""
    if not isinstance(text, str):
        return False
    fields = cast(dict[str, Any], structured) if isinstance(structured, dict) else {}
    wrapped = [fields["result"]] if list(fields) == ["result"] else []
    if text in wrapped:
        return True
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return False
    return value == structured or value in wrapped


def _part(value: Mapping[str, Any], names: Iterable[str]) -> dict[str, Any]:
    return {name: value[name] for name in names if value.get(name) is not None}


def _mappings(value: Any) -> list[Mapping[str, Any]]:
    return [one for one in cast(list[Any], value) if isinstance(one, dict)] if isinstance(value, list) else []
