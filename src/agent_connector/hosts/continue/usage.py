"""Continue's two logs: sessions of its CLI carry counts in their messages, its editor extensions log each request.

A session's own sum leaves the cache out, and the extensions' database repeats their log: neither is read.
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
    fingerprint,
    folder,
    mapping,
    moment,
    name,
    number,
    sequence,
)
from agent_connector.hosts.machine import Machine
from agent_connector.hosts.records import Place, Reader, Record, Source, UnknownFormat

SURE = "proven"
MERGE = "last"
NOTE = "The editor extensions log neither sessions nor projects nor the cache; the CLI's requests bear their session's time"
SOURCES = (
    ("Continue CLI 1.5.47, run against a scripted model", "2026-11-30"),
    ("the editor extensions: Continue's source of 2026-06-18", "2026-11-30"),
)


def session(data: bytes, state: dict[str, Any], source: Source) -> Iterator[Record]:
    """A record for each answer that has counts; those of the editor's chats have none and stand in the other log."""
    del state
    whole = decode(data)
    if not data or isinstance(whole, list):  # the list of sessions lies in the same folder
        return
    if not isinstance(dig(whole, "history"), list):
        raise UnknownFormat("a session without a history")
    identity = name(dig(whole, "sessionId")) or name_of(source.path).removesuffix(".json")
    known = sequence(decode(source.beside("sessions.json")))
    here = next((each for each in known if dig(each, "sessionId") == identity), None)
    time = moment(dig(here, "dateCreated")) or source.modified
    project = folder(dig(whole, "workspaceDirectory")) or folder(dig(here, "workspaceDirectory"))
    for index, item in enumerate(sequence(dig(whole, "history"))):
        if used := mapping(dig(item, "message", "usage")):
            yield Record(
                key=f"{identity}:{index}",
                session=identity,
                time=time,
                model=name(used.get("model")),
                project=project.removeprefix("file://"),
                cost=number(used.get("cost_cents")) / 100 or None,  # it rounds to cents: 0 says nothing
                **_counts(used),
            )


def _counts(used: dict[str, Any]) -> dict[str, Any]:
    """OpenAI's spelling for all. Anthropic's own counts, which it copies, leave the cache out of the prompt."""
    if "prompt_tokens" not in used:
        raise UnknownFormat("usage of a message without prompt_tokens")
    details = mapping(used.get("prompt_tokens_details"))
    prompt, output = count(used.get("prompt_tokens")), count(used.get("completion_tokens"))
    read, written = count(details.get("cache_read_tokens")), count(details.get("cache_write_tokens"))
    if not read and not written:
        read = min(prompt, count(details.get("cached_tokens")))
        prompt -= read
    return {
        "input": prompt,
        "cache_read": read,
        "cache_write_5m": written,
        "output": output,
        "reasoning": min(output, count(dig(used, "completion_tokens_details", "reasoning_tokens"))),
    }


class _Line(msgspec.Struct):
    """A line of the extensions' log; only what is named here is decoded."""

    timestamp: Any = None
    model: Any = None
    provider: Any = None
    promptTokens: Any = None
    generatedTokens: Any = None


def requests(lines: bytes, state: dict[str, Any], source: Source) -> Iterator[Record]:
    """The extensions' requests, chats and completions alike. They have no ids; the same line twice is one."""
    del state
    for line in decode_lines(lines, _Line, b'"promptTokens"', b'"generatedTokens"'):
        prompt, output = count(line.promptTokens), count(line.generatedTokens)
        if prompt or output:
            yield Record(
                key=fingerprint(name(line.timestamp), name(line.model), prompt, output),
                session="",
                time=moment(line.timestamp) or source.modified,
                model=name(line.model),
                provider=name(line.provider),
                input=prompt,
                output=output,
            )


READERS = {"session": Reader("document", 1, session), "requests": Reader("lines", 1, requests)}


def logs(machine: Machine) -> Sequence[Place]:
    """In one home for the CLI and the extensions."""
    home = machine.config("CONTINUE_GLOBAL_DIR", ".continue")
    return (
        Place(machine.join(home, "sessions"), "*.json", "session"),
        Place(machine.join(home, "dev_data"), "*/tokensGenerated.jsonl", "requests"),
    )
