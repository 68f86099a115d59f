"""Kimi Code CLI's hooks: `[[hooks]]` of config.toml, which can deny, and add a text to a prompt. On the hook path.

What a prompt's hook prints is put before the model as it is, so what says nothing is an empty text.
"""

from agent_connector.connector.light import EVENTS as NORMALIZED
from agent_connector.connector.light import TOOL_EVENTS
from agent_connector.hosts.dialects import claude_hooks as claude
from agent_connector.hosts.dialects import tool_names
from agent_connector.hosts.dialects.values import mapping

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from agent_connector.connector.light import Decision, Event
    from agent_connector.hosts.contract import HookUse, Sure, Verdict
    from agent_connector.hosts.nodes import Node, Reply

HOST = "kimi"
EVENTS: "Mapping[str, str]" = {name: name for name in NORMALIZED}
NATIVE = (
    "PermissionResult",
    "UserPromptQueued",
    "TurnStarted",
    "StopFailure",
    "Interrupt",
    "SessionHeartbeat",
    "TaskStarted",
)
TOOLS: "Mapping[str, str]" = {
    "Bash": "Bash",
    "Read": "Read",
    "Write": "Write",
    "Edit": "Edit",
    "Glob": "Glob",
    "Grep": "Grep",
    "FetchURL": "Fetch",
    "WebSearch": "Search",
    "Agent": "Agent",
    "Skill": "Skill",
    "TodoList": "Todo",
    "AskUserQuestion": "Ask",
}
NEUTRAL = ""
UNWAITED = ("PostToolUse", "PostToolUseFailure", "PermissionRequest", "SubagentStop", "PostCompact", "Notification")

_LONGEST, _SURE = 64, 54  # of a longer tool name at least that many letters are kept, before a hash
_SECONDS = 600.0


def _message(event: "Event", decision: "Decision") -> "dict[str, object]":
    return {"message": decision.text}


RENDERERS: "claude.Renderers" = {
    ("PreToolUse", "deny"): claude.refuse,
    ("PreToolUse", "ask"): claude.refuse,
    ("UserPromptSubmit", "deny"): claude.refuse,
    ("UserPromptSubmit", "ask"): claude.refuse,
    ("UserPromptSubmit", "context"): _message,
    ("Stop", "deny"): claude.refuse,
    ("Stop", "ask"): claude.refuse,
}


# ---- what is registered


def wire(hooks: "Sequence[HookUse]", file: str) -> "list[Node]":
    """One table for each, with the four keys that Kimi knows and no other."""
    from agent_connector.hosts.nodes import Item

    nodes: list[Node] = []
    for hook in hooks:
        entry: dict[str, object] = {"event": hook.event}
        if hook.event in TOOL_EVENTS and (matcher := _matcher(hook)) != "*":
            entry["matcher"] = matcher
        entry |= {"command": hook.command, "timeout": claude.seconds(min(hook.timeout, _SECONDS))}
        nodes.append(Item(file, "toml", ("hooks",), entry, hook.marks))
    return nodes


def _matcher(hook: "HookUse") -> str:
    from agent_connector.hosts.dialects.tool_matchers import anchored, native, spelled

    matchers = [spelled(one, hook.server, tool_name, _start) for one in hook.matchers]
    return anchored(native(matchers, hook.server, _stem, TOOLS, f"(?!{claude.MCP}).*"))


def _start(server: str, text: str) -> str:
    return (_stem(server) + fold(text))[:_SURE]


def _stem(server: str) -> str:
    return f"{claude.MCP}{fold(server)}__"


def fold(name: str) -> str:
    """A server's or tool's name as it stands in Kimi's: letters, digits, `-` and `_`, of which no two follow."""
    folded = ""
    for letter in claude.normal(name):
        if letter != "_" or folded[-1:] != "_":
            folded += letter
    return folded


def tool_name(server: str, tool: str) -> str:
    """What Kimi calls a server's tool."""
    return _cut(_stem(server) + fold(tool))


def _cut(name: str) -> str:
    """A long name ends in a hash that is written as a signed number."""
    if len(name) <= _LONGEST:
        return name
    code = tool_names.fnv(name)
    digest = f"{code - (1 << 32) if code >> 31 else code:x}".rjust(8, "0")
    return f"{name[: _LONGEST - len(digest) - 1]}_{digest}"


# ---- what comes in


def parse(host_event: str, raw: "dict[str, Any]", servers: "Sequence[str]") -> "Event":
    """A prompt comes in parts, an error as an object; the call's id and the agent have other names."""
    event = claude.parse(HOST, TOOLS, host_event, raw, servers, fold)
    event.call_id = raw.get("tool_call_id")
    event.tool_output = raw.get("tool_output")
    event.agent_type = raw.get("agent_name")
    event.last_message = raw.get("response")
    event.message = raw.get("body")
    event.error = mapping(raw.get("error")).get("message") or event.error
    if isinstance(raw.get("prompt"), list):
        event.prompt = "\n".join(str(mapping(part).get("text") or "") for part in raw["prompt"])
    return event


def restore(event: "Event", matchers: "Iterable[Mapping[str, Any]]", own: str) -> None:
    tool_names.restore(event, matchers, own, _stem, lambda stem, server, tool: _cut(stem + fold(tool)))


# ---- what goes out


def reply(event: "Event", decision: "Decision | None") -> "Reply":
    return claude.reply(RENDERERS, event, decision)


def honours(event: str, kind: str) -> "tuple[Verdict, Sure, str]":
    from agent_connector.hosts.kimi.verdicts import verdict

    return verdict(event, kind)
