"""The MCP endpoint of a scripted app: a few tools, in pages, as JSON or as an event stream."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from agent_connector.byoa.core.effects import Request, Response

SESSION = "mcp-session-1"


@dataclass
class ScriptedMcp:
    """`tools`: name -> what a call with these arguments gives (a text), or raises."""

    tools: dict[str, Callable[[dict[str, Any]], str]]
    stream: bool = False
    page: int = 2
    calls: list[tuple[str, dict[str, Any]]] = field(default_factory=list[tuple[str, dict[str, Any]]])
    sessions: int = 0
    open: bool = False
    silent: bool = False  # answers nothing from here on
    failures: int = 0  # how many requests are answered with 500 first

    def answer(self, request: Request, now: float) -> Response | None:
        message = json.loads(request.body)
        if self.silent:
            return None
        if self.failures:
            self.failures -= 1
            return Response(500)
        headers = {name.lower(): value for name, value in request.headers}
        if message["method"] == "initialize":
            self.sessions += 1
            self.open = True
            result: dict[str, Any] = {
                "protocolVersion": "2025-06-18",
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "app"},
            }
            return self._say(message["id"], result, {"mcp-session-id": SESSION})
        assert headers["mcp-protocol-version"] == "2025-06-18"
        assert headers["mcp-session-id"] == SESSION
        if not self.open:
            return Response(404)
        if "id" not in message:
            return Response(202)
        return self._say(message["id"], self._result(message["method"], message["params"]), {})

    def _result(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        if method == "tools/list":
            start = int(params.get("cursor", 0))
            names = list(self.tools)[start : start + self.page]
            more = {"nextCursor": str(start + self.page)} if start + self.page < len(self.tools) else {}
            schema = {"type": "object", "properties": {"q": {"type": "string"}}}
            return {
                "tools": [{"name": name, "description": f"Does {name}", "inputSchema": schema} for name in names],
                **more,
            }
        self.calls.append((params["name"], params["arguments"]))
        return {"content": [{"type": "text", "text": self.tools[params["name"]](params["arguments"])}]}

    def _say(self, id: int, result: dict[str, Any], headers: dict[str, str]) -> Response:
        body = json.dumps({"jsonrpc": "2.0", "id": id, "result": result}).encode()
        if self.stream:
            note = b'data: {"jsonrpc":"2.0","method":"notifications/message","params":{}}\n\n'
            return Response(200, {"content-type": "text/event-stream", **headers}, note + b"data: " + body + b"\n\n")
        return Response(200, {"content-type": "application/json", **headers}, body)
