"""The tasks that Cline and its forks keep in an editor: `ui_messages.json`, a list that is written anew at each change.

Each request to a model is a row that is filled in when its answer is there. Rows know counts and a cost; the model and
the folder stand in files beside. What the prompt's count has within differs by program, provider and date.
"""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from agent_connector.hosts.dialects.usage_places import editor_folders, is_absolute, name_of
from agent_connector.hosts.dialects.usage_values import (
    count,
    decode,
    dig,
    folder,
    mapping,
    moment,
    money,
    name,
    sequence,
)
from agent_connector.hosts.machine import Machine
from agent_connector.hosts.records import Place, Reader, Record, Source, UnknownFormat

REQUESTS = ("api_req_started", "deleted_api_reqs", "subagent_usage")
CONDENSED = "condense_context"
PATTERN = "tasks/*/ui_messages.json"

_MODEL = re.compile(r"<model>([^<]{1,200})</model>")
_FOLDER = re.compile(r"# Current (?:Working|Workspace) Directory \(([^)\n]{1,1000})\) Files")


class Row(NamedTuple):
    """A row of the list that used something."""

    key: str
    time: int  # as the row has it
    said: dict[str, Any]
    used: dict[str, Any]


class Model(NamedTuple):
    """From `time` on, this one answers."""

    time: int
    model: str
    provider: str = ""


Within = Callable[
    [dict[str, Any], int, str], bool
]  # (counts, time, provider): has `tokensIn` the cached tokens within?


def reader(within: Within) -> Reader:
    """Reads `ui_messages.json`; `within` says what the program's count of the prompt holds."""

    def read(data: bytes, state: dict[str, Any], source: Source) -> Iterator[Record]:
        del state
        if not data:
            return
        rows = decode(data)
        if not isinstance(rows, list):
            raise UnknownFormat("a task whose messages are no list")
        yield from _records(list(_rows(sequence(rows), name_of(source.path, 1))), within, source)

    return Reader("document", 1, read)


def _rows(messages: Sequence[Any], task: str) -> Iterator[Row]:
    """The rows that count. Two of one time are told apart by their order."""
    met: dict[int, int] = {}
    for message in messages:
        said = dig(message, "say")
        if dig(message, "type") != "say" or said not in (*REQUESTS, CONDENSED) or dig(message, "partial") is True:
            continue
        used = mapping(dig(message, "contextCondense")) if said == CONDENSED else mapping(decode(dig(message, "text")))
        time = count(dig(message, "ts"))
        met[time] = met.get(time, -1) + 1
        if any(count(used.get(each)) for each in _COUNTS) or money(used.get("cost")):
            yield Row(f"{task}:{time}:{met[time]}", time, mapping(message), used)


_COUNTS = ("tokensIn", "tokensOut", "cacheReads", "cacheWrites")


def _records(rows: Sequence[Row], within: Within, source: Source) -> Iterator[Record]:
    if not rows:
        return
    task, item = name_of(source.path, 1), mapping(decode(source.beside("history_item.json")))
    talk = _talk(source.beside("api_conversation_history.json"))
    models = _models(source, talk)
    project = folder(item.get("workspace")) or next(
        (found[1] for _, text in talk if (found := _FOLDER.search(text))), ""
    )
    parent = name(item.get("parentTaskId"))
    nexts = [*(row.time for row in rows[1:]), 1 << 62]
    for row, until in zip(rows, nexts, strict=True):
        model = _own_model(row) or next((each for each in reversed(models) if each.time < until), Model(0, ""))
        yield Record(
            key=row.key,
            session=task,
            time=moment(row.time) or source.modified,
            model=model.model,
            provider=model.provider,
            project=project,
            parent=parent,
            cost=money(row.used.get("cost")),
            agent=_agent(row, parent, item),
            **_tokens(row, within(row.used, row.time, model.provider)),
        )


def _tokens(row: Row, within: bool) -> dict[str, Any]:
    prompt, output, read, written = (count(row.used.get(each)) for each in _COUNTS)
    if within and prompt >= read + written:
        prompt -= read + written
    several = row.said.get("say") in ("deleted_api_reqs", "subagent_usage")  # sums of requests, of how many is not said
    counts = {"input": prompt, "cache_read": read, "cache_write_5m": written, "output": output}
    return {**counts, "requests": 0 if several else 1}


def _agent(row: Row, parent: str, item: dict[str, Any]) -> str:
    """A subtask is a task of its own, which names the one that it works for."""
    if row.said.get("say") == "subagent_usage":
        return "subagent"
    return (name(item.get("mode")) or "subtask") if parent else ""


def _own_model(row: Row) -> Model | None:
    model = name(dig(row.said, "modelInfo", "modelId"))
    return Model(row.time, model, name(dig(row.said, "modelInfo", "providerId"))) if model else None


def _models(source: Source, talk: Sequence[tuple[int, str]]) -> list[Model]:
    """Which model answered from when on: Cline keeps a list, others tell the model itself in every prompt."""
    changes = sequence(dig(decode(source.beside("task_metadata.json")), "model_usage"))
    kept = [
        Model(count(dig(each, "ts")), name(dig(each, "model_id")), name(dig(each, "model_provider_id")))
        for each in changes
    ]
    told = [Model(time, name(found[-1])) for time, text in talk if (found := _MODEL.findall(text))]
    return [each for each in kept if each.model] or told


def _talk(data: bytes | None) -> list[tuple[int, str]]:
    """The prompts, with their times; only a model's name and a folder are taken from them."""
    return [
        (count(dig(each, "ts")), json.dumps(dig(each, "content"), ensure_ascii=False).replace("\\n", "\n"))
        for each in sequence(decode(data))
        if dig(each, "role") == "user"
    ]


def places(machine: Machine, extension: str, kind: str) -> Iterator[Place]:
    """The tasks of an extension in every editor that it may be in; each has a storage of its own."""
    for editor in editor_folders(machine):
        yield Place(machine.join(editor, "globalStorage", extension), PATTERN, kind)


# ---- tasks that a person's setting moved


def settings(machine: Machine, kind: str) -> Iterator[Place]:
    """The settings of every editor."""
    for editor in editor_folders(machine):
        yield Place(editor, "settings.json", kind)


def moved(setting: str, kind: str) -> Callable[[bytes, Machine], Sequence[Place]]:
    """Finds the folder that `setting` names in an editor's settings, which may have comments."""
    wanted = re.compile(rb'"' + re.escape(setting.encode()) + rb'"\s*:\s*("(?:[^"\\]|\\.)*")')

    def read(data: bytes, machine: Machine) -> Sequence[Place]:
        named = [folder(decode(found)) for found in wanted.findall(data)]
        return [Place(each, PATTERN, kind) for each in named if is_absolute(machine, each)]

    return read
