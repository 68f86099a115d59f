"""JSON-RPC messages of both ways, followed from request to answer, in both ages of the protocol.

Handshake age: `initialize` tells who the client is. Stateless age (2026-07-28): each request's `_meta` does.
Nothing here changes a message, and nothing of one is kept but counts, names and times.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, cast

from agent_connector.telemetry import content
from agent_connector.telemetry.frames import EDGE, IN
from agent_connector.telemetry.lines import Long, Lost, Message, Seen
from agent_connector.telemetry.rows import UNKNOWN, Rows
from agent_connector.telemetry.tokenizer import HEURISTIC, NOTHING, Count, Counter, guess

CLIENT = "io.modelcontextprotocol/clientInfo"
_TURN = "x-codex-turn-metadata"  # in it Codex tells session and model with each call
_OPEN = 10_000  # requests that may wait for an answer
_EARLY = 4  # answers that may wait for their request: the pump forwards before it shows, and some servers are quicker
_COUNTED = ("tools/call", "resources/read", "prompts/get")
_FOLLOWED = (*_COUNTED, "tools/list", "initialize", "server/discover", "tasks/result", "tasks/get")
_ID = re.compile(rb'"id"\s*:\s*("(?:[^"\\]|\\.)*"|-?\d+)')
_NAME = re.compile(rb'"name"\s*:\s*("(?:[^"\\]|\\.)*")')
_DATA = re.compile(rb'"data"\s*:\s*"([A-Za-z0-9+/=]+)')

Fields = Mapping[str, Any]
Key = tuple[str, Any]


@dataclass(frozen=True, slots=True)
class Request:
    """What is remembered of a request until its answer."""

    method: str
    time: int
    tool: str = ""
    given: Count = NOTHING
    client: str = ""
    family: str = ""
    session: str = ""
    task: str = ""


class Meter:
    """Follows one connection. `clock` turns a time of the pump (microseconds) into one of the calendar (ms)."""

    def __init__(
        self, rows: Rows, counter: Callable[[], Counter], careful: Callable[[], Counter], clock: Callable[[int], int]
    ) -> None:
        self.rows = rows
        self.counter = counter
        self.careful = careful  # counts what is told once: definitions
        self.clock = clock
        self.client = ""
        self.open: dict[Key, Request] = {}
        self.early: dict[Key, tuple[Fields, int]] = {}
        self.tasks: dict[str, Request] = {}
        self.roots: set[Key] = set()
        self.gap = 0  # when answers were last lost

    def see(self, seen: Seen) -> None:
        """Take a message, or what is known of one."""
        if isinstance(seen, Lost):
            self._lost(seen)
        elif isinstance(seen, Long):
            self._long(seen)
        else:
            self.objects(seen.way, seen.time, _objects(seen))

    def objects(self, way: bytes, time: int, objects: Iterable[Fields]) -> None:
        """Take messages that are parsed already."""
        for one in objects:
            if "method" in one:
                self._request(way, time, one)
            elif "id" in one:
                self._answer(way, time, one)

    def end(self, time: int) -> None:
        """The connection is over: calls that were never answered failed."""
        for request in self.open.values():
            if request.method in _COUNTED and request.time > self.gap:
                self._row(request, NOTHING, time, error=True)
        self.open.clear()

    def _request(self, way: bytes, time: int, one: Fields) -> None:
        method, params = one.get("method"), _fields(one.get("params"))
        if way != IN:
            if method == "roots/list" and "id" in one:
                self.roots.add(_key(one["id"]))
            return
        if method == "notifications/cancelled":
            self._cancelled(time, params)
        if "id" not in one:
            return
        if method not in _FOLLOWED:
            self._remember(one["id"], Request("", time))
            return
        meta = _fields(params.get("_meta"))
        if method == "initialize":
            self.client = _name(params.get("clientInfo"))
        client = _name(meta.get(CLIENT)) or self.client
        turn = _fields(meta.get(_TURN))
        family = self.rows.origin.family(client, str(turn.get("model", "")))
        request = Request(
            method,
            time,
            tool=str(params.get("name", "")) if method == "tools/call" else method,
            client=client,
            family=family,
            session=str(turn.get("session_id") or ""),
            task=str(params.get("taskId", "")),
        )
        if method in _COUNTED:
            request = replace(request, given=self._given(method, params, family))
        self._remember(one["id"], request)

    def _given(self, method: str, params: Fields, family: str) -> Count:
        value = params.get("uri") if method == "resources/read" else params.get("arguments")
        return content.arguments(self.counter(), family, value)

    def _remember(self, id: Any, request: Request) -> None:
        early = self.early.pop(_key(id), None)
        if early:
            self._answered(request, *early)
            return
        if len(self.open) >= _OPEN:
            del self.open[next(iter(self.open))]
        self.open[_key(id)] = request

    def _cancelled(self, time: int, params: Fields) -> None:
        request = self.open.pop(_key(params.get("requestId")), None)
        if request and request.method in _COUNTED:
            self._row(request, NOTHING, time, error=True)

    def _answer(self, way: bytes, time: int, one: Fields) -> None:
        key = _key(one["id"])
        if way == IN:
            if key in self.roots:
                self.roots.discard(key)
                self._rooted(_fields(one.get("result")))
            return
        request = self.open.pop(key, None)
        if request:
            self._answered(request, one, time)
            return
        if len(self.early) >= _EARLY:
            del self.early[next(iter(self.early))]
        self.early[key] = one, time

    def _answered(self, request: Request, one: Fields, time: int) -> None:
        if "error" in one:
            message = str(_fields(one["error"]).get("message", ""))
            if request.method in _COUNTED:
                self._row(request, self.counter().text(message, request.family), time, error=True)
            return
        self._result(request, _fields(one.get("result")), time)

    def _result(self, request: Request, result: Fields, time: int) -> None:
        family = request.family
        if request.method == "tools/call":
            self._called(request, result, time)
        elif request.method == "resources/read":
            self._row(request, content.resources(self.counter(), family, result), time)
        elif request.method == "prompts/get":
            self._row(request, content.prompt(self.counter(), family, result), time)
        elif request.method == "tools/list":
            listed = [_fields(one) for one in _list(result.get("tools"))]
            self.rows.tools(self.careful(), listed, client=request.client, family=family, when=self.clock(time))
        elif request.task:
            self._task(request, result, time)
        elif request.method in ("initialize", "server/discover"):
            text = result.get("instructions")
            self.rows.instructions(self.careful(), text, client=request.client, family=family, when=self.clock(time))

    def _called(self, request: Request, result: Fields, time: int) -> None:
        """A call's result; one that asks for more input, or names a task, comes later."""
        if result.get("resultType") == "input_required":
            return
        task = _fields(result.get("task")) or (result if result.get("resultType") == "task" else {})
        if task.get("taskId"):
            self.tasks[str(task["taskId"])] = request
            return
        brought = content.result(self.counter(), request.family, result)
        self._row(request, brought, time, error=result.get("isError") is True)

    def _task(self, request: Request, result: Fields, time: int) -> None:
        """The answer of a task is the result of the call that began it."""
        done = _fields(result.get("result")) if request.method == "tasks/get" else result
        if done and request.task in self.tasks:
            self._called(self.tasks.pop(request.task), done, time)

    def _rooted(self, result: Fields) -> None:
        for root in _list(result.get("roots"))[:1]:
            self.rows.origin = self.rows.origin.in_root(str(_fields(root).get("uri", "")))

    def _long(self, seen: Long) -> None:
        """A message too long to hold: who it belongs to, and its tokens by its size."""
        count = _by_size(seen, self.rows.origin.family(self.client))
        if seen.way == IN:
            name = _NAME.search(seen.head)
            if name and b'"tools/call"' in seen.head:
                found = _ID.search(seen.head[: name.start()]) or _last(_ID, seen.tail)
                family = self.rows.origin.family(self.client)
                request = Request("tools/call", seen.time, json.loads(name[1]), count, self.client, family)
                self._remember(json.loads(found[1]) if found else None, request)
            return
        for found in (_ID.search(seen.head[:EDGE]), _last(_ID, seen.tail[-EDGE:])):
            request = self.open.pop(_key(json.loads(found[1])), None) if found else None
            if request:
                if request.method == "tools/list":
                    self.rows.read(UNKNOWN, count, request.client, request.family, self.clock(seen.time))
                elif request.method in _COUNTED:
                    self._row(request, count, seen.time, error=b'"isError":true' in seen.tail)
                return

    def _lost(self, seen: Lost) -> None:
        """Answers that went by uncounted: their number and size."""
        if seen.way == IN:
            return
        self.gap = seen.time
        count = Count(seen.size // 4, HEURISTIC)
        self.rows.call(UNKNOWN, NOTHING, count, 0, client=self.client, number=seen.lines, when=self.clock(seen.time))

    def _row(self, request: Request, brought: Count, time: int, *, error: bool = False) -> None:
        self.rows.call(
            request.tool,
            request.given,
            brought,
            max(0, time - request.time) / 1000,
            error=error,
            client=request.client,
            family=request.family,
            session=request.session,
            when=self.clock(time),
        )


def _by_size(seen: Long, family: str) -> Count:
    """Tokens of a message by its size and the look of its first part; pictures and sound by formula."""
    start = seen.head.decode("utf-8", "replace")
    data = _DATA.search(seen.head)
    for kind in ("image", "audio"):
        if data and f'"type":"{kind}"' in start.replace(" ", "")[:4096]:
            shown = data[1].decode()
            whole = shown + "A" * (min(seen.size, 1 << 28) - len(shown)) if kind == "audio" else shown
            return replace(content.binary(whole, kind, family), source=HEURISTIC)
    sample = start[:4096]
    size = max(len(sample.encode("utf-8", "replace")), 1)
    return Count(guess(sample) * seen.size // size, HEURISTIC)


def _objects(seen: Message) -> list[Fields]:
    """The message's objects: one, or those of a batch; none when it is no JSON."""
    try:
        value = json.loads(seen.data)
    except (ValueError, RecursionError):
        return []
    return [one for one in (_list(value) if isinstance(value, list) else [value]) if isinstance(one, dict)]


def _last(pattern: re.Pattern[bytes], data: bytes) -> re.Match[bytes] | None:
    return next(reversed(list(pattern.finditer(data))), None)


def _key(id: Any) -> Key:
    """Ids 1 and "1" are two; what is no id is itself as text."""
    return (type(id).__name__, id) if isinstance(id, str | int | float) else ("", str(id))


def _name(info: Any) -> str:
    return str(_fields(info).get("name", ""))


def _fields(value: Any) -> Fields:
    return cast(Fields, value) if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    return cast(list[Any], value) if isinstance(value, list) else []
