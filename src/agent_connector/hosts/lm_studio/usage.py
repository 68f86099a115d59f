"""What LM Studio wrote down of its calls: its own conversations, and the log of its server for those of other programs.

A conversation keeps every answer, also those that were asked for anew, each with its counts. The server's log has
requests and responses as indented JSON between lines of text, so it is read by lines: an answer's id, model and time,
then its usage.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from agent_connector.hosts.dialects.usage_places import name_of
from agent_connector.hosts.dialects.usage_totals import outside
from agent_connector.hosts.dialects.usage_values import count, decode, fingerprint, mapping, moment, name
from agent_connector.hosts.machine import Machine
from agent_connector.hosts.records import Place, Reader, Record, Source, UnknownFormat

SURE = "uncertain"
MERGE = "last"
NOTE = "The server logs the counts of a streamed answer only where the program asked for them"
SOURCES = (
    ("LM Studio's documentation of prediction stats", "2026-11-30"),
    ("source and tests of junhoyeo/tokscale", "2026-11-30"),
)
DEPTH = 12  # of the objects in a conversation
FIELD = re.compile(rb'^\s*"(\w{2,40})":\s*(?:"([^"\\]{1,200})"|(\d{1,15})),?\s*$')
OPENS = re.compile(rb'^\s*"usage":\s*\{\s*$')


# ---- conversations


def read_conversation(data: bytes, state: dict[str, Any], source: Source) -> Iterator[Record]:
    """Each answer with counts, wherever it stands in the conversation."""
    found = mapping(decode(data))
    if not isinstance(found.get("messages"), list):
        raise UnknownFormat("a conversation")
    session = name(name_of(source.path).removesuffix(".json").removesuffix(".conversation"))
    begun = moment(found.get("createdAt")) or source.modified
    for index, (step, info) in enumerate(_answers(found["messages"], "", 0)):
        stats = mapping(info.get("stats"))
        told = moment(step.partition("-")[0]) if step.partition("-")[0].isdigit() else 0
        yield Record(
            key=fingerprint(session, step or index),
            session=session,
            time=told or begun,
            model=name(info.get("identifier")) or name(info.get("indexedModelIdentifier")),
            provider="lm-studio",
            input=count(stats.get("promptTokensCount")),
            output=count(stats.get("predictedTokensCount")),
        )


def _answers(value: Any, step: str, depth: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """The objects with counts, each with the id of the step that it stands in."""
    if depth > DEPTH:
        return
    if isinstance(value, list):
        for each in value:  # pyright: ignore[reportUnknownVariableType]
            yield from _answers(each, step, depth + 1)
        return
    here = mapping(value)
    step = name(here.get("stepIdentifier")) or step
    stats = mapping(here.get("stats"))
    if count(stats.get("predictedTokensCount")) or count(stats.get("promptTokensCount")):
        yield step, here
        return
    for each in here.values():
        yield from _answers(each, step, depth + 1)


# ---- the server


def read_server(lines: bytes, state: dict[str, Any], source: Source) -> Iterator[Record]:
    """The answers whose usage ends in these lines; `state` keeps one that is cut between two readings."""
    for line in lines.splitlines():
        depth = count(state.get("depth"))
        if OPENS.match(line):
            state["depth"], state["usage"] = 1, {}
        elif depth and line.strip().startswith(b"}"):
            state["depth"] = depth - 1
            if depth == 1 and (record := _answer(state, source)):
                yield record
        elif depth and line.rstrip().endswith(b"{"):
            state["depth"] = depth + 1
        elif found := FIELD.match(line):
            _note(state, found[1].decode(), found[2], found[3])


def _note(state: dict[str, Any], field: str, text: bytes | None, number: bytes | None) -> None:
    if count(state.get("depth")):
        if number is not None:
            state["usage"][field] = int(number)
    elif text is not None and field in ("id", "model"):
        state[field] = name(text.decode("utf-8", "replace"))
    elif number is not None and field in ("created", "created_at"):
        state["created"] = int(number)


def _answer(state: dict[str, Any], source: Source) -> Record | None:
    """The answer that just ended; what it was known by does not stay for the next one."""
    usage, answer, created = mapping(state.pop("usage", None)), state.pop("id", ""), state.pop("created", 0)
    whole = count(usage.get("prompt_tokens")) or count(usage.get("input_tokens"))
    output = count(usage.get("completion_tokens")) or count(usage.get("output_tokens"))
    if not whole and not output:
        return None
    cached, time = count(usage.get("cached_tokens")), moment(created)
    return Record(
        key=answer or fingerprint(time, state.get("model", ""), whole, output),
        session="",
        time=time or source.modified,
        model=state.get("model", ""),
        provider="lm-studio",
        input=outside(whole, cached),
        cache_read=cached,
        output=output,
        reasoning=min(count(usage.get("reasoning_tokens")), output),
    )


READERS = {"conversation": Reader("document", 1, read_conversation), "server": Reader("lines", 1, read_server)}


def logs(machine: Machine) -> Sequence[Place]:
    """Both folders."""
    home = machine.join(machine.home, ".lmstudio")
    return [
        Place(machine.join(home, "conversations"), "**/*.json", "conversation"),
        Place(machine.join(home, "server-logs"), "**/*.log", "server"),
    ]
