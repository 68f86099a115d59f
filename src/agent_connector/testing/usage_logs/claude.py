"""Claude Code's transcripts: `~/.claude/projects/<folder>/<session>.jsonl` and the subagents' beside them."""

import json
import random
import uuid
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from agent_connector.testing.usage_logs.truth import Counts, Truth, Words

HOST = "claude-code"
MODELS = ("claude-opus-5-5", "claude-sonnet-5", "claude-haiku-4-5-20251001")
PROJECTS = ("/home/user/shop", "/home/user/code/api", "/home/user/code/site", "/srv/data")
_START = 1_780_000_000_000  # ms
_FORKS, _OLD_RESUMES, _COPIES, _SUBAGENTS, _SIDECHAINS = 0.08, 0.04, 0.03, 0.15, 0.03


@dataclass
class Session:
    """A session while it is written."""

    id: str
    cwd: str
    model: str
    now: int
    agent: str = ""
    lines: list[str] = field(default_factory=list[str])
    turn: int = 0
    unnamed: list[Counts] = field(default_factory=list[Counts])  # lines of answers whose request has no id


def write(home: Path, size: int, chance: random.Random, words: Words, truth: Truth) -> None:
    """Sessions until they come to `size` bytes."""
    root = home / ".claude" / "projects"
    written, last = 0, list[Session]()
    while written < size:
        now = _START + chance.randrange(180 * 86_400) * 1000
        session = Session(_uuid(chance), chance.choice(PROJECTS), chance.choice(MODELS), now)
        drawn = chance.random()
        if last and drawn < _FORKS + _OLD_RESUMES:
            _inherit(session, chance.choice(last), truth, old=drawn < _OLD_RESUMES)
        folder = root / _folder(session.cwd)
        _talk(session, chance, words, truth, min(size, int(chance.expovariate(1 / 1_200_000)) + 20_000))
        if chance.random() < _SUBAGENTS:
            written += _subagent(folder, session, chance, words, truth)
        if chance.random() < _SIDECHAINS:
            _sidechain(session, chance, words, truth)
        session.lines.append(
            _line(
                {
                    "type": "cost-state",
                    "sessionId": session.id,
                    "totalCostUSD": 1.5,
                    "modelUsage": {
                        session.model: {
                            "inputTokens": 1 << 30,
                            "outputTokens": 1 << 30,
                            "cacheReadInputTokens": 1 << 30,
                        }
                    },
                }
            )
        )
        written += _save(folder / f"{session.id}.jsonl", session.lines)
        if chance.random() < _COPIES:
            written += _save(root / (folder.name + "-moved") / f"{session.id}.jsonl", session.lines)
        last = [*last[-7:], session]


def _talk(session: Session, chance: random.Random, words: Words, truth: Truth, size: int) -> None:
    """Prompts, answers and tools' results."""
    length = 0
    while length < size:
        before = len(session.lines)
        if session.turn % 6 == 0:
            session.lines.append(_user(session, chance, f'"{words.some(chance.randrange(40, 1200))}"'))
            if chance.random() < 0.3:
                session.lines.append(_blob(session, words, chance.randrange(4_000, 50_000)))
        answer(session, chance, words, truth)
        session.lines.append(_result(session, chance, words))
        if chance.random() < 0.01:
            session.lines.append(_synthetic(session, chance))
        if chance.random() < 0.003:
            session.lines.append('{"parentUuid":"cut-by-a-cra')
        session.turn += 1
        length += sum(map(len, session.lines[before:]))


def answer(session: Session, chance: random.Random, words: Words, truth: Truth) -> None:
    """One answer: a line for each block of its content, each with the usage so far."""
    session.now += chance.randrange(1_000, 60_000)
    counts = Counts(1, chance.randrange(1, 900), chance.randrange(150_000), 0, 0, chance.randrange(10, 3_000), 0)
    written = chance.randrange(4_000)
    long = written if chance.random() < 0.3 else chance.randrange(written + 1) if chance.random() < 0.1 else 0
    counts.cache_write_1h, counts.cache_write_5m = long, written - long
    counts.reasoning = chance.randrange(counts.output) if chance.random() < 0.2 else 0
    split: dict[str, int] | None = {"ephemeral_1h_input_tokens": long, "ephemeral_5m_input_tokens": written - long}
    if not long and chance.random() < 0.1:
        split = None
    grows = chance.random() < 0.25
    message, request = f"msg_{_token(chance)}", f"req_{_token(chance)}" if chance.random() > 0.03 else ""
    reference = "" if request else _uuid(chance)
    blocks = chance.choice((1, 2, 2, 3))
    for block in range(blocks):
        output = counts.output if not grows or block == blocks - 1 else max(1, counts.output * block // blocks)
        usage = _usage(counts, output, written, split, chance)
        if not request and (not session.agent or not block):  # of a subagent's answer the first line stands for all
            told = counts.output if session.agent else output
            line = Counts(0, counts.input, counts.cache_read, written, 0, told)
            session.unnamed.append(line)
            if block:  # the first is the answer itself
                truth.unnamed.add(line)
            else:
                truth.unnamed.output += told - counts.output
        session.now += 200
        content = words.some(chance.randrange(60, 1_800))
        kind = ("thinking", "text", "tool_use")[block if blocks == 3 else block + 1]
        session.lines.append(_assistant(session, chance, message, request, reference, kind, content, usage))
    truth.unit(HOST, session.id, session.model, counts)


def _usage(counts: Counts, output: int, written: int, split: dict[str, int] | None, chance: random.Random) -> str:
    usage: dict[str, object] = {
        "input_tokens": counts.input, "cache_creation_input_tokens": written,
        "cache_read_input_tokens": counts.cache_read, "output_tokens": output,
    }  # fmt: skip
    if counts.reasoning:
        usage["output_tokens_details"] = {"thinking_tokens": min(output, counts.reasoning)}
    usage["server_tool_use"] = {"web_search_requests": 0, "web_fetch_requests": 0}
    usage["service_tier"] = "standard"
    if split is not None:
        usage["cache_creation"] = split
    return json.dumps(usage, separators=(",", ":"))


def _assistant(
    session: Session,
    chance: random.Random,
    message: str,
    request: str,
    reference: str,
    kind: str,
    text: str,
    usage: str,
) -> str:
    body = {
        "thinking": f'{{"type":"thinking","thinking":"{text}","signature":"{_token(chance) * 8}"}}',
        "text": f'{{"type":"text","text":"{text}"}}',
        "tool_use": f'{{"type":"tool_use","id":"toolu_{_token(chance)}","name":"Edit","input":{{"file_path":"/x.py",'
        f'"new_string":"{text}","note":"\\"usage\\":{{\\"input_tokens\\":999999}}","message":{{"usage":1}}}}}}',
    }[kind]
    asked = f'"requestId":"{request}"' if request else f'"requestRef":"{reference}"'
    agent = f'"agentId":"{session.agent}","attributionAgent":"reviewer",' if session.agent else ""
    return (
        f'{{"parentUuid":"{_uuid(chance)}","isSidechain":{"true" if agent else "false"},{agent}"message":{{"id":"{message}",'
        f'"type":"message","role":"assistant","model":"{session.model}","content":[{body}],"stop_reason":"tool_use",'
        f'"stop_sequence":null,"usage":{usage}}},{asked},"promptCacheRequested":"5m","type":"assistant",'
        f'"uuid":"{_uuid(chance)}","timestamp":"{stamp(session.now)}",{_tail(session)}}}'
    )


def _user(session: Session, chance: random.Random, content: str, more: str = "") -> str:
    return (
        f'{{"parentUuid":"{_uuid(chance)}","isSidechain":false,"type":"user","message":{{"role":"user","content":{content}}},'
        f'"uuid":"{_uuid(chance)}","timestamp":"{stamp(session.now)}",{more}{_tail(session)}}}'
    )


def _result(session: Session, chance: random.Random, words: Words) -> str:
    """A tool's result, which stands in its line twice; a subagent's holds an echo of that one's own usage."""
    text = words.result()
    echo = ""
    if chance.random() < 0.02:
        echo = '"totalTokens":88888,"usage":{"input_tokens":77777,"output_tokens":66666,"cache_read_input_tokens":5},'
    content = f'[{{"tool_use_id":"toolu_{_token(chance)}","type":"tool_result","content":"{text}"}}]'
    return _user(
        session, chance, content, f'"toolUseResult":{{{echo}"stdout":"{text}","stderr":"","interrupted":false}},'
    )


def _synthetic(session: Session, chance: random.Random) -> str:
    return (
        f'{{"parentUuid":"{_uuid(chance)}","isSidechain":false,"message":{{"id":"{_uuid(chance)}","model":"<synthetic>",'
        f'"role":"assistant","type":"message","usage":{{"input_tokens":0,"output_tokens":0}},"content":[{{"type":"text",'
        f'"text":"API Error"}}]}},"isApiErrorMessage":true,"type":"assistant","uuid":"{_uuid(chance)}",'
        f'"timestamp":"{stamp(session.now)}",{_tail(session)}}}'
    )


def _blob(session: Session, words: Words, length: int) -> str:
    return (
        f'{{"type":"api-request-blob","sessionId":"{session.id}","hash":"0","message":{{"role":"user","content":[{{"type":'
        f'"text","text":"{words.some(length)}"}}]}}}}'
    )


def _subagent(folder: Path, session: Session, chance: random.Random, words: Words, truth: Truth) -> int:
    """A subagent's transcript, in the newer place or the older one."""
    agent = Session(session.id, session.cwd, chance.choice(MODELS), session.now, agent=_token(chance)[:17])
    _talk(agent, chance, words, truth, chance.randrange(5_000, 300_000))
    newer = chance.random() < 0.7
    place = folder / session.id / "subagents" if newer else folder
    _save(place / f"agent-{agent.agent}.meta.json", ['{"agentType":"reviewer"}'])
    return _save(place / f"agent-{agent.agent}.jsonl", agent.lines)


def _sidechain(session: Session, chance: random.Random, words: Words, truth: Truth) -> None:
    """A subagent's answers inside the session's own transcript, as old versions wrote them."""
    agent = Session(session.id, session.cwd, session.model, session.now, agent=_token(chance)[:17])
    for _ in range(3):
        answer(agent, chance, words, truth)
    session.lines += agent.lines
    session.unnamed += agent.unnamed


def _inherit(session: Session, former: Session, truth: Truth, *, old: bool) -> None:
    """The lines of a former session in a new one: a fork says whose they are, an old resume renames them."""
    session.cwd, session.now, session.unnamed = former.cwd, former.now + 3_600_000, list(former.unnamed)
    for counts in former.unnamed:
        truth.unnamed.add(counts)
    was = f'"sessionId":"{former.id}"'
    now = f'"sessionId":"{session.id}"' + ("" if old else f',"requestSessionId":"{former.id}"')
    for line in former.lines[:-1]:
        again = "requestSessionId" in line
        session.lines.append(line.replace(was, f'"sessionId":"{session.id}"' if again else now))


def _tail(session: Session) -> str:
    return f'"cwd":"{session.cwd}","sessionId":"{session.id}","version":"2.1.332","gitBranch":"main"'


def _save(path: Path, lines: list[str]) -> int:
    path.parent.mkdir(parents=True, exist_ok=True)
    data = ("\n".join(lines) + "\n").encode()
    path.write_bytes(data)
    return len(data)


def _folder(cwd: str) -> str:
    return "".join(letter if letter.isalnum() else "-" for letter in cwd)


def _line(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))


def stamp(ms: int) -> str:
    """A time as the hosts write it."""
    return datetime.fromtimestamp(ms // 1000, UTC).strftime("%Y-%m-%dT%H:%M:%S.") + f"{ms % 1000:03d}Z"


def _uuid(chance: random.Random) -> str:
    return str(uuid.UUID(int=chance.getrandbits(128), version=4))


def _token(chance: random.Random) -> str:
    return f"{chance.getrandbits(120):030x}"
