"""OpenClaw without a person: `openclaw agent --local --json`, which prints one object when all is over.

Its model has no MCP tool as a tool: it calls one by `tool_call`. `openclaw agent exec` would take a folder to work in,
but keeps no session to go on with.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from agent_connector.drive.events import Finished, Job, RunEvent, Said, Started, Usage
from agent_connector.hosts.dialects.stream_json import number, record, rows, table
from agent_connector.hosts.dialects.sureness import sure
from agent_connector.hosts.openclaw.hooks import tool_name

PROGRAM = "openclaw"
ENDPOINT = "openai-chat"  # what a stand-in model has to speak
ACP = ("openclaw", "acp")  # a bridge to a Gateway that runs
APPROVES_SERVERS = False
OBJECT = True
PROVIDERS = ("openclaw",)
UPSTREAM = "https://api.openai.com"
KEYS = ("OPENAI_API_KEY",)
KEY_HEADER = "authorization"
LOGIN: tuple[str, ...] = ()
TELLS = "tokens and cost of the run"
SURE = sure(proven="run endpoint resume system usage acp", documented="keys")
_STAND_IN = "stand-in"
HOME_FILES = {
    ".openclaw/openclaw.json": json.dumps(
        {
            "models": {
                "providers": {
                    _STAND_IN: {
                        "baseUrl": "@MODEL@/v1",
                        "apiKey": "@KEY@",
                        "api": "openai-completions",
                        "models": [
                            {
                                "id": "@NAME@",
                                "name": _STAND_IN,
                                "reasoning": False,
                                "input": ["text"],
                                "contextWindow": 200_000,
                                "maxTokens": 8_000,
                            }
                        ],
                    }
                }
            },
            "agents": {"defaults": {"model": {"primary": f"{_STAND_IN}/@NAME@"}, "skipBootstrap": True}},
            "logging": {"level": "silent"},  # its log is a file outside of any home
        },
        indent=2,
    )
}


def argv(job: Job) -> list[str]:
    line = [job.program or PROGRAM, "agent", "--local", "--agent", "main", "--json"]
    if job.model:  # that of a stand-in is the one of HOME_FILES
        line += ["--model", f"{_STAND_IN}/{job.model}" if job.endpoint else job.model]
    if job.resume:
        line += resume(job.resume)
    return [*line, *job.extra, "--message", job.text]


def resume(session: str) -> list[str]:
    return ["--session-id", session]


def environment(job: Job) -> dict[str, str]:
    return {}


def routed(server: str, tool: str, arguments: Mapping[str, Any]) -> tuple[str, Mapping[str, Any], str]:
    """The call that the model makes in the place of one of the server's tool, and what the system prompt says of it."""
    return "tool_call", {"id": tool_name(server, tool), "args": dict(arguments)}, "tool_call"


def read(line: str) -> Sequence[RunEvent]:
    """The object: what was said, the session, what was used. A run that failed says so, or holds nothing but an error."""
    whole = record(line)
    if "payloads" not in whole:
        error = table(whole.get("error")).get("message")
        return (Finished(False, reason=str(error)),) if error and whole.get("ok") is False else ()
    meta, said = table(whole.get("meta")), rows(whole.get("payloads"))
    agent = table(meta.get("agentMeta"))
    failed = [str(each.get("text") or "an error") for each in said if each.get("isError") is True]
    wrong = table(meta.get("error")).get("message") or (meta.get("aborted") is True and "aborted") or None
    session = str(agent.get("sessionId") or "")
    return (
        *([Started(session, model=agent.get("model"))] if session else ()),
        *(Said(str(each["text"])) for each in said if each.get("text")),
        Finished(
            not failed and not wrong,
            reason=failed[-1] if failed else str(wrong) if wrong else None,
            usage=_usage(table(agent.get("usage"))),
            cost_usd=table(table(agent.get("usage")).get("cost")).get("total") or None,  # nothing where it has no price
        ),
    )


def _usage(used: Mapping[str, Any]) -> Usage | None:
    """`input` is without the cached part, `output` with the reasoning."""
    if not used:
        return None
    return Usage(
        input=number(used.get("input")),
        cache_read=number(used.get("cacheRead")),
        cache_write_5m=number(used.get("cacheWrite")),
        output=number(used.get("output")),
        reasoning=number(used.get("reasoningTokens")),
    )
