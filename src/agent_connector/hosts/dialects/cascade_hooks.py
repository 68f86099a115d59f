"""Hooks of Cascade, Windsurf's older agent: an event for each kind of tool, and an exit code as the answer.

On the hook path.
"""

from agent_connector.connector.light import Event
from agent_connector.hosts.dialects import exit_codes
from agent_connector.hosts.dialects.values import mapping

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from agent_connector.hosts.contract import HookUse
    from agent_connector.hosts.nodes import Node

KIND = "agent_action_name"  # in every payload of Cascade's, and in no other

_KINDS = ("read_code", "write_code", "run_command", "mcp_tool_use")
_WRITTEN: "Mapping[str, str]" = {
    "Read": "read_code",
    "Write": "write_code",
    "Edit": "write_code",
    "Bash": "run_command",
}
_NAMED: "Mapping[str, str]" = {
    "pre_user_prompt": "UserPromptSubmit",
    "post_cascade_response": "Stop",
    **{f"pre_{kind}": "PreToolUse" for kind in _KINDS},
    **{f"post_{kind}": "PostToolUse" for kind in _KINDS},
}
_SINGLE: "Mapping[str, str]" = {"UserPromptSubmit": "pre_user_prompt", "Stop": "post_cascade_response"}

RENDERERS: "exit_codes.Renderers" = {
    ("PreToolUse", "deny"): exit_codes.refuse,
    ("PreToolUse", "ask"): exit_codes.refuse,
    ("UserPromptSubmit", "deny"): exit_codes.refuse,
    ("UserPromptSubmit", "ask"): exit_codes.refuse,
}


def wire(hooks: "Sequence[HookUse]", file: str) -> "list[Node]":
    """What Cascade has no event for is left out."""
    from agent_connector.hosts.dialects import shells
    from agent_connector.hosts.nodes import Item

    nodes: list[Node] = []
    for hook in hooks:
        key = "powershell" if shells.is_for_windows(hook.command) else "command"
        entry = {key: shells.for_powershell(hook.command), "show_output": False}
        nodes += [Item(file, "json", ("hooks", event), entry, hook.marks) for event in _events(hook)]
    return nodes


def _events(hook: "HookUse") -> "list[str]":
    if hook.name not in ("PreToolUse", "PostToolUse"):
        return [_SINGLE[hook.name]] if hook.name and hook.name in _SINGLE else []
    kinds: dict[str, None] = {}
    for matcher in hook.matchers:
        kinds.update(dict.fromkeys(_of(matcher)))
    when = "pre" if hook.name == "PreToolUse" else "post"
    return [f"{when}_{kind}" for kind in _KINDS if kind in kinds]


def _of(matcher: "Mapping[str, Any]") -> "Sequence[str]":
    """The kinds of tools among which `matcher` may find one."""
    if matcher["side"] == "any":
        return _KINDS
    if matcher["side"] != "host":
        return _KINDS[3:]
    if "names" not in matcher:
        return _KINDS[:3]
    return [_WRITTEN[name] for name in matcher["names"] if name in _WRITTEN]


def parse(host: str, host_event: str, raw: "dict[str, Any]") -> Event:
    kind = str(raw[KIND])
    about = mapping(raw.get("tool_info"))
    event = Event(
        _NAMED.get(kind, host_event),
        host,
        host_event,
        raw,
        session_id=raw.get("trajectory_id"),
        model=raw.get("model_name"),
        cwd=about.get("cwd"),
        prompt=about.get("user_prompt"),
        last_message=about.get("response"),
    )
    if event.name in ("PreToolUse", "PostToolUse"):
        _tool(event, kind.partition("_")[2], about)
    return event


def _tool(event: Event, kind: str, about: "dict[str, Any]") -> None:
    if kind == "mcp_tool_use":
        event.server, event.tool_name = about.get("mcp_server_name"), about.get("mcp_tool_name")
        event.host_tool_name = event.tool_name
        event.tool_input = mapping(about.get("mcp_tool_arguments"))
        event.tool_output = about.get("mcp_result")
        return
    event.host_tool_name, event.tool_input = kind, about
    event.tool_name = {"read_code": "Read", "run_command": "Bash"}.get(kind) or _writing(about)


def _writing(about: "dict[str, Any]") -> str:
    """A file is written whole where nothing of an old text is replaced."""
    edits = about.get("edits")
    pieces = edits if isinstance(edits, list) else []  # pyright: ignore[reportUnknownVariableType]
    return "Edit" if any(mapping(piece).get("old_string") for piece in pieces) else "Write"  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
