"""OpenCode without a person: `opencode run --format json`, one JSON object a line.

Tokens and cost are told step by step, and no last record says that the run is over: it is when the program ends.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from agent_connector.drive.events import (
    Called,
    Finished,
    Job,
    Returned,
    RunEvent,
    Said,
    Spent,
    Started,
    Thought,
    Usage,
)
from agent_connector.hosts.dialects import opencode_plugin as plugin
from agent_connector.hosts.dialects.stream_json import number, record, table

PROGRAM = "opencode"
ENDPOINT = "openai-chat"  # what a stand-in model has to speak
ACP = ("opencode", "acp")
# Once a plugin is there, every start asks the npm registry for a package; here the stand-in says no at once.
HOME_FILES = {".npmrc": "registry=@MODEL@/npm/\nfetch-retries=0\n"}

_STAND_IN = "stand-in"


def argv(job: Job) -> list[str]:
    """The command line. A word with a blank in it would be sent with quotes around it, so the prompt goes in words."""
    line = [job.program or PROGRAM, "run", "--format", "json", "--thinking"]
    if job.approvals == "all":
        line.append("--auto")
    if model := _model(job):
        line += ["--model", model]
    if job.resume:
        line += resume(job.resume)
    return [*line, *job.extra, "--", *job.prompt.split(" ")]


def resume(session: str) -> list[str]:
    return ["--session", session]


def environment(job: Job) -> dict[str, str]:
    """What is added to the run's environment; a stand-in model is told here, so that no file is touched."""
    added = {"OPENCODE_DISABLE_AUTOUPDATE": "1"}
    if permissions := _permissions(job):
        added["OPENCODE_PERMISSION"] = json.dumps(permissions)
    if job.endpoint:
        added |= {
            "OPENCODE_CONFIG_CONTENT": json.dumps(_stand_in(job)),
            "OPENCODE_DISABLE_MODELS_FETCH": "1",
            "OPENCODE_DISABLE_LSP_DOWNLOAD": "1",
        }
    return added


def _permissions(job: Job) -> dict[str, str]:
    allowed = {f"{plugin.prefix(server)}*": "allow" for server in job.approved_servers}
    return {"edit": "allow", **allowed} if job.approvals == "edits" else allowed


def _model(job: Job) -> str | None:
    """`provider/model`; what a stand-in model is called does not matter."""
    if not job.endpoint:
        return job.model
    return job.model if job.model and "/" in job.model else f"{_STAND_IN}/{job.model or _STAND_IN}"


def _stand_in(job: Job) -> dict[str, Any]:
    name = _model(job) or ""
    provider, _, model = name.partition("/")
    return {
        "share": "disabled",
        "small_model": name,
        "provider": {
            provider: {
                "npm": "@ai-sdk/openai-compatible",
                "options": {"baseURL": f"{job.endpoint}/v1", "apiKey": job.api_key},
                "models": {model: {"tool_call": True, "limit": {"context": 200_000, "output": 8_000}}},
            }
        },
    }


def read(line: str) -> Sequence[RunEvent]:
    """The events of one line; a line that is no JSON object (a refused permission prints one) has none."""
    said = record(line)
    part = table(said.get("part"))
    match said.get("type"):
        case "step_start":
            return (Started(str(said.get("sessionID", ""))),)
        case "text":
            return (Said(str(part.get("text", ""))),)
        case "reasoning":
            return (Thought(str(part.get("text", ""))),)
        case "tool_use":
            return _tool(part)
        case "step_finish":
            return _step(said, part)
        case "error":
            return (_error(said),)
        case _:
            return ()


def _tool(part: Mapping[str, Any]) -> Sequence[RunEvent]:
    """A call is told once, when it is over."""
    state = table(part.get("state"))
    call, failed = str(part.get("callID", "")), state.get("status") == "error"
    output = state.get("error") if failed else state.get("output")
    return (Called(call, str(part.get("tool", "")), state.get("input")), Returned(call, output, failed))


def _step(said: Mapping[str, Any], part: Mapping[str, Any]) -> Sequence[RunEvent]:
    """`input` is without the cached part and `output` without the reasoning. Only a last step has no calls after it."""
    tokens = table(part.get("tokens"))
    cache, reasoning = table(tokens.get("cache")), number(tokens.get("reasoning"))
    usage = Usage(
        input=number(tokens.get("input")),
        cache_read=number(cache.get("read")),
        cache_write_5m=number(cache.get("write")),
        output=number(tokens.get("output")) + reasoning,
        reasoning=reasoning,
    )
    spent = Spent(usage, part.get("cost"))
    if part.get("reason") == "tool-calls":
        return (spent,)
    ok, session = part.get("reason") == "stop", said.get("sessionID")
    return (spent, Finished(ok, reason=None if ok else str(part.get("reason")), session=session))


def _error(said: Mapping[str, Any]) -> RunEvent:
    error = table(said.get("error"))
    reason = table(error.get("data")).get("message") or error.get("name")
    return Finished(ok=False, reason=str(reason), session=said.get("sessionID"))
