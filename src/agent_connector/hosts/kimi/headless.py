"""Kimi Code CLI without a person: `kimi -p --output-format stream-json`, messages as a chat API has them."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from agent_connector.drive.events import Called, Finished, Job, Noticed, Returned, RunEvent, Said
from agent_connector.hosts.dialects.claude_hooks import split
from agent_connector.hosts.dialects.stream_json import record, rows, table
from agent_connector.hosts.dialects.sureness import sure

PROGRAM = "kimi"
ENDPOINT = "openai-chat"  # what a stand-in model has to speak
ACP = ("kimi", "acp")
PROVIDERS = ("kimi", "moonshot")
UPSTREAM = "https://api.kimi.com/coding"
KEYS = ("KIMI_API_KEY",)
KEY_HEADER = "authorization"
LOGIN: tuple[str, ...] = ()  # where a login lies is told nowhere
TELLS = "nothing"
SURE = sure(proven="run endpoint resume system acp", documented="usage keys")

_STAND_IN = "stand-in"
_HOOK = " hook"  # "<event> hook", an empty line, what the hook said: in a line like one of the model


def argv(job: Job) -> list[str]:
    """A run without a person approves by itself: there is no flag for less, nor for more."""
    line = [job.program or PROGRAM, "--output-format", "stream-json"]
    if job.model and not job.endpoint:
        line += ["--model", job.model]
    if job.resume:
        line += resume(job.resume)
    return [*line, *job.extra, f"--prompt={job.text}"]


def resume(session: str) -> list[str]:
    return ["--session", session]


def environment(job: Job) -> dict[str, str]:
    """What is added to the run's environment: no update in the middle of it, and the stand-in model when there is one."""
    added = {"KIMI_CODE_NO_AUTO_UPDATE": "1"}
    if job.endpoint:
        added |= {
            "KIMI_MODEL_NAME": job.model or _STAND_IN,
            "KIMI_MODEL_API_KEY": job.api_key,
            "KIMI_MODEL_BASE_URL": f"{job.endpoint}/v1",
            "KIMI_MODEL_PROVIDER_TYPE": "openai",
            "KIMI_DISABLE_TELEMETRY": "1",
        }
    return added


def read(line: str) -> Sequence[RunEvent]:
    """The events of one line. No token counts stand in it: those are in the session's own log."""
    said = record(line)
    match said.get("role"):
        case "assistant":
            return _assistant(said)
        case "tool":
            return (Returned(str(said.get("tool_call_id")), said.get("content")),)
        case "meta" if said.get("type") == "session.resume_hint":  # the last line, which alone tells the session
            return (Finished(ok=True, reason="ended", session=said.get("session_id")),)
        case "meta":
            return (Noticed(str(said.get("type")), str(said.get("error_message") or said.get("version") or "")),)
        case _:
            return ()


def _assistant(said: Mapping[str, Any]) -> Sequence[RunEvent]:
    text = str(said.get("content") or "")
    head, mark, rest = text.partition("\n\n")
    if mark and head.endswith(_HOOK) and head.removesuffix(_HOOK).isalpha():
        words: list[RunEvent] = [Noticed(head, rest)]
    else:
        words = [Said(text)] if text else []
    return [*words, *(_called(call) for call in rows(said.get("tool_calls")))]


def _called(call: Mapping[str, Any]) -> Called:
    function = table(call.get("function"))
    tool, arguments = str(function.get("name")), function.get("arguments")
    server, name = split(tool, None, ())
    try:
        given = json.loads(arguments) if isinstance(arguments, str) else arguments
    except ValueError:
        given = arguments
    return Called(str(call.get("id")), tool, given, server, name if server else None)
