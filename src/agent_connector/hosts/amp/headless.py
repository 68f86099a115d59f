"""Amp without a person: `amp -x --stream-json`, lines as Claude Code writes them. Its models are behind its own server."""

from collections.abc import Mapping, Sequence
from typing import Any

from agent_connector.drive.events import Finished, Job, RunEvent, Usage
from agent_connector.hosts.dialects import claude_stream
from agent_connector.hosts.dialects.stream_json import number, record, table
from agent_connector.hosts.dialects.sureness import sure

PROGRAM = "amp"
ENDPOINT = None
ACP: tuple[str, ...] = ()
APPROVES_SERVERS = False  # what may be done stands in the person's settings
PROVIDERS = ("amp", "sourcegraph")
UPSTREAM = None
KEYS = ("AMP_API_KEY",)
KEY_HEADER = "authorization"
LOGIN = (".local/share/amp/secrets.json",)
TELLS = "tokens of the run where the result has them, no cost"
SURE = sure(documented="run resume system usage keys", uncertain="login")

_READY = ("--plugin-ready-timeout", "10")  # the first turn would not wait for plugins


def argv(job: Job) -> list[str]:
    """A mode picks the model: there is no word for a model."""
    line = [job.program or PROGRAM]
    if job.resume:
        line += resume(job.resume)
    if job.model:
        line += ["--mode", job.model]
    return [*line, "--stream-json", *_READY, *job.extra, "--execute", job.text]


def resume(session: str) -> list[str]:
    return ["threads", "continue", session]


def environment(job: Job) -> dict[str, str]:
    return {}


def read(line: str) -> Sequence[RunEvent]:
    """The events of one line."""
    said = record(line)
    match said.get("type"):
        case "system" if said.get("subtype") == "init":
            return (claude_stream.started(said),)
        case "assistant" | "user":
            return claude_stream.message(said)
        case "result":
            return (_result(said),)
        case _:
            return ()


def _result(said: Mapping[str, Any]) -> Finished:
    numbers = table(said.get("usage"))
    usage = Usage(
        input=number(numbers.get("input_tokens")),
        cache_read=number(numbers.get("cache_read_input_tokens")),
        cache_write_5m=number(numbers.get("cache_creation_input_tokens")),
        output=number(numbers.get("output_tokens")),
    )
    return Finished(
        ok=said.get("subtype") == "success" and not said.get("is_error"),
        reason=said.get("subtype"),
        text=said.get("result") or said.get("error"),
        session=said.get("session_id"),
        usage=usage if numbers else None,
        turns=said.get("num_turns"),
    )
