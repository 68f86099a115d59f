"""Claude Code without a person: `claude -p` with a stream of JSON lines."""

from collections.abc import Mapping, Sequence
from typing import Any

from agent_connector.drive.events import Finished, Job, Noticed, RunEvent, Usage
from agent_connector.hosts.dialects import claude_stream
from agent_connector.hosts.dialects.claude_hooks import prefix
from agent_connector.hosts.dialects.stream_json import number, record, rows, table
from agent_connector.hosts.dialects.sureness import sure

PROGRAM = "claude"
ENDPOINT = "anthropic-messages"  # what a stand-in model has to speak
# Brings its own agent, not the program on PATH; set its mode to `default`, or a model judges each call first.
ACP = ("claude-agent-acp",)
ACP_PACKAGE = "@agentclientprotocol/claude-agent-acp"
ACP_USAGE = "turn"  # the prompt's sum, input without the cache; the cost grows over the session
PROVIDERS = ("anthropic", "claude")
UPSTREAM = "https://api.anthropic.com"
KEYS = ("ANTHROPIC_API_KEY",)
KEY_HEADER = "x-api-key"
LOGIN = (".claude/.credentials.json",)  # on macOS it is in the keychain
TELLS = "tokens and cost of the run, by model"
SURE = sure(proven="run endpoint resume system budget usage acp keys", documented="login")

_MODES = {"default": "manual", "edits": "acceptEdits", "all": "bypassPermissions"}
_SETTINGS = "--settings"


def argv(job: Job) -> list[str]:
    """`--verbose` is needed for a stream; hook records in it cost nothing. User and project hooks run unreviewed."""
    line = [job.program or PROGRAM, "-p", "--output-format", "stream-json", "--verbose"]
    line += ["--permission-mode", _MODES[job.approvals]]
    if job.approved_servers:
        line += ["--allowedTools", ",".join(prefix(server).removesuffix("__") for server in job.approved_servers)]
    if job.model:
        line += ["--model", job.model]
    if job.system:
        line.append(f"--append-system-prompt={job.system}")
    line += budget(job)
    if job.resume:
        line += resume(job.resume)
    return [*line, *job.extra, "--", job.prompt]


def resume(session: str) -> list[str]:
    return ["--resume", session]


def budget(job: Job) -> list[str]:
    """The run ends with the result `error_max_budget_usd` once that much is spent."""
    return ["--max-budget-usd", f"{job.budget_usd:g}"] if job.budget_usd else []


BUDGET = budget


def environment(job: Job) -> dict[str, str]:
    """What is added to the run's environment: no update in the middle of it, and the stand-in model when there is one."""
    added = {"DISABLE_AUTOUPDATER": "1"}
    if job.endpoint:
        added |= {
            "ANTHROPIC_BASE_URL": job.endpoint,
            "ANTHROPIC_API_KEY": job.api_key,
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        }
    return added


def acp_environment(job: Job) -> dict[str, str]:
    """A guess at the next prompt would be one more request."""
    model = {"ANTHROPIC_MODEL": job.model} if job.model else {}
    return {**environment(job), **model, "CLAUDE_CODE_ENABLE_PROMPT_SUGGESTION": "false"}


def acp_model(job: Job) -> str | None:
    """It is told by a variable: the list that the agent offers knows its maker's alone."""
    return None


def acp_argv(job: Job) -> list[str]:
    """The agent takes no word of `claude`'s: `--settings` goes with the session."""
    return [*ACP, *_apart(job.extra)[1]]


def acp_meta(job: Job) -> dict[str, Any]:
    settings, _ = _apart(job.extra)
    options: dict[str, Any] = {"settings": settings} if settings else {}
    if job.budget_usd:
        options["maxBudgetUsd"] = job.budget_usd
    told: dict[str, Any] = {"claudeCode": {"options": options}} if options else {}
    return {**told, "systemPrompt": {"append": job.system}} if job.system else told


def _apart(words: Sequence[str]) -> tuple[str | None, list[str]]:
    """The file of settings, and the words beside it."""
    rest = list(words)
    if _SETTINGS not in rest:
        return None, rest
    at = rest.index(_SETTINGS)
    return rest[at + 1], rest[:at] + rest[at + 2 :]


def read(line: str) -> Sequence[RunEvent]:
    """The events of one line; a line that is no JSON object has none."""
    said = record(line)
    match said.get("type"):
        case "system":
            return (_system(said),)
        case "assistant" | "user":
            return claude_stream.message(said)
        case "result":
            return (_result(said),)
        case "rate_limit_event":
            return (Noticed("rate_limit", str(said.get("rate_limit_info", ""))),)
        case _:
            return ()


def _system(said: Mapping[str, Any]) -> RunEvent:
    subtype = str(said.get("subtype", ""))
    if subtype != "init":
        return Noticed(subtype, str(said.get("hook_name") or said.get("content") or said.get("error") or ""))
    return claude_stream.started(said)


def _result(said: Mapping[str, Any]) -> Finished:
    """`usage` is of this run, but `modelUsage` and `total_cost_usd` grow over a resumed session: so the newer
    `model_usage_since_last_result` is read where it is.
    """
    models = table(said.get("model_usage_since_last_result")) or table(said.get("modelUsage"))
    by_model = {model: _model_usage(table(numbers)) for model, numbers in models.items()}
    usage = _usage(table(said.get("usage")))
    if usage == Usage():  # a run that its budget ended tells it by model alone
        usage = sum(by_model.values(), start=usage)
    costs = [numbers.get("costUSD") for numbers in map(table, models.values())]
    known = [cost for cost in costs if isinstance(cost, int | float)]
    return Finished(
        ok=said.get("subtype") == "success" and not said.get("is_error"),
        reason=said.get("terminal_reason") or said.get("subtype"),
        text=said.get("result"),
        session=said.get("session_id"),
        usage=usage,
        by_model=by_model,
        cost_usd=round(sum(known), 9) if known else said.get("total_cost_usd"),
        turns=said.get("num_turns"),
        denied=tuple(str(denial.get("tool_name")) for denial in rows(said.get("permission_denials"))),
    )


def _usage(numbers: Mapping[str, Any]) -> Usage:
    """`input_tokens` is without the cache; a write whose age is not told counts as a five minute one."""
    hour = number(table(numbers.get("cache_creation")).get("ephemeral_1h_input_tokens"))
    return Usage(
        input=number(numbers.get("input_tokens")),
        cache_read=number(numbers.get("cache_read_input_tokens")),
        cache_write_5m=number(numbers.get("cache_creation_input_tokens")) - hour,
        cache_write_1h=hour,
        output=number(numbers.get("output_tokens")),
        reasoning=number(table(numbers.get("output_tokens_details")).get("thinking_tokens")),
    )


def _model_usage(numbers: Mapping[str, Any]) -> Usage:
    hour = number(numbers.get("cacheCreationEphemeral1hInputTokens"))
    return Usage(
        input=number(numbers.get("inputTokens")),
        cache_read=number(numbers.get("cacheReadInputTokens")),
        cache_write_5m=number(numbers.get("cacheCreationInputTokens")) - hour,
        cache_write_1h=hour,
        output=number(numbers.get("outputTokens")),
        reasoning=number(numbers.get("thinkingTokens")),
    )
