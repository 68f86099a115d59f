"""Tool calls as agents tell them over ACP: in pieces, by many names. Each is told once when it is known, and ends once."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from agent_connector.drive.acp_words import KINDS, NAME, NAME_KEYS, Object, metadata, parent, table, tables, text
from agent_connector.drive.events import Called, Returned, RunEvent

OVER = ("completed", "failed")
KEPT = 4096  # ids of calls that are over, so that a late word of one is no new call
# How titles tell a server and its tool, and a tool and what it is called with.
_SERVER_TOOL = (
    re.compile(r"Tool: (?P<server>[\w.-]+)/(?P<name>[\w.-]+)"),
    re.compile(r"(?P<name>[\w.-]+) \((?P<server>[\w.-]+) MCP Server\)"),
)
_TOOL_WITH = re.compile(r"(?P<tool>[A-Za-z_][\w.-]{0,79}): .+", re.DOTALL)
_MCP = re.compile(r"mcp__(?P<server>.+?)__(?P<name>.+)")


@dataclass
class _Call:
    id: str
    title: str = ""
    first_title: str = ""
    kind: str = ""
    named: str = ""
    server: str = ""
    raw: Any = None
    content: str = ""  # what looks like the arguments, as they come in
    paths: tuple[str, ...] = ()
    parent: str | None = None
    told: bool = False

    def learn(self, update: Object) -> None:
        """What this word adds; an empty field takes nothing back."""
        self.title = text(update.get("title")) or self.title
        self.first_title = self.first_title or self.title
        kind = text(update.get("kind"))
        self.kind = kind if kind in KINDS else self.kind
        meta = metadata(update)
        names = [text(update.get("name")), *(text(meta.get(key)) for key in NAME_KEYS)]
        self.named = self.named or next((name for name in names if NAME.fullmatch(name)), "")
        self.server = self.server or text(meta.get("serverId")) or text(table(meta.get("mcpServer")).get("name"))
        self.raw = update.get("rawInput") or self.raw
        shown = _words(update)
        self.content = shown if shown.lstrip().startswith("{") else self.content
        self.paths = tuple(dict.fromkeys((*self.paths, *_paths(update))))
        self.parent = self.parent or parent(update)

    @property
    def arguments(self) -> Any:
        """As the agent gives them, else the JSON that it shows of them."""
        raw = table(self.raw)
        if raw:
            return raw["arguments"] if self._names_server else raw
        if self.raw:
            return self.raw
        try:
            return table(json.loads(self.content)) or None
        except ValueError:
            return None

    @property
    def known(self) -> bool:
        """A working folder alone is not what a tool is called with."""
        arguments = self.arguments
        return bool(arguments) and table(arguments).keys() != {"cwd"}

    def called(self) -> Called:
        tool, server, name = self._names()
        return Called(
            self.id,
            tool,
            self.arguments,
            server,
            name,
            self.parent,
            self.kind or None,
            self.title or None,
            paths=self.paths,
            guessed=not self.named and not self._names_server,
        )

    @property
    def _names_server(self) -> bool:
        return {"server", "tool", "arguments"} <= table(self.raw).keys()

    def _names(self) -> tuple[str, str | None, str | None]:
        raw = table(self.raw)
        if self._names_server:
            return self._mcp(text(raw["server"]), text(raw["tool"]))
        name = self.named
        if not name:
            for form in _SERVER_TOOL:
                if found := form.fullmatch(self.first_title):
                    return self._mcp(found["server"], found["name"])
            found = _TOOL_WITH.fullmatch(self.first_title)
            plain = self.first_title if NAME.fullmatch(self.first_title) else ""
            name = plain or (found["tool"] if found else "") or self.kind or "other"
        found = _MCP.fullmatch(name)
        if found:
            return name, found["server"], found["name"]
        return name, self.server or None, name if self.server else None

    def _mcp(self, server: str, name: str) -> tuple[str, str, str]:
        return f"mcp__{server}__{name}", server, name


@dataclass
class Calls:
    """The calls that are under way."""

    _open: dict[str, _Call] = field(default_factory=dict[str, _Call])
    _over: dict[str, None] = field(default_factory=dict[str, None])

    def heard(self, update: Object) -> Sequence[RunEvent]:
        """A `tool_call` or `tool_call_update`."""
        call, status = self._learn(update), text(update.get("status"))
        if call is None:
            return ()
        streaming = call.content.lstrip().startswith("{") and not call.raw
        if (call.known and not streaming) or status in OVER or (status == "in_progress" and not streaming):
            events = self._tell(call)
        else:
            events = []
        if status in OVER:
            events.append(_returned(call, update))
            self._end(call)
        return events

    def asked(self, told: Object) -> tuple[Called | None, Sequence[RunEvent]]:
        """The call that a permission is asked for; None: it has no id."""
        call = self._learn(told, anew=True)
        return (call.called(), self._tell(call)) if call else (None, ())

    def rest(self) -> Sequence[RunEvent]:
        """The calls of which nothing was known until the end."""
        return [event for call in self._open.values() for event in self._tell(call)]

    def _learn(self, update: Object, *, anew: bool = False) -> _Call | None:
        id = text(update.get("toolCallId"))
        if not id or (id in self._over and not anew):
            return None
        call = self._open.setdefault(id, _Call(id))
        call.learn(update)
        return call

    def _tell(self, call: _Call) -> list[RunEvent]:
        if call.told:
            return []
        call.told = True
        return [call.called()]

    def _end(self, call: _Call) -> None:
        del self._open[call.id]
        self._over[call.id] = None
        while len(self._over) > KEPT:
            self._over.pop(next(iter(self._over)))


def _paths(update: Object) -> list[str]:
    """The files that a call is about: where it is, and what it would change."""
    told = [text(one.get("path")) for one in (*tables(update.get("locations")), *tables(update.get("content")))]
    return [path for path in told if path]


def _words(update: Object) -> str:
    parts = [text(table(item.get("content")).get("text")) for item in tables(update.get("content"))]
    return "\n".join(filter(None, parts))


def _returned(call: _Call, update: Object) -> Returned:
    output = update.get("rawOutput")
    failed = update.get("status") == "failed" or table(output).get("isError") is True
    return Returned(call.id, _words(update) or None if output is None else output, failed, call.parent)
