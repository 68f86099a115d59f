"""Codebuff's chats: credits for each answer, and in some versions token counts, in one of several places and spellings."""

from collections.abc import Iterator, Sequence
from typing import Any

from agent_connector.hosts.dialects.usage_places import name_of
from agent_connector.hosts.dialects.usage_values import (
    decode,
    dig,
    first_count,
    folder,
    mapping,
    moment,
    money,
    name,
    sequence,
)
from agent_connector.hosts.machine import Machine
from agent_connector.hosts.records import Place, Reader, Record, Source, UnknownFormat

SURE = "uncertain"
MERGE = "last"
NOTE = "Many versions wrote credits down and no token counts"
SOURCES = (("codeburn's and other readers of Codebuff's chats", "2026-11-30"),)

ANSWERS = ("ai", "agent", "assistant")
_HISTORY = ("runState", "sessionState", "mainAgentState", "messageHistory")


def chat(data: bytes, state: dict[str, Any], source: Source) -> Iterator[Record]:
    """A record for each answer that cost something."""
    del state
    if not data:
        return
    rows = decode(data)
    if not isinstance(rows, list):
        raise UnknownFormat("a chat that is no list of messages")
    run = decode(source.beside("run-state.json"))
    for index, row in enumerate(sequence(rows)):
        if dig(row, "variant") in ANSWERS or dig(row, "role") in ANSWERS:
            used, model = _usage(mapping(dig(row, "metadata")))
            counts, credits = _counts(used), money(dig(row, "credits"))
            if any(counts.values()) or credits:
                yield _record(mapping(row), index, counts, credits, model, run, source)


def _record(
    row: dict[str, Any], index: int, counts: dict[str, Any], credits: float | None, model: str, run: Any, source: Source
) -> Record:
    chat = name_of(source.path, 1)
    agent = dig(row, "variant") == "agent"
    return Record(
        key=name(row.get("id")) or f"{chat}:{index}",
        session=chat,
        time=moment(row.get("timestamp")) or _of_chat(chat) or source.modified,
        model=model or name(dig(row, "metadata", "model")),
        project=_project(run) or name_of(source.path, 3),
        credits=credits,
        agent=(name(dig(row, "agent", "agentName")) or "agent") if agent else "",
        **counts,
    )


def _usage(metadata: dict[str, Any]) -> tuple[dict[str, Any], str]:
    """The counts of this answer: in the message, else in the last of the history, which holds the earlier ones again."""
    for place in (("usage",), ("codebuff", "usage")):
        if found := mapping(dig(metadata, *place)):
            return found, name(dig(metadata, "codebuff", "model"))
    for message in reversed(sequence(dig(metadata, *_HISTORY))):
        options = dig(message, "providerOptions")
        if found := mapping(dig(options, "usage")) or mapping(dig(options, "codebuff", "usage")):
            return found, name(dig(options, "codebuff", "model"))
    return {}, ""


def _counts(used: dict[str, Any]) -> dict[str, Any]:
    """Anthropic's counts leave the cache out of the input; OpenAI's have it within the prompt, with details."""
    read = first_count(used, "cacheReadInputTokens", "cache_read_input_tokens")
    fresh = first_count(used, "inputTokens", "input_tokens", "promptTokens", "prompt_tokens")
    if not read:
        for details in ("promptTokensDetails", "prompt_tokens_details", "inputTokensDetails", "input_tokens_details"):
            read = read or min(fresh, first_count(mapping(used.get(details)), "cachedTokens", "cached_tokens"))
        fresh -= read
    return {
        "input": fresh,
        "cache_read": read,
        "cache_write_5m": first_count(used, "cacheCreationInputTokens", "cache_creation_input_tokens"),
        "output": first_count(used, "outputTokens", "output_tokens", "completionTokens", "completion_tokens"),
    }


def _of_chat(chat: str) -> int:
    """A chat is named after its time, with dashes for the colons."""
    day, _, clock = chat.partition("T")
    return moment(f"{day}T{clock.replace('-', ':')}")


def _project(run: Any) -> str:
    where = mapping(dig(run, "sessionState", "fileContext"))
    return (
        folder(where.get("projectRoot"))
        or folder(where.get("cwd"))
        or folder(dig(run, "projectRoot"))
        or folder(dig(run, "cwd"))
    )


READERS = {"chat": Reader("document", 1, chat)}


def logs(machine: Machine) -> Sequence[Place]:
    """Below `.config` on every system; builds of its own makers have folders of their own."""
    folders = [machine.join(machine.home, ".config", f"manicode{kind}") for kind in ("", "-dev", "-staging")]
    return tuple(Place(each, "projects/*/chats/*/chat-messages.json", "chat") for each in folders)
