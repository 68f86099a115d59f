"""Anthropic Messages: read a request, write an answer whole or as server-sent events."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from agent_connector.rehearse.model.shape import Object, obj, objects, parts, text
from agent_connector.rehearse.model.turns import Asked, Offer, Result, Role, Turn

API = "anthropic"
ROLES: Mapping[str, Role] = {"user": "user", "assistant": "assistant", "system": "system"}


def read(body: Object, path: str) -> Asked:
    """The request in neutral words."""
    texts: list[tuple[Role, str]] = [("system", text(part.get("text"))) for part in parts(body.get("system"))]
    results: list[Result] = []
    names: dict[str, str] = {}
    for message in objects(body.get("messages")):
        role = ROLES.get(text(message.get("role")), "user")
        for part in parts(message.get("content")):
            if part.get("type") == "tool_use":
                names[text(part.get("id"))] = text(part.get("name"))
                texts.append((role, json.dumps(part.get("input"), ensure_ascii=False)))
            elif part.get("type") == "tool_result":
                said = "\n".join(text(inner.get("text")) for inner in parts(part.get("content")))
                call = text(part.get("tool_use_id"))
                results.append(Result(call, names.get(call, ""), said))
                texts.append(("tool", said))
            else:
                texts.append((role, text(part.get("text"))))
    tools = objects(body.get("tools"))
    texts.extend(("offer", text(tool.get("description"))) for tool in tools)
    offers = tuple(Offer(text(tool.get("name")), None, obj(tool.get("input_schema"))) for tool in tools)
    return Asked(API, text(body.get("model")), bool(body.get("stream")), tuple(texts), offers, tuple(results))


def answer(turn: Turn, asked: Asked) -> Object:
    """The whole message."""
    return {
        **_head(turn, asked),
        "content": _blocks(turn),
        "stop_reason": "tool_use" if turn.calls else "end_turn",
        "usage": _usage(turn, turn.usage.output),
    }


def stream(turn: Turn, asked: Asked) -> Iterator[str]:
    """The same as events; the final output count comes with `message_delta`, as the real API has it."""
    yield _event("message_start", message={**_head(turn, asked), "content": [], "usage": _usage(turn, 1)})
    for index, block in enumerate(_blocks(turn)):
        if block["type"] == "text":
            empty: Object = {"type": "text", "text": ""}
            delta: Object = {"type": "text_delta", "text": block["text"]}
        else:
            empty = {**block, "input": {}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
        yield _event("content_block_start", index=index, content_block=empty)
        yield _event("content_block_delta", index=index, delta=delta)
        yield _event("content_block_stop", index=index)
    stop = {"stop_reason": "tool_use" if turn.calls else "end_turn", "stop_sequence": None}
    yield _event("message_delta", delta=stop, usage=_usage(turn, turn.usage.output))
    yield _event("message_stop")


def _head(turn: Turn, asked: Asked) -> Object:
    return {
        "id": f"msg_{turn.id}",
        "type": "message",
        "role": "assistant",
        "model": asked.model,
        "stop_reason": None,
        "stop_sequence": None,
    }


def _blocks(turn: Turn) -> list[Object]:
    said: list[Object] = [{"type": "text", "text": turn.text}] if turn.text else []
    return said + [
        {"type": "tool_use", "id": f"toolu_{call.id}", "name": call.name, "input": dict(call.arguments)}
        for call in turn.calls
    ]


def _usage(turn: Turn, output: int) -> Object:
    return {
        "input_tokens": turn.usage.input,
        "cache_creation_input_tokens": turn.usage.cache_write,
        "cache_read_input_tokens": turn.usage.cache_read,
        "output_tokens": output,
    }


def _event(kind: str, **fields: Any) -> str:
    return f"event: {kind}\ndata: {json.dumps({'type': kind, **fields}, ensure_ascii=False)}\n\n"
