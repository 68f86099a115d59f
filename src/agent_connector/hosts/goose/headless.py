"""goose without a person: `goose run --output-format stream-json`, one JSON object a line."""

from collections.abc import Mapping, Sequence
from typing import Any

from agent_connector.drive.events import Called, Finished, Job, Noticed, Returned, RunEvent, Said, Thought, Usage
from agent_connector.hosts.dialects.stream_json import number, record, rows, table
from agent_connector.hosts.dialects.sureness import sure
from agent_connector.hosts.goose.hooks import split

PROGRAM = "goose"
ENDPOINT = "openai-chat"  # what a stand-in model has to speak
ACP = ("goose", "acp")
APPROVES_SERVERS = False  # a mode is for all tools
PROVIDERS = ("goose", "block")
UPSTREAM = "https://api.openai.com"
KEYS = ("OPENAI_API_KEY",)
KEY_HEADER = "authorization"
LOGIN = (".config/goose/config.yaml", ".config/goose/secrets.yaml")
TELLS = "tokens and cost of the run"
SURE = sure(documented="run endpoint resume system acp keys login", uncertain="usage")

_MODES = {"default": "approve", "edits": "smart_approve", "all": "auto"}
_STAND_IN = "stand-in"


def argv(job: Job) -> list[str]:
    line = [job.program or PROGRAM, "run", "--output-format", "stream-json"]
    if job.model and not job.endpoint:
        line += ["--model", job.model]
    if job.system:
        line.append(f"--system={job.system}")
    if job.resume:
        line += resume(job.resume)
    return [*line, *job.extra, f"--text={job.prompt}"]


def resume(session: str) -> list[str]:
    return ["--session-id", session, "--resume"]


def environment(job: Job) -> dict[str, str]:
    """How much it asks is a mode; secrets are not looked for in a keyring that may ask a person."""
    added = {"GOOSE_MODE": _MODES[job.approvals], "GOOSE_DISABLE_KEYRING": "1", "GOOSE_DISABLE_SESSION_NAMING": "true"}
    if job.endpoint:
        added |= {
            "GOOSE_PROVIDER": "openai",
            "GOOSE_MODEL": job.model or _STAND_IN,
            "OPENAI_HOST": job.endpoint,
            "OPENAI_API_KEY": job.api_key,
        }
    return added


def read(line: str) -> Sequence[RunEvent]:
    """The events of one line. No session's id is in the stream."""
    said = record(line)
    match said.get("type"):
        case "message":
            message = table(said.get("message"))
            role = message.get("role")
            return [event for part in rows(message.get("content")) if (event := _part(part, role))]
        case "notification":
            return (
                Noticed(str(said.get("extension_id") or "extension"), str(table(said.get("log")).get("message") or "")),
            )
        case "error":
            return (Finished(ok=False, reason=str(said.get("error", ""))),)
        case "complete":
            return (_complete(said),)
        case _:
            return ()


def _part(part: Mapping[str, Any], role: Any) -> RunEvent | None:
    """A call and its result stand in objects that hold a value or an error."""
    match part.get("type"):
        case "text" if role == "assistant" and part.get("text"):
            return Said(str(part["text"]))
        case "thinking":
            return Thought(str(part.get("thinking", "")))
        case "toolRequest":
            call = table(table(part.get("toolCall")).get("value"))
            tool = str(call.get("name"))
            server, name = split(tool, ())
            return Called(str(part.get("id")), tool, call.get("arguments"), server, name if server else None)
        case "toolResponse":
            result = table(part.get("toolResult"))
            value = table(result.get("value"))
            failed = result.get("status") == "error" or bool(value.get("isError"))
            return Returned(
                str(part.get("id")), result.get("error") or value.get("content", result.get("value")), failed
            )
        case _:
            return None


def _complete(said: Mapping[str, Any]) -> Finished:
    """Whether the input holds what the cache gave is told by no documentation; with OpenAI's kind of API it does."""
    cached, written = number(said.get("cache_read_input_tokens")), number(said.get("cache_write_input_tokens"))
    given, cost = number(said.get("input_tokens")), said.get("cost_usd")
    usage = Usage(
        input=max(0, given - cached - written),
        cache_read=cached,
        cache_write_5m=written,
        output=number(said.get("output_tokens")),
    )
    return Finished(True, "complete", usage=usage, cost_usd=cost if isinstance(cost, int | float) else None)
