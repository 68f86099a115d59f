"""Mux's hooks: the programs tool_pre and tool_post. A variable tells the call, an exit code answers. On the hook path."""

from agent_connector.connector.light import Event
from agent_connector.hosts.dialects import exit_codes, tool_names
from agent_connector.hosts.dialects.values import mapping

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from agent_connector.connector.light import Decision
    from agent_connector.hosts.contract import HookUse, Sure, Verdict
    from agent_connector.hosts.nodes import Node, Refusal, Reply

HOST = "mux"
EVENTS: "Mapping[str, str]" = {
    "PreToolUse": "tool_pre",
    "PostToolUse": "tool_post",
    "PostToolUseFailure": "tool_post",  # of a call that failed
}
NATIVE = ("init",)
TOOLS: "Mapping[str, str]" = {
    "bash": "Bash",
    "file_read": "Read",
    "file_edit_replace_string": "Edit",
    "file_edit_replace_lines": "Edit",
    "file_edit_insert": "Edit",
    "web_fetch": "Fetch",
    "task": "Agent",
    "agent_skill_read": "Skill",
    "todo_write": "Todo",
    "ask_user_question": "Ask",
}
NEUTRAL = ""  # what tool_post prints is put beside the result

_NAMES = {"tool_pre": "PreToolUse", "tool_post": "PostToolUse"}
RENDERERS: "exit_codes.Renderers" = {
    ("PreToolUse", "deny"): exit_codes.refuse,
    ("PreToolUse", "ask"): exit_codes.refuse,
    **{(event, "deny"): exit_codes.refuse for event in ("PostToolUse", "PostToolUseFailure")},
    **{(event, "context"): exit_codes.told for event in ("PostToolUse", "PostToolUseFailure")},
}


def wire(hooks: "Sequence[HookUse]", file: str) -> "list[Node | Refusal]":
    """`file` is the folder. There are no matchers: every call starts our program."""
    from agent_connector.hosts.dialects import script_files
    from agent_connector.hosts.dialects.shells import is_for_windows
    from agent_connector.hosts.mux.scripts import caller, part
    from agent_connector.hosts.nodes import Refusal

    if any(is_for_windows(hook.command) for hook in hooks):
        return [Refusal("what Mux starts as a hook on Windows is documented nowhere", "use it in WSL")]
    return [*script_files.wire(hooks, file, caller, part)]


def fold(name: str) -> str:
    """A name as it stands in Mux's names of tools."""
    return "".join(c if c.isascii() and c.isalnum() else "_" for c in name.lower())


def _stem(server: str) -> str:
    return fold(server) + "_"


def parse(host_event: str, raw: "dict[str, Any]", servers: "Sequence[str]") -> "Event":
    """What our part of the program told. Only the known servers tell `<server>_<tool>` from a tool of Mux's own."""
    event = Event(_NAMES.get(host_event, host_event), HOST, host_event, raw)
    event.session_id, event.cwd, event.model = raw.get("workspace"), raw.get("folder"), raw.get("model")
    given, result, tool = raw.get("input"), raw.get("result"), raw.get("tool")
    event.tool_input = given if isinstance(given, dict) else None
    if host_event == "tool_post":
        event.tool_output = result
        told = mapping(result)
        if told.get("success") is False or told.get("error") or told.get("isError"):
            event.name, event.error = "PostToolUseFailure", str(told.get("error") or result)
    if not isinstance(tool, str):
        return event
    event.host_tool_name, event.tool_name = tool, TOOLS.get(tool, tool)
    if tool not in TOOLS:
        for server in sorted(servers, key=len, reverse=True):
            if tool.startswith(_stem(server)):
                event.server, event.tool_name = server, tool[len(_stem(server)) :]
                break
    return event


def restore(event: "Event", matchers: "Iterable[Mapping[str, Any]]", own: str) -> None:
    tool_names.restore(event, matchers, own, _stem, lambda stem, server, tool: stem + fold(tool))


def reply(event: "Event", decision: "Decision | None") -> "Reply":
    return exit_codes.reply(RENDERERS, event, decision)


def honours(event: str, kind: str) -> "tuple[Verdict, Sure, str]":
    from agent_connector.hosts.mux.verdicts import verdict

    return verdict(event, kind)
