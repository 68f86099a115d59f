"""OpenCode and its forks without a person: `<program> run --format json`, one JSON object a line.

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

# Once a plugin is there, every start asks the npm registry for a package; here the stand-in says no at once.
HOME_FILES = {".npmrc": "registry=@MODEL@/npm/\nfetch-retries=0\n"}
STAND_IN = "stand-in"
# Told of an endpoint they speak OpenAI's Chat Completions to it.
UPSTREAM = "https://api.openai.com"
KEYS = ("OPENAI_API_KEY",)
KEY_HEADER = "authorization"


def argv(job: Job, program: str, everything: str, *more: str) -> list[str]:
    """The command line; `everything` is the flag that approves all, `more` are flags of the host's own.

    A word with a blank in it would be sent with quotes around it, so the prompt goes in words.
    """
    line = [job.program or program, "run", "--format", "json", *more]
    if job.approvals == "all":
        line.append(everything)
    if model := _model(job):
        line += ["--model", model]
    if job.resume:
        line += resume(job.resume)
    return [*line, *job.extra, "--", *job.text.split(" ")]


def resume(session: str) -> list[str]:
    return ["--session", session]


def environment(job: Job, prefix: str) -> dict[str, str]:
    """What is added to the run's environment; a stand-in model is told here, so that no file is touched.

    `prefix` is what the names of the host's variables begin with.
    """
    added = {f"{prefix}_DISABLE_AUTOUPDATE": "1"}
    if permissions := _permissions(job):
        added[f"{prefix}_PERMISSION"] = json.dumps(permissions)
    if job.endpoint:
        added |= {
            f"{prefix}_CONFIG_CONTENT": json.dumps(_stand_in(job)),
            f"{prefix}_DISABLE_MODELS_FETCH": "1",
            f"{prefix}_DISABLE_LSP_DOWNLOAD": "1",
        }
    return added


def _permissions(job: Job) -> dict[str, str]:
    allowed = {f"{plugin.prefix(server)}*": "allow" for server in job.approved_servers}
    return {"edit": "allow", **allowed} if job.approvals == "edits" else allowed


def _model(job: Job) -> str | None:
    """`provider/model`; what a stand-in model is called does not matter."""
    if not job.endpoint:
        return job.model
    return job.model if job.model and "/" in job.model else f"{STAND_IN}/{job.model or STAND_IN}"


def _stand_in(job: Job) -> dict[str, Any]:
    name = _model(job) or ""
    provider, _, model = name.partition("/")
    return {
        "share": "disabled",
        "model": name,  # over ACP nothing else names it
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
    """Kilo says in a plain text that it ended because a permission was refused."""
    error = table(said.get("error"))
    reason = table(error.get("data")).get("message") or error.get("name") or said.get("error")
    return Finished(ok=False, reason=str(reason), session=said.get("sessionID"))
