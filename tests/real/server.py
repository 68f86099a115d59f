"""A small MCP server for rehearsals, standard library only: three tools whose calls can be told apart.

`probe` may be called by anyone (readOnlyHint), `guarded` needs a person's approval, `broken` always fails.
"""

import json
import sys

SCHEMA = {"type": "object", "properties": {"case": {"type": "string"}, "text": {"type": "string"}}}
TOOLS = [
    {
        "name": "probe",
        "description": "Answers with its own arguments.",
        "inputSchema": SCHEMA,
        "annotations": {"readOnlyHint": True},
    },
    {
        "name": "guarded",
        "description": "Answers with its own arguments; it may change things.",
        "inputSchema": SCHEMA,
        "annotations": {"readOnlyHint": False, "destructiveHint": True},
    },
    {
        "name": "broken",
        "description": "Fails.",
        "inputSchema": SCHEMA,
        "annotations": {"readOnlyHint": True},
    },
]


def answer(request: dict) -> dict:
    """The result of one request."""
    method, parameters = request["method"], request.get("params") or {}
    if method == "initialize":
        version = parameters.get("protocolVersion", "2025-06-18")
        info = {"name": "rehearsed", "version": "1"}
        return {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": info}
    if method == "tools/list":
        return {"tools": TOOLS}
    if method == "tools/call":
        text = f"RESULT {parameters['name']} {json.dumps(parameters.get('arguments') or {}, sort_keys=True)}"
        return {"content": [{"type": "text", "text": text}], "isError": parameters["name"] == "broken"}
    if method == "ping":
        return {}
    raise LookupError(method)


def main() -> None:
    for line in sys.stdin:
        request = json.loads(line)
        if "id" not in request or "method" not in request:
            continue
        reply = {"jsonrpc": "2.0", "id": request["id"]}
        try:
            reply["result"] = answer(request)
        except LookupError as error:
            reply["error"] = {"code": -32601, "message": f"no method {error}"}
        print(json.dumps(reply), flush=True)


if __name__ == "__main__":
    main()
