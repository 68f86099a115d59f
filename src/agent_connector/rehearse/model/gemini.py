"""Gemini generateContent and streamGenerateContent: read a request, write an answer whole or as server-sent events."""

import json
from collections.abc import Iterator

from agent_connector.rehearse.model.shape import Object, leaves, obj, objects, text
from agent_connector.rehearse.model.turns import Asked, Offer, Result, Role, Turn

API = "gemini"


def read(body: Object, path: str) -> Asked:
    """The request in neutral words. The model's name and whether to stream stand in the path, not in the body."""
    texts: list[tuple[Role, str]] = [("system", leaf) for leaf in leaves(body.get("systemInstruction"))]
    results: list[Result] = []
    for content in objects(body.get("contents")):
        role: Role = "assistant" if content.get("role") == "model" else "user"
        for part in objects(content.get("parts")):
            if response := obj(part.get("functionResponse")):
                said = "\n".join(leaves(response.get("response")))
                results.append(Result(text(response.get("id")), text(response.get("name")), said))
                texts.append(("tool", said))
            elif call := obj(part.get("functionCall")):
                texts.append((role, json.dumps(call.get("args"), ensure_ascii=False)))
            else:
                texts.append((role, text(part.get("text"))))
    name, _, verb = path.rpartition("/")[2].partition(":")
    tools = [one for tool in objects(body.get("tools")) for one in objects(tool.get("functionDeclarations"))]
    texts.extend(("offer", text(one.get("description"))) for one in tools)
    offers = tuple(
        Offer(text(one.get("name")), None, obj(one.get("parametersJsonSchema") or one.get("parameters")))
        for one in tools
    )
    return Asked(API, name, verb.startswith("stream"), tuple(texts), offers, tuple(results))


def answer(turn: Turn, asked: Asked) -> Object:
    """The whole response."""
    said: list[Object] = [{"text": turn.text}] if turn.text else []
    calls: list[Object] = [
        {"functionCall": {"id": call.id, "name": call.name, "args": dict(call.arguments)}} for call in turn.calls
    ]
    return _response(turn, asked, said + calls, last=True)


def stream(turn: Turn, asked: Asked) -> Iterator[str]:
    """The same as chunks, text before calls; the finish reason and the usage come with the last."""
    if turn.text and turn.calls:
        yield _data(_response(turn, asked, [{"text": turn.text}], last=False))
        turn = Turn(turn.id, "", turn.calls, turn.usage)
    yield _data(answer(turn, asked))


def _response(turn: Turn, asked: Asked, parts: list[Object], *, last: bool) -> Object:
    candidate: Object = {"index": 0, "content": {"role": "model", "parts": parts}}
    response: Object = {"candidates": [candidate], "modelVersion": asked.model, "responseId": turn.id}
    if not last:
        return response
    candidate["finishReason"] = "STOP"
    usage = turn.usage
    return response | {
        "usageMetadata": {
            "promptTokenCount": usage.prompt,
            "cachedContentTokenCount": usage.cache_read,
            "candidatesTokenCount": usage.output - usage.reasoning,
            "thoughtsTokenCount": usage.reasoning,
            "totalTokenCount": usage.prompt + usage.output,
        }
    }


def _data(value: Object) -> str:
    return f"data: {json.dumps(value, ensure_ascii=False)}\n\n"
