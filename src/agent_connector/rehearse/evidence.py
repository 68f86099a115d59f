"""What was written down during a rehearsal: messages at the server, and calls of our launcher, as values."""

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from agent_connector.connector.light import Event
from agent_connector.hosts.contract import Hooks
from agent_connector.rehearse.model.shape import Object, obj, objects, parts, text

SERVER_LOG = "server.jsonl"
LAUNCHER_FOLDER = "launcher"
STATELESS_CLIENT = "io.modelcontextprotocol/clientInfo"


@dataclass(frozen=True, slots=True)
class ToolRun:
    """A tools/call that reached the server, and what the server answered (None: nothing)."""

    at: float
    tool: str
    arguments: Mapping[str, Any]
    request: Object
    answer: Object | None

    @property
    def texts(self) -> tuple[str, ...]:
        """The texts of the result."""
        content = objects(obj(obj(self.answer).get("result")).get("content"))
        return tuple(said for part in content if (said := text(part.get("text"))))


@dataclass(frozen=True, slots=True)
class ServerSeen:
    """What the server saw. `tools` is None as long as nobody listed them."""

    started: int = 0  # how many times
    failed: str = ""  # why it could not be started, or how it ended before its first word
    client: str = ""
    tools: tuple[Object, ...] | None = None
    lists: tuple[tuple[Object, Object], ...] = ()  # (request, answer) of each tools/list
    runs: tuple[ToolRun, ...] = ()


@dataclass(frozen=True, slots=True)
class HookSeen:
    """A hook that a host started: what it gave and what it got. `code` is None when it did not wait for the end."""

    began: float
    ended: float
    host_event: str
    event: Event | None  # None: the payload could not be read
    output: str
    stderr: str
    code: int | None


def server_seen(records: str) -> ServerSeen:
    """From the witness's log; an empty value when the server never started."""
    started, failed, client = 0, "", ""
    spoke, died = False, ""
    tools: dict[str, Object] = {}
    lists: list[tuple[Object, Object]] = []
    runs: list[ToolRun] = []
    notes = list(_lines(os.path.join(records, SERVER_LOG)))
    for note in notes:
        started += "started" in note
        failed = text(note.get("failed")) or failed
        spoke = spoke or note.get("to") == "host"
        code = note.get("ended")
        if isinstance(code, int) and code >= 0:  # else the host ended it
            said = text(note.get("said"))
            died = f"it ended before it answered, with exit code {code}" + (f": {said}" if said else "")
    if died and not spoke:
        failed = died
    for at, request, answer in _exchanges(notes):
        parameters = obj(request.get("params"))
        client = _client(parameters) or client
        if request.get("method") == "tools/list" and answer:
            lists.append((request, answer))
            tools |= {text(tool.get("name")): tool for tool in objects(obj(answer.get("result")).get("tools"))}
        elif request.get("method") == "tools/call":
            runs.append(ToolRun(at, text(parameters.get("name")), obj(parameters.get("arguments")), request, answer))
    return ServerSeen(started, failed, client, tuple(tools.values()) if lists else None, tuple(lists), tuple(runs))


def _exchanges(notes: Sequence[Object]) -> list[tuple[float, Object, Object | None]]:
    """(when, request, answer) in order. A host may start the server more than once, and use an id again."""
    found: list[tuple[float, Object, Object | None]] = []
    waiting: dict[tuple[object, str], int] = {}
    for note in notes:
        for message in _messages(note):
            key = (note.get("by"), json.dumps(message.get("id")))
            if note.get("to") == "server" and "method" in message:
                waiting[key] = len(found)
                found.append((cast("float", note["t"]), message, None))
            elif note.get("to") == "host" and "method" not in message and key in waiting:
                index = waiting.pop(key)
                found[index] = (*found[index][:2], message)
    return found


def _client(parameters: Object) -> str:
    """Who asks: told once in the handshake, or with every request in the stateless protocol."""
    told = obj(parameters.get("clientInfo")) or obj(obj(parameters.get("_meta")).get(STATELESS_CLIENT))
    return text(told.get("name"))


def _lines(path: str) -> Iterator[Object]:
    """The notes in a log; a torn last line, from a process that was ended, is left out."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            lines = file.read().split("\n")
    except FileNotFoundError:
        return
    for line in lines[:-1]:
        yield obj(json.loads(line))


def _messages(note: Object) -> list[Object]:
    """A note's messages: one, or those of a batch."""
    try:
        value: object = json.loads(text(note.get("text")))
    except ValueError:
        return []
    return parts(value)


def hooks_seen(records: str, facet: Hooks | None, servers: Sequence[str]) -> tuple[HookSeen, ...]:
    """From the launcher's records, in the order in which the hooks were started."""
    folder = os.path.join(records, LAUNCHER_FOLDER)
    names = os.listdir(folder) if os.path.isdir(folder) else []
    found = [_hook(os.path.join(folder, name), facet, servers) for name in names]
    return tuple(sorted((hook for hook in found if hook), key=lambda hook: hook.began))


def _hook(folder: str, facet: Hooks | None, servers: Sequence[str]) -> HookSeen | None:
    argv = _text(folder, "argv").split("\n")
    if argv[0] != "hook" or len(argv) < 3:
        return None
    code = _text(folder, "code")
    began = os.stat(os.path.join(folder, "argv")).st_mtime
    out = os.path.join(folder, "code" if code else "argv")
    event: Event | None = None
    try:
        raw: object = json.loads(_text(folder, "in"))
    except ValueError:
        raw = None
    if facet is not None and isinstance(raw, dict):
        event = facet.parse(argv[2], cast("dict[str, Any]", raw), servers)
    return HookSeen(
        began,
        os.stat(out).st_mtime,
        argv[2],
        event,
        _text(folder, "out"),
        _text(folder, "err"),
        int(code) if code else None,
    )


def _text(folder: str, name: str) -> str:
    try:
        with open(os.path.join(folder, name), encoding="utf-8", errors="replace") as file:
            return file.read()
    except FileNotFoundError:
        return ""
