"""Claude Code's transcripts: an answer stands in one line for each block of its content, each with the usage so far.

The keys of a line cannot stand in its content, where quotes are escaped. So a look at the bytes before the content says
whether a line is a person's or a tool's (most bytes are), and only an answer's line is decoded, of it only the fields
below. What a line of another kind says about usage (a subagent's total in its result, the session's `cost-state`)
repeats what the answers say, and is not read.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import Annotated, Any

import msgspec

from agent_connector.hosts.dialects.usage_mend import mended
from agent_connector.hosts.machine import Machine
from agent_connector.hosts.records import Place, Reader, Record, Source

SURE = "proven"
MERGE = "max"
NOTE = ""
SOURCES = (
    (
        "transcripts of 2.1.332: a run, a resume, a fork, a subagent, each against a model whose usage was known",
        "2026-11-30",
    ),
    ("older places and fields: code.claude.com/docs and the program itself", "2026-11-30"),
)

_USAGE, _ANY_USAGE = b'"usage":{', b'"usage"'
_ROLE = b'"role":"'
_PERSON = b'"message":{"role":"user'
_TO_ROLE = len(_PERSON) - len(_ROLE) - len(b"user")
_BEFORE_CONTENT = 1024  # bytes in which the role of a message stands
_AFTER_CONTENT = 1500  # bytes at the end of a line in which its usage stands, where it stands behind the content
_NAME = b'"message":{"id":"'
_TO_NAME = len(b'","type":"message",')  # from an answer's id to its role
_NONE = (b"\n", b"\n", b"\n")  # stands in no line
_AFTER_COUNTS = b'"service_tier"'
_REQUEST, _REQUEST_ID = b'"request', 48  # "requestId" or "requestRef", and how many bytes are compared
_TIERS = ("batch", "priority", "flex")


_Count = Annotated[int, msgspec.Meta(ge=0, le=1 << 53)]


class _Split(msgspec.Struct, gc=False):
    ephemeral_5m_input_tokens: _Count | None = None
    ephemeral_1h_input_tokens: _Count | None = None


class _Details(msgspec.Struct, gc=False):
    thinking_tokens: _Count | None = None


class _Usage(msgspec.Struct, gc=False):
    input_tokens: _Count | None = None
    output_tokens: _Count | None = None
    cache_read_input_tokens: _Count | None = None
    cache_creation_input_tokens: _Count | None = None
    cache_creation: _Split | None = None
    output_tokens_details: _Details | None = None
    service_tier: str | None = None
    speed: str | None = None


class _Message(msgspec.Struct, gc=False):
    usage: _Usage | None = None
    id: str | None = None
    model: str | None = None


class _Line(msgspec.Struct, gc=False, rename="camel"):
    type: str | None = None
    message: _Message | None = None
    timestamp: str = ""
    session_id: str = ""
    request_session_id: str | None = None  # of a fork's copy: the session that asked
    request_id: str | None = None
    request_ref: str | None = None  # where the endpoint gives no request id
    uuid: str | None = None
    cwd: str | None = None
    prompt_cache_requested: str | None = None
    is_sidechain: bool | None = None
    agent_id: str | None = None
    attribution_agent: str | None = None
    cost: float | None = msgspec.field(default=None, name="costUSD")


_decode = msgspec.json.Decoder(_Line, strict=False).decode


def logs(machine: Machine) -> list[Place]:
    """Transcripts of sessions and subagents, of Claude Code itself and of the variants that cc-mirror keeps apart."""
    homes = [machine.join(home.strip(), "projects") for home in _homes(machine) if home.strip()]
    places = [Place(home, "**/*.jsonl", "transcript") for home in dict.fromkeys(homes)]
    return [*places, Place(machine.join(machine.home, ".cc-mirror"), "*/config/projects/**/*.jsonl", "transcript")]


def _homes(machine: Machine) -> list[str]:
    """The variable may name several folders; without it the place moved once."""
    moved = machine.variables.get("CLAUDE_CONFIG_DIR")
    if moved:
        return moved.split(",")
    return [machine.join(machine.home, ".claude"), machine.join(machine.config("XDG_CONFIG_HOME", ".config"), "claude")]


def transcript(lines: bytes, state: dict[str, Any], source: Source) -> Iterable[Record]:
    """The answers in these lines."""
    found: list[Record] = []
    find, starts, view = lines.find, lines.startswith, memoryview(lines)
    start, size = 0, len(lines)
    name, counts, request = _NONE  # bytes of the answer before: its id, what it used, its request's id
    while start < size:
        end = find(b"\n", start)
        if end < 0:
            end = size
        role = find(_ROLE, start, start + _BEFORE_CONTENT)
        if not 0 <= role < end:
            wanted = find(_ANY_USAGE, start, end) >= 0
        elif starts(_PERSON, role - _TO_ROLE):
            wanted = False
        elif starts(name, role - len(name)):  # another block of that answer: nothing new when all of it is the same
            usage = find(_USAGE, max(role, end - _AFTER_CONTENT), end)
            wanted = not starts(counts, usage) or not starts(request, find(_REQUEST, usage + len(counts), end))
        else:
            wanted = True
        if wanted:
            line = _answer(view[start:end])
            if line is not None:
                found.append(_record(line, state, source))
                name, counts, request = _bytes(lines, line, role, end)
        start = end + 1
    return found


def _bytes(lines: bytes, line: _Line, role: int, end: int) -> tuple[bytes, bytes, bytes]:
    """What another block of this answer has as well, where it stands as the host writes it."""
    name = role - len(_NAME) - len((line.message and line.message.id) or "") - _TO_NAME
    usage = lines.find(_USAGE, max(role, end - _AFTER_CONTENT), end)
    counts = lines.find(_AFTER_COUNTS, usage, end)
    request = lines.find(_REQUEST, counts, end)
    if role < 0 or usage < 0 or counts < 0 or request < 0 or not lines.startswith(_NAME, max(name, 0)):
        return _NONE
    return lines[name:role], lines[usage:counts], lines[request : request + _REQUEST_ID]


def _answer(text: memoryview) -> _Line | None:
    """A line that says what a request used; None for every other one, and for one that was cut."""
    try:
        line = _decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        line = mended(text, _Line)
    if line is None:
        return None
    message = line.message
    if line.type != "assistant" or message is None or message.usage is None or message.model == "<synthetic>":
        return None
    return line


def _record(line: _Line, state: dict[str, Any], source: Source) -> Record:
    message, usage = line.message, line.message.usage if line.message else None
    assert message is not None and usage is not None  # noqa: S101  # _answer saw to it
    short, long = _written(usage, line.prompt_cache_requested)
    if line.request_session_id and line.request_session_id != line.session_id:
        state["parent"] = line.request_session_id  # this transcript began as a copy of that one's
        session, parent = line.request_session_id, ""
    else:
        session, parent = line.session_id, state.get("parent", "")
    return Record(
        _key(line, message),
        session,
        _moment(line.timestamp),
        message.model or "",
        "anthropic",
        line.cwd or "",
        parent,
        usage.input_tokens or 0,
        usage.cache_read_input_tokens or 0,
        short,
        long,
        usage.output_tokens or 0,
        usage.output_tokens_details.thinking_tokens or 0 if usage.output_tokens_details else 0,
        1,
        line.cost,
        None,
        _tier(usage),
        _agent(line, state, source) if line.agent_id or line.is_sidechain else "",
    )


def _key(line: _Line, message: _Message) -> str:
    """An answer's own id and its request's: message ids of other endpoints than Anthropic's are not unique."""
    if message.id is None:
        return f"line:{line.uuid}"
    request = line.request_id or line.request_ref
    return f"{message.id}:{request}" if request else f"message:{message.id}"


def _written(usage: _Usage, requested: str | None) -> tuple[int, int]:
    """What was written into the cache for five minutes and for an hour; what the log does not split is as requested."""
    split = usage.cache_creation
    short = split.ephemeral_5m_input_tokens or 0 if split else 0
    long = split.ephemeral_1h_input_tokens or 0 if split else 0
    rest = max(0, (usage.cache_creation_input_tokens or 0) - short - long)
    return (short, long + rest) if requested == "1h" else (short + rest, long)


def _tier(usage: _Usage) -> str:
    if usage.speed == "fast":
        return "fast"
    return usage.service_tier if usage.service_tier in _TIERS else ""


def _agent(line: _Line, state: dict[str, Any], source: Source) -> str:
    """A subagent's kind; older versions say it only in the file beside its transcript."""
    if line.attribution_agent:
        return line.attribution_agent
    if "agent" not in state:
        state["agent"] = _beside(source)
    return state["agent"]


def _beside(source: Source) -> str:
    name = source.path.replace("\\", "/").rpartition("/")[2]
    beside = source.beside(name.removesuffix(".jsonl") + ".meta.json") if name.startswith("agent-") else None
    try:
        return (msgspec.json.decode(beside, type=_Kind).agent_type if beside else None) or "subagent"
    except msgspec.DecodeError:
        return "subagent"


class _Kind(msgspec.Struct, rename="camel"):
    agent_type: str | None = None


def _moment(text: str) -> int:
    """ms since 1970; 0 for what is no time."""
    try:
        return round(datetime.fromisoformat(text).timestamp() * 1000)
    except (ValueError, OverflowError):
        return 0


READERS = {"transcript": Reader("lines", 1, transcript)}
