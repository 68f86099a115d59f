"""OpenAI Chat Completions: read a request, write an answer whole or as server-sent events."""

import json
from collections.abc import Iterator, Mapping

from agent_connector.rehearse.model.shape import Object, obj, objects, parts, text
from agent_connector.rehearse.model.turns import Asked, Offer, Result, Role, Turn

API = "chat"
ROLES: Mapping[str, Role] = {
    "system": "system",
    "developer": "system",
    "user": "user",
    "assistant": "assistant",
    "tool": "tool",
}


def read(body: Object, path: str) -> Asked:
    """The request in neutral words."""
    texts: list[tuple[Role, str]] = []
    results: list[Result] = []
    names: dict[str, str] = {}
    for message in objects(body.get("messages")):
        role = ROLES.get(text(message.get("role")), "user")
        said = [text(part.get("text")) for part in parts(message.get("content"))]
        texts.extend((role, piece) for piece in said)
        for call in objects(message.get("tool_calls")):
            function = obj(call.get("function"))
            names[text(call.get("id"))] = text(function.get("name"))
            texts.append((role, text(function.get("arguments"))))
        if role == "tool":
            of = text(message.get("tool_call_id"))
            results.append(Result(of, names.get(of, ""), "\n".join(said)))
    functions = [obj(tool.get("function")) for tool in objects(body.get("tools"))]
    texts.extend(("offer", text(function.get("description"))) for function in functions)
    offers = tuple(Offer(text(function.get("name")), None, obj(function.get("parameters"))) for function in functions)
    return Asked(API, text(body.get("model")), bool(body.get("stream")), tuple(texts), offers, tuple(results))


def answer(turn: Turn, asked: Asked) -> Object:
    """The whole completion."""
    message: Object = {"role": "assistant", "content": turn.text or None}
    if turn.calls:
        message["tool_calls"] = _calls(turn)
    choice = {"index": 0, "message": message, "finish_reason": _finish(turn)}
    return {**_head(turn, asked, "chat.completion"), "choices": [choice], "usage": _usage(turn)}


def stream(turn: Turn, asked: Asked) -> Iterator[str]:
    """The same as chunks; usage stands in a last chunk without choices, as `include_usage` has it."""
    head = _head(turn, asked, "chat.completion.chunk")

    def chunk(delta: Object, finish: str | None = None) -> str:
        return _data({**head, "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]})

    yield chunk({"role": "assistant", "content": ""})
    if turn.text:
        yield chunk({"content": turn.text})
    for index, call in enumerate(_calls(turn)):
        yield chunk({"tool_calls": [{"index": index, **call}]})
    yield chunk({}, _finish(turn))
    yield _data({**head, "choices": [], "usage": _usage(turn)})
    yield "data: [DONE]\n\n"


def _head(turn: Turn, asked: Asked, kind: str) -> Object:
    return {"id": f"chatcmpl-{turn.id}", "object": kind, "created": int(asked.at), "model": asked.model}


def _finish(turn: Turn) -> str:
    return "tool_calls" if turn.calls else "stop"


def _calls(turn: Turn) -> list[Object]:
    return [
        {
            "id": f"call_{call.id}",
            "type": "function",
            "function": {"name": call.name, "arguments": json.dumps(dict(call.arguments))},
        }
        for call in turn.calls
    ]


def _usage(turn: Turn) -> Object:
    usage = turn.usage
    return {
        "prompt_tokens": usage.prompt,
        "completion_tokens": usage.output,
        "total_tokens": usage.prompt + usage.output,
        "prompt_tokens_details": {"cached_tokens": usage.cache_read},
        "completion_tokens_details": {"reasoning_tokens": usage.reasoning},
    }


def _data(value: Object) -> str:
    return f"data: {json.dumps(value, ensure_ascii=False)}\n\n"
