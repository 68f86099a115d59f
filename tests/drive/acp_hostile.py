"""An agent that mixes garbage of every shape into what it says over ACP; the first word is the seed."""

import json
import os
import random
import sys
from typing import Any

rnd = random.Random(int(sys.argv[1]))
NAMES = (
    "type",
    "text",
    "content",
    "sessionUpdate",
    "toolCallId",
    "id",
    "usage",
    "cost",
    "amount",
    "kind",
    "locations",
    "path",
    "options",
)
KINDS = (
    "agent_message_chunk",
    "agent_thought_chunk",
    "tool_call",
    "tool_call_update",
    "plan",
    "usage_update",
    "zz",
    5,
    None,
)
FIELDS = (
    "content",
    "toolCallId",
    "title",
    "kind",
    "status",
    "rawInput",
    "rawOutput",
    "locations",
    "used",
    "size",
    "cost",
    "_meta",
)
METHODS = ("fs/read_text_file", "terminal/create", "session/request_permission", "zz", 5)


def raw(data: bytes) -> None:
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def send(value: Any) -> None:
    raw(json.dumps(value).encode() + b"\n")


def anything(deep: int = 0) -> Any:
    plain = (None, True, 0, -1, 2**63, 10**400, float("nan"), "", "\ud800", "\0", "s-1", "a" * 3_000)
    match rnd.randrange(4) if deep < 4 else 0:
        case 1:
            return [anything(deep + 1) for _ in range(rnd.randrange(3))]
        case 2:
            return {rnd.choice(NAMES): anything(deep + 1) for _ in range(rnd.randrange(4))}
        case _:
            return rnd.choice(plain)


def update() -> Any:
    told = {"sessionUpdate": rnd.choice(KINDS), **{name: anything() for name in FIELDS if rnd.random() < 0.5}}
    about = {"sessionId": "s-1", "update": told}
    return {"jsonrpc": "2.0", "method": "session/update", "params": rnd.choice((about, about, about, anything()))}


def garbage() -> None:
    match rnd.randrange(10):
        case 0:
            raw(rnd.randbytes(200) + b"\n")
        case 1:
            raw(b"[" * 100_000 + b"\n")
        case 2:
            raw(b'{"method":"session/update","params":' + b'{"a":' * 5_000 + b"\n")
        case 3:
            raw(b"\xff\xfe{\n\r\n\x00\n" + b"x" * 300_000 + b"\n")
        case 4:
            send({"jsonrpc": "2.0", "id": anything(), "result": anything()})
        case 5:
            send(
                {
                    "jsonrpc": "2.0",
                    "id": rnd.choice((7, "q", anything())),
                    "method": rnd.choice(METHODS),
                    "params": anything(),
                }
            )
        case 6:
            asked = {"sessionId": "s-1", "toolCall": anything(), "options": anything()}
            send({"jsonrpc": "2.0", "id": 99, "method": "session/request_permission", "params": asked})
        case _:
            send(update())


for line in sys.stdin:
    asked = json.loads(line)
    for _ in range(rnd.randrange(12)):
        garbage()
    if "id" not in asked or "method" not in asked:
        continue
    answers = {
        "initialize": {"protocolVersion": rnd.choice((1, anything())), "agentCapabilities": anything()},
        "session/new": {
            "sessionId": rnd.choice(("s-1", "s-1", anything())),
            "modes": anything(),
            "configOptions": anything(),
        },
        "session/prompt": {
            "stopReason": rnd.choice(("end_turn", anything())),
            "usage": anything(),
            "_meta": anything(),
        },
    }
    if asked["method"] == "session/prompt" and rnd.random() < 0.2:
        os._exit(3)
    send({"jsonrpc": "2.0", "id": asked["id"], "result": rnd.choice((answers.get(asked["method"], {}), anything()))})
