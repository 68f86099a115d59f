"""OpenAI Responses: read a request, write an answer whole or as server-sent events."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from agent_connector.rehearse.model.shape import Object, obj, objects, parts, text
from agent_connector.rehearse.model.turns import Asked, Call, Offer, Result, Role, Turn

API = "responses"
ROLES: Mapping[str, Role] = {"user": "user", "assistant": "assistant", "developer": "system", "system": "system"}


def read(body: Object, path: str) -> Asked:
    """The request in neutral words. Tools may stand in namespaces, whose descriptions reach the model too."""
    texts: list[tuple[Role, str]] = [("system", text(body.get("instructions")))]
    results: list[Result] = []
    names: dict[str, str] = {}
    tools = objects(body.get("tools"))
    given = body.get("input")
    for item in [{"role": "user", "content": given}] if isinstance(given, str) else objects(given):
        kind, call = text(item.get("type")) or "message", text(item.get("call_id"))
        if kind == "message":
            role = ROLES.get(text(item.get("role")), "user")
            texts.extend((role, text(part.get("text"))) for part in parts(item.get("content")))
        elif kind == "additional_tools":
            tools += objects(item.get("tools"))
        elif kind.endswith("_call"):
            names[call] = text(item.get("name"))
            texts.append(("assistant", text(item.get("arguments")) or text(item.get("input"))))
        elif kind.endswith("_call_output"):
            said = "\n".join(text(part.get("text")) for part in parts(item.get("output")))
            results.append(Result(call, names.get(call, ""), said))
            texts.append(("tool", said))
    offers = [offer for tool in tools for offer in _offers(tool)]
    spaces = [inner for tool in tools for inner in objects(tool.get("tools"))]
    texts.extend(("offer", text(tool.get("description"))) for tool in [*tools, *spaces])
    return Asked(API, text(body.get("model")), bool(body.get("stream")), tuple(texts), tuple(offers), tuple(results))


def _offers(tool: Object) -> list[Offer]:
    """One tool, or those of a namespace."""
    if tool.get("type") != "namespace":
        return [_offer(tool, None)]
    return [_offer(inner, text(tool.get("name"))) for inner in objects(tool.get("tools"))]


def _offer(tool: Object, namespace: str | None) -> Offer:
    """A custom tool takes a text; one that speaks of ALL_TOOLS takes a program that calls tools (Codex' code mode)."""
    runs_code = tool.get("type") == "custom" and "ALL_TOOLS" in text(tool.get("description"))
    name = text(tool.get("name")) or text(tool.get("type"))
    return Offer(name, namespace, obj(tool.get("parameters")), runs_code)


def answer(turn: Turn, asked: Asked) -> Object:
    """The whole response."""
    return _response(turn, asked, _items(turn), "completed")


def stream(turn: Turn, asked: Asked) -> Iterator[str]:
    """The same as events."""
    yield _event("response.created", response=_response(turn, asked, [], "in_progress"))
    items = _items(turn)
    for index, item in enumerate(items):
        started: Object = {**item, "status": "in_progress"}
        if item["type"] == "message":
            started["content"] = []
        yield _event("response.output_item.added", output_index=index, item=started)
        place = {"item_id": item["id"], "output_index": index}
        if item["type"] == "message":
            yield _event("response.output_text.delta", **place, content_index=0, delta=turn.text)
            yield _event("response.output_text.done", **place, content_index=0, text=turn.text)
        elif item["type"] == "custom_tool_call":
            yield _event("response.custom_tool_call_input.delta", **place, delta=item["input"])
            yield _event("response.custom_tool_call_input.done", **place, input=item["input"])
        else:
            yield _event("response.function_call_arguments.delta", **place, delta=item["arguments"])
            yield _event("response.function_call_arguments.done", **place, arguments=item["arguments"])
        yield _event("response.output_item.done", output_index=index, item=item)
    yield _event("response.completed", response=_response(turn, asked, items, "completed"))


def _response(turn: Turn, asked: Asked, items: list[Object], status: str) -> Object:
    usage: Object | None = {
        "input_tokens": turn.usage.prompt,
        "input_tokens_details": {"cached_tokens": turn.usage.cache_read},
        "output_tokens": turn.usage.output,
        "output_tokens_details": {"reasoning_tokens": turn.usage.reasoning},
        "total_tokens": turn.usage.prompt + turn.usage.output,
    }
    return {
        "id": f"resp_{turn.id}",
        "object": "response",
        "created_at": int(asked.at),
        "status": status,
        "model": asked.model,
        "output": items,
        "usage": usage if status == "completed" else None,
    }


def _items(turn: Turn) -> list[Object]:
    content: list[Object] = [{"type": "output_text", "text": turn.text, "annotations": []}]
    message: Object = {
        "id": f"msg_{turn.id}",
        "type": "message",
        "role": "assistant",
        "status": "completed",
        "content": content,
    }
    return ([message] if turn.text else []) + [_call(call) for call in turn.calls]


def _call(call: Call) -> Object:
    item: Object = {
        "id": f"fc_{call.id}",
        "type": "function_call",
        "status": "completed",
        "call_id": f"call_{call.id}",
        "name": call.name,
    }
    if call.code is None:
        item["arguments"] = json.dumps(dict(call.arguments))
    else:
        item |= {"type": "custom_tool_call", "id": f"ctc_{call.id}", "input": call.code}
    return item | ({"namespace": call.namespace} if call.namespace else {})


def _event(kind: str, **fields: Any) -> str:
    return f"event: {kind}\ndata: {json.dumps({'type': kind, **fields}, ensure_ascii=False)}\n\n"
