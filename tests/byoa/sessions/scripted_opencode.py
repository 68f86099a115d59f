"""A server that behaves as OpenCode 1.18.33 was seen to: its routes, its events in their order, what it forgets.

A test plays the model (`says`, `calls`, `steps`, `ends`) and the person (`types`, `escapes`); prompts of apps come over
the transport. Text that is still growing is not in the answer of `/message`, as in the real one.
"""

import asyncio
import json
import re
from collections.abc import AsyncIterator
from typing import Any

import httpx2

RULES = [
    {"permission": "*", "pattern": "*", "action": "allow"},
    {"permission": "doom_loop", "pattern": "*", "action": "ask"},
    {"permission": "external_directory", "pattern": "*", "action": "ask"},
    {"permission": "external_directory", "pattern": "/tmp/opencode/*", "action": "allow"},
    {"permission": "read", "pattern": "*.env", "action": "ask"},
]
PROVIDERS = {
    "providers": [
        {"id": "other", "models": {"x": {"variants": {}}}, "options": {"apiKey": "sk-secret"}},
        {"id": "p", "models": {"m": {"variants": {}}, "m2": {"variants": {"low": {}, "high": {}}}}},
    ],
    "default": {"p": "m"},
}


class Stream(httpx2.AsyncByteStream):
    """One client's events; None breaks it."""

    def __init__(self) -> None:
        self.queue: asyncio.Queue[bytes | None] = asyncio.Queue()

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while (piece := await self.queue.get()) is not None:
            yield piece


class ScriptedOpenCode(httpx2.AsyncBaseTransport):
    def __init__(self, directory: str) -> None:
        self.directory = directory
        self.up = True
        self.password = ""
        self.rules = RULES
        self.sessions: dict[str, dict[str, Any]] = {}
        self.messages: dict[str, list[dict[str, Any]]] = {}
        self.busy: set[str] = set()
        self.questions: dict[str, dict[str, Any]] = {}
        self.bodies: list[dict[str, Any]] = []  # of prompts
        self.servers: dict[str, dict[str, Any]] = {}  # MCP servers that it was told of
        self.registrations = 0
        self.toasts: list[str] = []
        self.aborts = 0
        self.refuses = 0  # the status that prompts are answered with
        self.streams: list[Stream] = []
        self._count = 0
        self._answer: dict[str, dict[str, Any]] = {}  # session -> the assistant's message that is written

    # The person.

    def opens(self, id: str, parent: str | None = None) -> str:
        """A session; it becomes the newest."""
        info: dict[str, Any] = {"id": id, "title": f"About {id}", "directory": self.directory}
        if parent is not None:
            info["parentID"] = parent
        self.sessions[id], self.messages[id] = info, []
        self.emit("session.created", sessionID=id, info=info)
        return id

    def types(self, id: str, text: str, *, agent: str = "build", model: str = "m", **part: Any) -> str:
        """A prompt, and OpenCode takes it up when it has nothing else to do; gives the message's id."""
        prompt = self.asked(id, [{"type": "text", "text": text, **part}], agent, {"providerID": "p", "modelID": model})
        if id not in self.busy:
            self.takes_up(id)
        return prompt

    def asked(self, id: str, parts: list[dict[str, Any]], agent: str = "build", model: Any = None) -> str:
        info = {"id": self._id("msg"), "role": "user", "sessionID": id, "agent": agent, "model": model}
        self._message(id, info)
        for part in parts:
            self._part(id, info["id"], {"id": self._id("prt"), **part})
        return info["id"]

    def escapes(self, id: str) -> None:
        """The running turn is aborted; prompts behind it are never taken up."""
        self.emit("session.error", sessionID=id, error={"name": "MessageAbortedError"})
        self._idle(id)
        answer = self._answer.pop(id, None)
        if answer is not None:
            answer["error"] = {"name": "MessageAbortedError", "data": {"message": "Aborted"}}
            self.emit("message.updated", sessionID=id, info=answer)
        self._idle(id)

    # The model, and OpenCode around it.

    def takes_up(self, id: str, **info: Any) -> str:
        """The assistant's next message, an answer to the newest prompt."""
        self.busy.add(id)
        self.emit("session.status", sessionID=id, status={"type": "busy"})
        newest = [each["info"] for each in self.messages[id] if each["info"]["role"] == "user"][-1]
        answer = {"id": self._id("msg"), "role": "assistant", "sessionID": id, "parentID": newest["id"], **info}
        self._answer[id] = answer
        self._message(id, answer)
        self.emit("session.status", sessionID=id, status={"type": "busy"})
        return answer["id"]

    def says(self, id: str, *words: str, kind: str = "text", ends: bool = True, heard: bool = True) -> str:
        """A part with these words, in deltas; `heard` is off while nobody's stream carries them."""
        part: dict[str, Any] = {"id": self._id("prt"), "type": kind, "text": "", "time": {"start": 1}}
        self._part(id, self._answer[id]["id"], part)
        self.goes_on(id, part["id"], *words, ends=ends)
        return part["id"]

    def goes_on(self, id: str, part: str, *words: str, ends: bool = True) -> None:
        message = self._answer[id]["id"]
        kept = self._kept(id, message, part)
        for word in words:
            kept["_growing"] = kept.get("_growing", "") + word
            self.emit("message.part.delta", sessionID=id, messageID=message, partID=part, field="text", delta=word)
        if ends:
            kept |= {"text": kept.pop("_growing", ""), "time": {"start": 1, "end": 2}}
            self._told(id, kept)

    def calls(self, id: str, tool: str) -> None:
        call = self._id("call")
        part = {"id": self._id("prt"), "type": "tool", "tool": tool, "callID": call}
        for state in ("pending", "running", "completed"):
            self._part(id, self._answer[id]["id"], {**part, "state": {"status": state, "input": {"secret": "input"}}})

    def steps(self, id: str, finish: str) -> None:
        """The assistant's message is complete."""
        answer = self._answer.pop(id)
        answer["finish"] = finish
        self.emit("message.updated", sessionID=id, info=answer)
        self.emit("session.status", sessionID=id, status={"type": "busy"})

    def ends(self, id: str, finish: str = "stop") -> None:
        self.steps(id, finish)
        self._idle(id)

    def asks(self, id: str, kind: str = "permission") -> str:
        question = {"id": self._id("per"), "sessionID": id, "permission": "bash"}
        self.questions[question["id"]] = question
        self.emit(f"{kind}.asked", **question)
        return question["id"]

    def replied(self, question: str, reply: str = "once", kind: str = "permission") -> None:
        session = self.questions.pop(question)["sessionID"]
        self.emit(f"{kind}.replied", sessionID=session, requestID=question, reply=reply)

    # Faults.

    def drops(self) -> None:
        """The streams break; the server stays."""
        for stream in self.streams:
            stream.queue.put_nowait(None)
        self.streams = []

    def restarts(self) -> None:
        """Another process with the same sessions: what ran is over, and servers that it was told of are forgotten."""
        self.busy.clear()
        self._answer.clear()
        self.servers.clear()
        self.questions.clear()
        self.up = True
        self.drops()

    # The routes.

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        if not self.up:
            raise httpx2.ConnectError("connection refused")
        if self.password and request.headers.get("authorization") != self.password:
            return httpx2.Response(401)
        body = json.loads(await request.aread() or b"null")
        path, query = request.url.path, dict(request.url.params)
        if path == "/global/event":
            return httpx2.Response(200, stream=self._stream())
        status, value = self.route(request.method, path, query, body)
        return httpx2.Response(status, content=b"" if value is None else json.dumps(value).encode())

    def route(self, method: str, path: str, query: dict[str, str], body: Any) -> tuple[int, Any]:
        if found := re.fullmatch(r"/session/(ses_\w+)(?:/(\w+))?", path):
            return self._session(found[1], found[2] or "", query, body)
        match method, path:
            case "GET", "/global/health":
                return 200, {"healthy": True, "version": "1.18.33"}
            case "GET", "/session":
                roots = [info for info in self.sessions.values() if "parentID" not in info]
                return 200, roots[::-1][: int(query["limit"])]
            case "GET", "/session/status":
                return 200, {id: {"type": "busy"} for id in self.busy}
            case "GET", "/config/providers":
                return 200, PROVIDERS
            case "GET", "/agent":
                return 200, [{"name": "build", "permission": self.rules}, {"name": "plan", "permission": RULES}]
            case "GET", "/permission":
                return 200, list(self.questions.values())
            case "GET", "/question":
                return 200, []
            case "GET", "/mcp":
                return 200, {name: {"status": "connected"} for name in self.servers}
            case "POST", "/mcp":
                self.registrations += 1
                self.servers[body["name"]] = body["config"]
                return 200, {body["name"]: {"status": "connected"}}
            case "POST", "/mcp/byoa/disconnect":
                return (200, True) if self.servers.pop("byoa", None) else (404, None)
            case "POST", "/tui/show-toast":
                self.toasts.append(body["message"])
                return 200, True
            case _:
                return 404, {"name": "NotFoundError"}

    def _session(self, id: str, what: str, query: dict[str, str], body: Any) -> tuple[int, Any]:
        if id not in self.sessions:
            return 404, {"name": "NotFoundError"}
        match what:
            case "":
                return 200, self.sessions[id]
            case "message":
                public = [
                    {**each, "parts": [{k: v for k, v in part.items() if k != "_growing"} for part in each["parts"]]}
                    for each in self.messages[id]
                ]
                return 200, public[-int(query["limit"]) :]
            case "prompt_async":
                if self.refuses:
                    return self.refuses, None
                self.bodies.append(body)
                self.asked(id, body["parts"], body.get("agent", "build"), body.get("model"))
                if id not in self.busy:
                    self.takes_up(id)
                return 204, None
            case "abort":
                self.aborts += 1
                self.escapes(id)
                return 200, True
            case _:
                return 404, None

    # Below.

    def emit(self, kind: str, **properties: Any) -> None:
        event = {"directory": self.directory, "payload": {"id": "evt", "type": kind, "properties": properties}}
        for stream in self.streams:
            stream.queue.put_nowait(f"data: {json.dumps(event)}\n\n".encode())

    def _stream(self) -> Stream:
        stream = Stream()
        self.streams.append(stream)
        hello = {"payload": {"id": "evt", "type": "server.connected", "properties": {}}}
        stream.queue.put_nowait(f"data: {json.dumps(hello)}\n\n".encode())
        return stream

    def _message(self, id: str, info: dict[str, Any]) -> None:
        self.messages[id].append({"info": info, "parts": []})
        self.emit("message.updated", sessionID=id, info=info)

    def _part(self, id: str, message: str, part: dict[str, Any]) -> None:
        part |= {"sessionID": id, "messageID": message}
        parts = next(each["parts"] for each in self.messages[id] if each["info"]["id"] == message)
        parts[:] = [each for each in parts if each["id"] != part["id"]] + [part]
        self._told(id, part)

    def _told(self, id: str, part: dict[str, Any]) -> None:
        self.emit("message.part.updated", sessionID=id, part={k: v for k, v in part.items() if k != "_growing"})

    def _kept(self, id: str, message: str, part: str) -> dict[str, Any]:
        return next(
            kept
            for each in self.messages[id]
            if each["info"]["id"] == message
            for kept in each["parts"]
            if kept["id"] == part
        )

    def _idle(self, id: str) -> None:
        self.busy.discard(id)
        self.emit("session.status", sessionID=id, status={"type": "idle"})
        self.emit("session.idle", sessionID=id)

    def _id(self, kind: str) -> str:
        self._count += 1
        return f"{kind}_{self._count:06}"
