"""Codex' rollouts: what each answer of the model used, beside counters that only grow.

New versions write a `token_usage_record` for each answer, and all write a `token_count` after it with the session's
total so far; one whose total was met already says nothing new. A fork or a subagent may begin with a copy of its
parent's lines under new times. A copied line still stands in the turn in which it was written, and with the totals of
that moment: both make the key, so that it is the parent's unit wherever it stands.
"""

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any

from agent_connector.hosts.codex import usage_lines
from agent_connector.hosts.machine import Machine
from agent_connector.hosts.records import Place, Reader, Record, Source

SURE = "proven"
MERGE = "max"
NOTE = ""
SOURCES = (
    (
        "rollouts of 0.171.0: a run, a resume, a fork of a fork, a subagent, each against a model whose usage was known",
        "2026-11-30",
    ),
    (
        "copied histories and older lines: reports of people who were counted wrong, at github.com/ccusage/ccusage",
        "2026-11-30",
    ),
)

_TYPE = b',"type":"'
_HEAD = 160  # bytes in which a line says its type
_TO_KIND = len(_TYPE)
_EVENT = b'event_msg","payload":{"type":"'
_SPOKEN = ("item_completed", "agent_message", "agent_reasoning", "exec_command_end", "user_message", "task_started")
_SKIPPED = (_TYPE + b'response_item"', *(_TYPE + _EVENT + kind.encode() + b'"' for kind in _SPOKEN))
_COUNT, _SETTINGS, _ANSWER = _EVENT + b'token_count"', _EVENT + b'thread_settings_applied"', b"token_usage_record"
_TOTAL, _THREAD = b'"total_token_usage":', b'"thread_token_usage":'
_NOWHERE = b"\n"  # stands in no line
_RESTAMPED = 1_000  # ms after its creation in which a fork's lines can only be copies, where turns have no ids
_TIERS = ("batch", "fast", "flex", "priority")


def logs(machine: Machine) -> list[Place]:
    """Sessions and archived ones, compressed or not."""
    home = machine.config("CODEX_HOME", ".codex")
    return [
        Place(machine.join(home, folder), f"**/rollout-*.{ending}", "rollout")
        for folder in ("sessions", "archived_sessions")
        for ending in ("jsonl", "jsonl.zst")
    ]


def rollout(lines: bytes, state: dict[str, Any], source: Source) -> Iterable[Record]:
    """The answers in these lines; `state` is what the lines before them said."""
    found: list[Record] = []
    find, starts, view, start, size = lines.find, lines.startswith, memoryview(lines), 0, len(lines)
    total = _NOWHERE  # the bytes of the counters as they were told last
    place = 0  # where in a line its type stands; seldom elsewhere than in the one before
    while start < size:
        end = find(b"\n", start)
        if end < 0:
            end = size
        kind = start + place
        if starts(_SKIPPED, kind) and kind < end:  # most lines
            start = end + 1
            continue
        if not starts(_TYPE, kind):
            kind = find(_TYPE, start, start + _HEAD)
            place = max(0, kind - start)
            if kind < end and starts(_SKIPPED, kind):
                start = end + 1
                continue
        kind = (kind if kind < end else -1) + _TO_KIND
        counted = starts(_COUNT, kind)
        if counted or starts(_ANSWER, kind):
            name = _TOTAL if counted else _THREAD
            told = find(name, kind, end) + len(name)
            if not (counted and starts(total, told)):  # else it was told before
                record = (_counted if counted else _answered)(view[start:end], state)
                total = _NOWHERE
                if record is not None:
                    found.append(record)
                    total = lines[told : find(b"}", told, end) + 1] or _NOWHERE
        elif not starts(_EVENT, kind) or starts(_SETTINGS, kind):
            how = _how(view[start:end], lines[kind : find(b'"', kind, end)] if start < kind < end else b"")
            record = how(view[start:end], state) if how is not None else None
            if record is not None:
                found.append(record)
        start = end + 1
    return found


def _how(line: memoryview, kind: bytes) -> "_How | None":
    """What reads a line of that kind; one that is not spelled as Codex spells it is looked into."""
    if kind not in (b"", b"event_msg"):
        return _READ.get(kind)
    told = usage_lines.told(usage_lines.envelope, line)
    if told is None:
        return None
    named = told.payload.type if told.type == "event_msg" and told.payload else told.type
    return _READ.get((named or "").encode())


# ---- what lines say


def _met(line: memoryview, state: dict[str, Any]) -> None:
    """Whose rollout this is; a second one is of a session whose lines are copied here."""
    told = usage_lines.told(usage_lines.meta, line)
    if told is None:
        return
    meta = told.payload
    if "id" in state:
        if meta.id != state["id"]:
            state["root"] = meta.id
        return
    spawned = meta.source.subagent if isinstance(meta.source, usage_lines.Source) else None
    spawn = spawned.thread_spawn if isinstance(spawned, usage_lines.Subagent) else None
    above = meta.parent_thread_id or (spawn.parent_thread_id if spawn else None)
    state["id"] = meta.id
    state["born"] = _born(meta.id) or _moment(meta.timestamp or told.timestamp)
    state["provider"] = meta.model_provider or "openai"
    state["project"] = meta.cwd or ""
    state["parent"] = meta.forked_from_id or ""
    state["session"], state["agent"] = meta.id, ""
    if spawned is not None:
        state["session"] = (meta.session_id if meta.session_id != meta.id else None) or above or meta.id
        state["agent"] = meta.agent_role or (spawned if isinstance(spawned, str) else "subagent")
        state["parent"] = ""
    state["copied"] = meta.forked_from_id or above or ""  # whose lines may come first; "" once the own ones began
    state["root"] = state["copied"]


def _began(line: memoryview, state: dict[str, Any]) -> None:
    """A turn, its model, and whether it is the first of this session's own."""
    told = usage_lines.told(usage_lines.turn, line)
    if told is None:
        return
    turn = told.payload
    state["turn"] = turn.turn_id or ""
    state["model"] = turn.model or state.get("model", "")
    if turn.cwd:
        state["project"] = turn.cwd
    if state.get("copied"):
        ran = _born(turn.turn_id or "")
        own = ran >= state["born"] if ran else _moment(told.timestamp) > state["born"] + _RESTAMPED
        if own:
            state["copied"] = ""
            state["first"] = True


def _set(line: memoryview, state: dict[str, Any]) -> None:
    told = usage_lines.told(usage_lines.settings, line)
    applied = told.payload.thread_settings if told is not None else None
    if applied is not None:
        state["tier"] = applied.service_tier if applied.service_tier in _TIERS else ""


def _answered(line: memoryview, state: dict[str, Any]) -> Record | None:
    told = usage_lines.told(usage_lines.answer, line)
    if told is None:
        return None
    answer = told.payload
    if answer.thread_token_usage is not None:
        state["total"] = _total(answer.thread_token_usage)
        state["first"] = False
    turn = answer.turn_id or state.get("turn", "")
    key = f"{turn or answer.thread_id or state.get('id', '')}:{answer.response_id or _total(answer.usage)}"
    return _record(key, told.timestamp, answer.usage, state, turn)


def _counted(line: memoryview, state: dict[str, Any]) -> Record | None:
    """A snapshot of the counters: a new one is what its `last` says, or what it grew by."""
    told = usage_lines.told(usage_lines.count, line)
    if told is None:
        return None
    info = told.payload.info
    if info is None:
        return None
    last, whole = info.last_token_usage, info.total_token_usage
    if whole is None:
        return None if last is None else _snapshot(told.timestamp, _total(last), last, info, state)
    total, before = _total(whole), state.get("total")
    if total == before:
        return None
    restarted = last is None or state.get("first") or _total(last) == total
    if before is not None and total[0] + total[3] < before[0] + before[3] and not restarted:
        return None  # an older snapshot that comes late
    state["total"], state["first"] = total, False
    return _snapshot(told.timestamp, total, last or _grown(total, before), info, state)


def _snapshot(
    stamp: str, total: list[int], last: usage_lines.Usage, info: usage_lines.Info, state: dict[str, Any]
) -> Record:
    """The unit behind a snapshot, known by its turn and the counters; where turns have no ids, by its session."""
    turn = state.get("turn") or ""
    whose = turn or (state.get("root") if state.get("copied") else state.get("id")) or ""
    if info.model and not state.get("model"):
        state["model"] = info.model
    entered, cached, written, output, thought = total
    return _record(f"{whose}:{entered}:{cached}:{written}:{output}:{thought}", stamp, last, state, turn)


# ---- values


def _record(key: str, stamp: str, usage: usage_lines.Usage, state: dict[str, Any], turn: str) -> Record:
    entered, output, get = usage.input_tokens, usage.output_tokens, state.get
    cached = usage.cached_input_tokens
    cached = min(entered, cached)
    written = usage.cache_write_input_tokens
    written = min(entered - cached, written)
    thought = usage.reasoning_output_tokens
    copied = get("copied", "")
    return Record(
        key,
        copied or get("session", ""),
        (_born(turn) if copied else 0) or _moment(stamp),
        get("model", ""),
        get("provider", "openai"),
        get("project", ""),
        "" if copied else get("parent", ""),
        entered - cached - written,
        cached,
        written,
        0,
        output,
        min(output, thought),
        1,
        None,
        None,
        get("tier", ""),
        "" if copied else get("agent", ""),
    )


def _total(usage: usage_lines.Usage) -> list[int]:
    return [
        usage.input_tokens,
        usage.cached_input_tokens,
        usage.cache_write_input_tokens,
        usage.output_tokens,
        usage.reasoning_output_tokens,
    ]


def _grown(total: list[int], before: list[int] | None) -> usage_lines.Usage:
    """What the counters grew by; all of it when they began again."""
    if before is None or total[0] + total[3] < before[0] + before[3]:
        return usage_lines.Usage(*total)
    return usage_lines.Usage(*(max(0, now - then) for now, then in zip(total, before, strict=True)))


def _born(identifier: str) -> int:
    """The time (ms) that an identifier of version 7 begins with; 0 for any other."""
    if len(identifier) != 36 or identifier[14] != "7":
        return 0
    try:
        return int(identifier[:8] + identifier[9:13], 16)
    except ValueError:
        return 0


def _moment(text: str) -> int:
    """ms since 1970; 0 for what is no time."""
    try:
        return round(datetime.fromisoformat(text).timestamp() * 1000)
    except (ValueError, OverflowError):
        return 0


_How = Callable[[memoryview, dict[str, Any]], Record | None]
_READ: dict[bytes, _How] = {
    b"token_count": _counted,
    b"token_usage_record": _answered,
    b"turn_context": _began,
    b"session_meta": _met,
    b"thread_settings_applied": _set,
}

READERS = {"rollout": Reader("lines", 1, rollout)}
