"""Codex' rollouts: `~/.codex/sessions/<year>/<month>/<day>/rollout-<time>-<id>.jsonl`, archived and compressed ones too.

Three ages are written. Old ones count by cumulative counters alone. Middle ones name turns, and a fork or subagent begins
with a copy of its parent's lines under new times. New ones have a `token_usage_record` beside each count, and a fork
only names its parent.
"""

import json
import random
from dataclasses import dataclass, field
from pathlib import Path

from agent_connector.testing.usage_logs.claude import PROJECTS, stamp
from agent_connector.testing.usage_logs.truth import Counts, Truth, Words

HOST = "codex"
MODELS = ("gpt-5.5-codex", "gpt-6.2-sol", "gpt-5-mini")
_START = 1_780_000_000_000
_FORKS, _SUBAGENTS, _ARCHIVED, _COPIED, _COMPRESSED = 0.10, 0.10, 0.10, 0.03, 0.05
_TOLD_TWICE = 0.5  # results that stand in an event as well
_NAMES = ("input_tokens", "cached_input_tokens", "cache_write_input_tokens", "output_tokens", "reasoning_output_tokens")
Usage = tuple[int, int, int, int, int]


@dataclass
class Session:
    """A rollout while it is written."""

    id: str
    age: str  # "old", "middle", "new"
    cwd: str
    model: str
    now: int
    parent: str = ""
    root: str = ""  # a subagent's
    total: Usage = (0, 0, 0, 0, 0)
    own: Counts = field(default_factory=Counts)
    hidden: Counts = field(default_factory=Counts)  # of `own`, what looks like a copy of a parent's
    lines: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])  # type, payload and all behind it
    times: list[int] = field(default_factory=list[int])

    def say(self, kind: str, payload: str) -> None:
        self.lines.append((kind, payload))
        self.times.append(self.now)

    def text(self) -> bytes:
        said = zip(self.lines, self.times, strict=True)
        return "".join(
            f'{{"timestamp":"{stamp(time)}","ordinal":{number},"type":"{kind}","payload":{payload}}}\n'
            for number, ((kind, payload), time) in enumerate(said)
        ).encode()


def write(home: Path, size: int, chance: random.Random, words: Words, truth: Truth) -> None:
    """Sessions until they come to `size` bytes."""
    root = home / ".codex"
    written, last = 0, list[Session]()
    while written < size:
        now = _START + chance.randrange(180 * 86_400) * 1000
        age = chance.choices(("old", "middle", "new"), (2, 4, 4))[0]
        session = Session(_id(chance, now), age, chance.choice(PROJECTS), chance.choice(MODELS), now)
        parents = [former for former in last if former.age == age != "old"]
        drawn = chance.random()
        if parents and drawn < _FORKS + _SUBAGENTS:
            _descend(session, chance.choice(parents), chance, words, subagent=drawn < _SUBAGENTS)
        else:
            session.say("session_meta", _meta(session, words))
        _work(session, chance, words, truth, min(size, int(chance.expovariate(1 / 1_200_000)) + 20_000))
        written += _save(root, session, chance, truth)
        if not session.root:
            last = [*last[-7:], session]


def _descend(session: Session, parent: Session, chance: random.Random, words: Words, *, subagent: bool) -> None:
    """Make `session` a fork or a subagent of `parent`."""
    session.now = parent.now + chance.randrange(60_000, 86_400_000)
    session.id, session.cwd, session.parent = _id(chance, session.now), parent.cwd, parent.id
    session.root = (parent.root or parent.id) if subagent else ""
    session.say("session_meta", _meta(session, words))
    if session.age == "middle":
        for kind, payload in parent.lines:
            session.now += chance.randrange(2)
            session.say(kind, payload)
    if not subagent:
        session.total = parent.total
    session.now += 3_000


def _meta(session: Session, words: Words) -> str:
    meta: dict[str, object] = {"id": session.id, "timestamp": stamp(session.now), "cwd": session.cwd}
    if session.age == "new":
        meta["session_id"] = session.root or session.id
    meta |= {"originator": "codex_cli", "cli_version": "0.171.0", "source": "cli", "model_provider": "openai"}
    if session.parent:
        meta["forked_from_id"] = session.parent
    if session.root:
        spawn = {"parent_thread_id": session.parent, "depth": 1, "agent_role": "explorer"}
        meta |= {"source": {"subagent": {"thread_spawn": spawn}}, "agent_role": "explorer"}
    elif session.parent and session.age == "new":
        meta["history_base"] = {"thread_id": session.parent, "end_ordinal_exclusive": 40, "end_byte_offset": 115008}
    meta["base_instructions"] = {"text": words.some(12_000)}
    return json.dumps(meta, separators=(",", ":"))


def _work(session: Session, chance: random.Random, words: Words, truth: Truth, size: int) -> None:
    """Turns, each with some answers and tools' results."""
    length = 0
    while length < size:
        before = len(session.lines)
        turn = _id(chance, session.now)
        if session.age != "old":
            session.say("event_msg", f'{{"type":"task_started","turn_id":"{turn}","model_context_window":258400}}')
        named = "" if session.age == "old" else f'"turn_id":"{turn}",'
        session.say(
            "turn_context",
            f'{{{named}"cwd":"{session.cwd}","approval_policy":"never","model":"{session.model}","summary":"auto",'
            f'"user_instructions":"{words.some(1500)}"}}',
        )
        session.say("response_item", _message("user", words.some(chance.randrange(40, 900))))
        for _ in range(chance.randrange(1, 7)):
            _answer(session, turn, chance, words, truth)
        if chance.random() < 0.004:
            session.say("event_msg", '{"type":"token_count","info":null,"rate_limits":null}')
        length += sum(len(payload) for _, payload in session.lines[before:])


def _answer(session: Session, turn: str, chance: random.Random, words: Words, truth: Truth) -> None:
    session.now += chance.randrange(1_500, 60_000)
    if chance.random() < 0.6:
        session.say(
            "response_item", f'{{"type":"reasoning","encrypted_content":"{words.some(chance.randrange(200, 3000))}"}}'
        )
    call = f"call_{chance.getrandbits(60):015x}"
    arguments = words.some(chance.randrange(40, 600))
    session.say(
        "response_item", f'{{"type":"function_call","name":"shell","arguments":"{arguments}","call_id":"{call}"}}'
    )
    entered = chance.randrange(500, 200_000)
    cached = chance.randrange(entered)
    stored = chance.randrange(entered - cached) if session.age == "new" and chance.random() < 0.1 else 0
    output = chance.randrange(5, 4_000)
    last: Usage = (entered, cached, stored, output, chance.randrange(output))
    session.total = tuple(one + more for one, more in zip(session.total, last, strict=True))  # type: ignore[assignment]
    if session.age == "new":
        session.say("token_usage_record", _record(session, turn, last, chance))
    result = words.result()
    session.say("response_item", f'{{"type":"function_call_output","call_id":"{call}","output":"{result}"}}')
    if chance.random() < _TOLD_TWICE:
        item = f'{{"type":"McpToolCall","id":"{call}","status":"completed","result":{{"content":"{result}"}}}}'
        session.say("event_msg", f'{{"type":"item_completed","turn_id":"{turn}","item":{item}}}')
    if chance.random() < 0.4:
        text = words.some(chance.randrange(100, 2500))
        session.say("event_msg", f'{{"type":"agent_message","message":"{text}"}}')
        session.say("response_item", _message("assistant", text))
    times = 2 if chance.random() < 0.1 else 1
    for _ in range(times):
        session.say("event_msg", _count(session, last))
    counts = Counts(1, entered - cached - stored, cached, stored, 0, output, last[4])
    if times == 2 and session.parent and session.age == "new" and not session.own.units:
        session.hidden.add(counts)
    session.own.add(counts)
    truth.unit(HOST, session.root or session.id, session.model, counts)


def _record(session: Session, turn: str, last: Usage, chance: random.Random) -> str:
    return json.dumps(
        {
            "thread_id": session.id, "turn_id": turn, "session_id": session.root or session.id, "root_turn_id": turn,
            "response_id": f"resp_{chance.getrandbits(120):030x}", "usage": _usage(last),
            "turn_token_usage": _usage(last), "thread_token_usage": _usage(session.total),
        },
        separators=(",", ":"),
    )  # fmt: skip


def _count(session: Session, last: Usage) -> str:
    info = {
        "total_token_usage": _usage(session.total),
        "last_token_usage": _usage(last),
        "model_context_window": 258400,
    }
    return json.dumps({"type": "token_count", "info": info, "rate_limits": {"plan_type": "pro"}}, separators=(",", ":"))


def _usage(counts: Usage) -> dict[str, int]:
    return {**dict(zip(_NAMES, counts, strict=True)), "total_tokens": counts[0] + counts[3]}


def _message(role: str, text: str) -> str:
    return f'{{"type":"message","role":"{role}","content":[{{"type":"input_text","text":"{text}"}}]}}'


def _save(root: Path, session: Session, chance: random.Random, truth: Truth) -> int:
    began = stamp(session.times[0])
    name = f"rollout-{began[:19].replace(':', '-')}-{session.id}.jsonl"
    place = root / "sessions" / began[:4] / began[5:7] / began[8:10] / name
    data = session.text()
    drawn = chance.random()
    if drawn < _COMPRESSED:
        import zstandard

        truth.unread.add(session.own)
        return _put(place.with_suffix(".jsonl.zst"), zstandard.ZstdCompressor().compress(data))
    truth.unread.add(session.hidden)
    if drawn < _COMPRESSED + _ARCHIVED:
        return _put(root / "archived_sessions" / name, data)
    copied = _put(root / "archived_sessions" / name, data) if drawn > 1 - _COPIED else 0
    return copied + _put(place, data)


def _put(path: Path, data: bytes) -> int:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return len(data)


def _id(chance: random.Random, ms: int) -> str:
    """An identifier that begins with its time, as Codex' do."""
    digits = f"{ms:012x}7{chance.getrandbits(12):03x}{0x8 + chance.getrandbits(2):x}{chance.getrandbits(60):015x}"
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))
