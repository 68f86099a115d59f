"""Lines of Codex' rollouts, of each kind only the fields that say what was used, by whom and when."""

from typing import Annotated, TypeVar, cast

import msgspec

from agent_connector.hosts.dialects.usage_mend import mended

T = TypeVar("T")

_Count = Annotated[int, msgspec.Meta(ge=0, le=1 << 53)]


class Usage(msgspec.Struct, gc=False):
    input_tokens: _Count = 0
    cached_input_tokens: _Count = 0
    cache_write_input_tokens: _Count = 0
    output_tokens: _Count = 0
    reasoning_output_tokens: _Count = 0


class Spawn(msgspec.Struct, gc=False):
    parent_thread_id: str | None = None


class Subagent(msgspec.Struct, gc=False):
    thread_spawn: Spawn | None = None


class Source(msgspec.Struct, gc=False):
    subagent: Subagent | str | None = None


class Meta(msgspec.Struct, gc=False):
    id: str = ""
    session_id: str | None = None
    forked_from_id: str | None = None
    parent_thread_id: str | None = None
    timestamp: str = ""
    cwd: str | None = None
    source: Source | str | None = None
    agent_role: str | None = None
    model_provider: str | None = None


class Turn(msgspec.Struct, gc=False):
    model: str | None = None
    turn_id: str | None = None
    cwd: str | None = None


class Answer(msgspec.Struct, gc=False):
    usage: Usage
    thread_token_usage: Usage | None = None
    thread_id: str | None = None
    turn_id: str | None = None
    response_id: str | None = None


class Info(msgspec.Struct, gc=False):
    total_token_usage: Usage | None = None
    last_token_usage: Usage | None = None
    model: str | None = None


class Counted(msgspec.Struct, gc=False):
    info: Info | None = None


class Applied(msgspec.Struct, gc=False):
    service_tier: str | None = None


class Settings(msgspec.Struct, gc=False):
    thread_settings: Applied | None = None


class MetaLine(msgspec.Struct, gc=False):
    payload: Meta
    timestamp: str = ""


class TurnLine(msgspec.Struct, gc=False):
    payload: Turn
    timestamp: str = ""


class AnswerLine(msgspec.Struct, gc=False):
    payload: Answer
    timestamp: str = ""


class CountLine(msgspec.Struct, gc=False):
    payload: Counted
    timestamp: str = ""


class SettingsLine(msgspec.Struct, gc=False):
    payload: Settings


class Kind(msgspec.Struct, gc=False):
    type: str | None = None


class Envelope(msgspec.Struct, gc=False):
    type: str | None = None
    payload: Kind | None = None


envelope = msgspec.json.Decoder(Envelope)
meta = msgspec.json.Decoder(MetaLine)
turn = msgspec.json.Decoder(TurnLine)
answer = msgspec.json.Decoder(AnswerLine)
count = msgspec.json.Decoder(CountLine)
settings = msgspec.json.Decoder(SettingsLine)


def told(decoder: "msgspec.json.Decoder[T]", line: memoryview) -> T | None:
    """A line as the decoder's record; None for one that was cut."""
    try:
        return decoder.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return mended(line, cast(type[T], decoder.type))
