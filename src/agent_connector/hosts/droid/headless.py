"""Factory Droid without a person: `droid exec -o stream-json`. Start it with an empty stdin."""

from collections.abc import Mapping, Sequence
from typing import Any

from agent_connector.drive.events import (
    Called,
    Finished,
    Job,
    Noticed,
    Returned,
    RunEvent,
    Said,
    Started,
    Thought,
    Usage,
)
from agent_connector.hosts.dialects.stream_json import number, record, table
from agent_connector.hosts.dialects.sureness import sure
from agent_connector.hosts.droid.hooks import MARK

PROGRAM = "droid"
ENDPOINT = "openai-chat"  # what a stand-in model has to speak
ACP = ("droid", "exec", "--output-format", "acp")  # the model has to be chosen by a request, `-m` does not count
# A model of one's own is a part of the settings; there is no variable for its address.
HOME_FILES = {
    ".factory/settings.json": """{
  "customModels": [
    {
      "model": "@NAME@",
      "displayName": "Stand-in",
      "baseUrl": "@MODEL@/v1",
      "apiKey": "@KEY@",
      "provider": "generic-chat-completion-api",
      "maxOutputTokens": 8000
    }
  ],
  "blockOnMcpLoad": true,
  "enableTelemetry": false,
  "cloudSessionSync": false
}
"""
}
APPROVES_SERVERS = False  # what may be done is a level, not a list
PROVIDERS = ("factory", "droid")
UPSTREAM = None  # its models are behind Factory's service; another one's may be named
KEYS = ("FACTORY_API_KEY",)
KEY_HEADER = "authorization"
LOGIN = (".factory/auth.v2.file", ".factory/auth.v2.key")
TELLS = "tokens of the run, no cost"
SURE = sure(proven="run endpoint resume system usage acp", documented="keys login")
SEARCHED = "{server}" + MARK + "{tool}"  # the tool of a server that the model has to search for before it calls it

_OWN = "custom:"  # before the name of a model of one's own
_STAND_IN = "stand-in"
_LEVELS = {"default": (), "edits": ("--auto", "low"), "all": ("--auto", "high")}


def argv(job: Job) -> list[str]:
    line = [job.program or PROGRAM, "exec", "--output-format", "stream-json", *_LEVELS[job.approvals]]
    if model := _model(job):
        line += ["--model", model]
    if job.system:
        line.append(f"--append-system-prompt={job.system}")
    if job.resume:
        line += resume(job.resume)
    return [*line, *job.extra, "--", job.prompt]


def _model(job: Job) -> str | None:
    if not job.endpoint:
        return job.model
    return _OWN + (job.model or _STAND_IN).removeprefix(_OWN)


acp_model = _model


def resume(session: str) -> list[str]:
    """It goes on in a copy: the session itself is asked of Factory's service, and not found without it."""
    return ["--fork", session]


def environment(job: Job) -> dict[str, str]:
    """What is added to the run's environment: no update in the middle of it. Any text passes for a key."""
    added = {"FACTORY_DROID_AUTO_UPDATE_ENABLED": "false"}
    return {**added, "FACTORY_API_KEY": job.api_key} if job.endpoint else added


def read(line: str) -> Sequence[RunEvent]:
    """The events of one line; a line that is no JSON object has none."""
    said = record(line)
    match said.get("type"):
        case "system" if said.get("subtype") == "init":
            tools = tuple(str(tool) for tool in said.get("tools", ()))
            return (Started(str(said.get("session_id")), said.get("model"), said.get("cwd"), tools=tools),)
        case "message" if said.get("role") == "assistant":
            return (Said(str(said.get("text", ""))),)
        case "reasoning":
            return (Thought(str(said.get("text", ""))),)
        case "tool_call":
            return (_called(said),)
        case "tool_result":
            failed = bool(said.get("isError"))
            output = table(said.get("error")).get("message") if failed else said.get("value")
            return (Returned(str(said.get("id")), output, failed),)
        case "completion":
            return (_completion(said),)
        case "error" if said.get("source") == "cli":  # the run ends there, without a completion
            return (Finished(ok=False, reason=str(said.get("message", "")), session=said.get("session_id")),)
        case "error":
            return (Noticed("error", str(said.get("message", ""))),)
        case _:
            return ()


def _called(said: Mapping[str, Any]) -> Called:
    tool = str(said.get("toolName"))
    server, mark, name = tool.partition(MARK)
    if not mark:
        return Called(str(said.get("id")), tool, said.get("parameters"))
    return Called(str(said.get("id")), tool, said.get("parameters"), server, name)


def _completion(said: Mapping[str, Any]) -> Finished:
    """`usage` is the run's sum: input without what the cache gave, output with the reasoning. No money in it."""
    numbers = table(said.get("usage"))
    return Finished(
        ok=True,
        reason="completion",
        text=said.get("finalText"),
        session=said.get("session_id"),
        usage=Usage(
            input=number(numbers.get("input_tokens")),
            cache_read=number(numbers.get("cache_read_input_tokens")),
            cache_write_5m=number(numbers.get("cache_creation_input_tokens")),
            output=number(numbers.get("output_tokens")),
        ),
        turns=said.get("numTurns"),
    )
