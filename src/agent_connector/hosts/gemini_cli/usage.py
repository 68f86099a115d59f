"""Gemini CLI's chat files: a message is appended again when something about it changes; its last line counts.

New files hold a line for each message, and patches; older ones are one JSON document, which a resume turns into the
new form and may leave standing. Both give a message the same id.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from agent_connector.hosts.dialects.usage_places import name_of
from agent_connector.hosts.dialects.usage_values import (
    count,
    decode,
    decode_lines,
    dig,
    folder,
    mapping,
    moment,
    name,
    sequence,
)
from agent_connector.hosts.machine import Machine
from agent_connector.hosts.records import Place, Reader, Record, Source, UnknownFormat

SURE = "proven"
MERGE = "last"
NOTE = ""
SOURCES = (
    ("Gemini CLI 0.61.0, run against a scripted model", "2026-11-30"),
    ("the form of older chats, and of subagents': its code", "2026-11-30"),
)

_COUNTS = frozenset(("input", "output", "cached", "thoughts", "tool", "total"))


class _Line(msgspec.Struct, rename={"patch": "$set"}):
    """The first line of a file, a message, or a patch. Only what is named here is decoded."""

    sessionId: Any = None
    kind: Any = None
    directories: Any = None
    id: Any = None
    timestamp: Any = None
    type: Any = None
    model: Any = None
    tokens: Any = None
    patch: Any = None


def lines(lines: bytes, state: dict[str, Any], source: Source) -> Iterator[Record]:
    """The messages in appended lines; `state` keeps what the first line says of the session."""
    for line in decode_lines(lines, _Line, b'"tokens"', b'"sessionId"'):
        if line.sessionId is not None and line.type is None:
            state.update(_session(line.sessionId, line.kind, line.directories, source))
        yield from _messages([line], state, source)
        patched = sequence(dig(line.patch, "messages"))
        yield from _messages([_line(message) for message in patched], state, source)


def document(data: bytes, state: dict[str, Any], source: Source) -> Iterator[Record]:  # the form before JSONL
    """All messages of a chat in one file."""
    if not data:
        return
    chat = decode(data)
    if not isinstance(chat, dict) or not isinstance(dig(chat, "messages"), list):
        raise UnknownFormat("a chat without a list of messages")
    state.update(_session(dig(chat, "sessionId"), dig(chat, "kind"), dig(chat, "directories"), source))
    yield from _messages([_line(message) for message in sequence(dig(chat, "messages"))], state, source)


def _line(message: Any) -> _Line:
    return msgspec.convert(mapping(message), _Line)


def _session(session: Any, kind: Any, directories: Any, source: Source) -> dict[str, Any]:
    """A subagent's file lies in a folder that is named after the session it works for."""
    within = name_of(source.path, 1)
    works_for = "" if within == "chats" or kind != "subagent" else within
    project = next((found for found in map(folder, sequence(directories)) if found), "") or _project(source)
    return {"session": name(session), "parent": name(works_for), "project": project}


def _project(source: Source) -> str:
    """The folder that has the chats holds a file which names the project's; else its own name, or a hash, is all."""
    up = "../" if name_of(source.path, 1) == "chats" else "../../"
    root = source.beside(f"{up}.project_root") or b""
    return folder(root.decode("utf-8", "replace")) or name_of(source.path, up.count("/") + 1)


def _messages(messages: Sequence[_Line], state: dict[str, Any], source: Source) -> Iterator[Record]:
    for message in messages:
        if message.type == "gemini" and (tokens := mapping(message.tokens)):
            yield _record(message, tokens, state, source)


def _record(message: _Line, tokens: dict[str, Any], state: dict[str, Any], source: Source) -> Record:
    """The prompt's count has the cached tokens within and those of tools beside it; thoughts stand beside the output."""
    if not _COUNTS & tokens.keys():
        raise UnknownFormat("a message with token counts of other names")
    session = state.get("session") or name_of(source.path).partition(".")[0]
    identity = name(message.id) or f"{session}:{name(message.timestamp)}"
    prompt, cached, thought = (count(tokens.get(each)) for each in ("input", "cached", "thoughts"))
    return Record(
        key=identity if len(identity) >= 32 else f"{session}:{identity}",  # a UUID is the same in a copied session
        session=session,
        time=moment(message.timestamp) or source.modified,
        model=name(message.model),
        provider="google",
        project=state.get("project", ""),
        parent=state.get("parent", ""),
        input=max(0, prompt - cached) + count(tokens.get("tool")),
        cache_read=cached,
        output=count(tokens.get("output")) + thought,
        reasoning=thought,
        agent="subagent" if state.get("parent") else "",
    )


REACH = {"chat": 2, "old chat": 2}
READERS = {"chat": Reader("lines", 1, lines), "old chat": Reader("document", 1, document)}


def logs(machine: Machine) -> Sequence[Place]:
    """Chats of every project, subagents' in a folder below; `logs.json` beside them has no counts."""
    top = machine.join(machine.variables.get("GEMINI_CLI_HOME") or machine.home, ".gemini", "tmp")
    return (Place(top, "*/chats/**/*.jsonl", "chat"), Place(top, "*/chats/**/*.json", "old chat"))
