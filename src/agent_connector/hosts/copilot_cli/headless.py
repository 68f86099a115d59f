"""GitHub Copilot CLI without a person: `copilot -p --output-format json`, one event a line."""

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
    Spent,
    Started,
    Thought,
    Usage,
)
from agent_connector.hosts.dialects.stream_json import number, record, rows, table
from agent_connector.hosts.dialects.sureness import sure

PROGRAM = "copilot"
ENDPOINT = "openai-chat"  # what a stand-in model has to speak
ACP = ("copilot", "--acp")  # starts no servers that a client gives it: register them
ACP_USAGE = "turn"  # with what the cache gave in the input
ACP_CACHE_IN_INPUT = True
PROVIDERS = ("github", "copilot")
UPSTREAM = None  # its models are behind GitHub's service; another one's may be named
KEYS = ("COPILOT_GITHUB_TOKEN", "GH_TOKEN", "GITHUB_TOKEN")
KEY_HEADER = "authorization"
LOGIN = (".copilot/config.json",)
TELLS = "tokens of each request with GitHub's models, none with a model of one's own"
SURE = sure(proven="run endpoint resume system acp", documented="usage keys login")

_STAND_IN = "stand-in"


def argv(job: Job) -> list[str]:
    """What is not approved is refused in a headless run, but for tools that only read."""
    line = [job.program or PROGRAM, "--output-format", "json", "--no-color"]
    if job.approvals == "all":
        line.append("--allow-all-tools")
    elif job.approvals == "edits":
        line.append("--allow-tool=write")
    line += [f"--allow-tool={server}" for server in job.approved_servers]
    if job.trust and not job.resume:  # the two are refused together
        line.append("--trust-folder")
    if job.model:
        line += ["--model", job.model]
    if job.resume:
        line += resume(job.resume)
    return [*line, *job.extra, f"--prompt={job.text}"]


def resume(session: str) -> list[str]:
    return [f"--resume={session}"]


def environment(job: Job) -> dict[str, str]:
    """What is added to the run's environment: no update in the middle of it, and the stand-in model when there is one."""
    added = {"COPILOT_AUTO_UPDATE": "false"}
    if job.trust:
        added |= {f"GITHUB_COPILOT_PROMPT_MODE_{what}": "true" for what in ("REPO_HOOKS", "WORKSPACE_MCP")}
    if job.endpoint:
        added |= {
            "COPILOT_OFFLINE": "true",
            "COPILOT_PROVIDER_TYPE": "openai",
            "COPILOT_PROVIDER_BASE_URL": f"{job.endpoint}/v1",
            "COPILOT_PROVIDER_API_KEY": job.api_key,
            "COPILOT_MODEL": job.model or _STAND_IN,
        }
    return added


def acp_argv(job: Job) -> list[str]:
    return [*ACP, *(["--model", job.model] if job.model and not job.endpoint else []), *job.extra]


def acp_model(job: Job) -> str | None:
    return None


def read(line: str) -> Sequence[RunEvent]:
    """The events of one line. With a model of one's own no token counts stand in it: the session's log has them."""
    said = record(line)
    data = table(said.get("data"))
    parent = data.get("parentToolCallId")
    match said.get("type"):
        case "session.start":
            return (
                Started(str(data.get("sessionId")), data.get("selectedModel"), table(data.get("context")).get("cwd")),
            )
        case "session.mcp_servers_loaded":
            servers = {str(server.get("name")): str(server.get("status")) for server in rows(data.get("servers"))}
            return (Noticed("servers", ", ".join(f"{name}: {state}" for name, state in servers.items())),)
        case "assistant.message" if data.get("content"):
            return (Said(str(data["content"]), parent),)
        case "assistant.reasoning":
            return (Thought(str(data.get("content", "")), parent),)
        case "tool.execution_start":
            return (_called(data, parent),)
        case "tool.execution_complete":
            return (_returned(data, parent),)
        case "assistant.usage":
            return (Spent(_usage(data)),)
        case "session.error" | "session.warning":
            return (Noticed(str(said["type"]), str(data.get("message", ""))),)
        case "result":
            return (_result(said),)
        case _:
            return ()


def _called(data: Mapping[str, Any], parent: Any) -> Called:
    server, name = data.get("mcpServerName"), data.get("mcpToolName")
    call, tool = str(data.get("toolCallId")), str(data.get("toolName"))
    return Called(call, tool, data.get("arguments"), server, name if server else None, parent)


def _returned(data: Mapping[str, Any], parent: Any) -> Returned:
    failed = not data.get("success")
    error = table(data.get("error")).get("message") or data.get("error")
    output = error if failed else table(data.get("result")).get("content")
    return Returned(str(data.get("toolCallId")), output, failed, parent)


def _usage(numbers: Mapping[str, Any]) -> Usage:
    """`inputTokens` counts what the cache gave and took too; `cost` counts requests of a plan, no money."""
    cached, written = number(numbers.get("cacheReadTokens")), number(numbers.get("cacheWriteTokens"))
    return Usage(
        input=max(0, number(numbers.get("inputTokens")) - cached - written),
        cache_read=cached,
        cache_write_5m=written,
        output=number(numbers.get("outputTokens")),
        reasoning=number(numbers.get("reasoningTokens")),
    )


def _result(said: Mapping[str, Any]) -> Finished:
    """Its `usage` counts requests and time, no tokens."""
    code = said.get("exitCode")
    return Finished(ok=code == 0, reason=f"exit code {code}", session=said.get("sessionId"))
