"""Commands, skills, subagents and memory of Gemini CLI."""

import re
from typing import TYPE_CHECKING

from agent_connector.hosts.dialects import front_matter, skill_md
from agent_connector.hosts.gemini_cli import hooks, places
from agent_connector.hosts.nodes import Node, Refusal, Whole

if TYPE_CHECKING:
    from agent_connector.connector.model import Command, Subagent, Tool
    from agent_connector.hosts.machine import Machine

skill = skill_md.skill


def command(command: "Command", folder: str) -> list[Node]:
    """`<name>.toml`; what the person types behind the command's name is `{{args}}` there."""
    head = f"description = {_short(command.description)}\n" if command.description else ""
    prompt = _long(command.prompt.replace("$ARGUMENTS", "{{args}}"))
    return [Whole(front_matter.join(folder, f"{command.name}.toml"), f"{head}prompt = {prompt}\n")]


def subagent(subagent: "Subagent", folder: str) -> list[Node | Refusal]:
    """`<name>.md`. Gemini knows a list of allowed tools and no other: what is denied is left out of that list."""
    tools = _tools(subagent)
    if isinstance(tools, Refusal):
        return [tools]
    head = {"name": subagent.name, "description": subagent.description, "tools": tools, "model": _model(subagent.model)}
    return [Whole(front_matter.join(folder, f"{subagent.name}.md"), front_matter.document(head, subagent.prompt))]


def memory(scope: str, machine: "Machine") -> str | Refusal:
    """GEMINI.md; a person's `context.fileName`, which may name others, is not looked at."""
    file = places.files(scope, machine).get("memory")
    return Refusal(f"Gemini CLI has no memory file in scope {scope}") if file is None else file


def _tools(subagent: "Subagent") -> list[str] | Refusal | None:
    """The allowed tools, None for all of them."""
    denied = [name for tool in subagent.deny for name in _native(tool)]
    if subagent.allow is None and not denied:
        return None
    every = [*hooks.TOOLS, "mcp_*"]
    allowed = every if subagent.allow is None else [name for tool in subagent.allow for name in _native(tool)]
    left = [name for name in allowed if not any(_covers(one, name) for one in denied)]
    if torn := next((name for name in left for one in denied if _covers(name, one)), None):
        return Refusal(f"Gemini CLI cannot allow {torn} without a tool of it", "name the tools that are allowed")
    return left


def _model(name: str | None) -> str | None:
    """A model of another vendor, which another host understands, would keep the agent from running."""
    return name if name and name.startswith("gemini") else None


def _covers(wide: str, narrow: str) -> bool:
    return narrow.startswith(wide[:-1]) if wide.endswith("*") else narrow == wide


def _native(tool: "Tool") -> list[str]:
    if tool.server is not None:
        return [hooks.tool_name(tool.server) + "*" if tool.name == "*" else hooks.tool_name(tool.server, tool.name)]
    return [native for native, canonical in hooks.TOOLS.items() if canonical == tool.name] or [tool.name]


_CONTROL = {
    **{code: f"\\u{code:04x}" for code in (*range(32), 127)},
    **{ord(letter): text for letter, text in {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t"}.items()},
}
_IN_LINES = {code: text for code, text in _CONTROL.items() if chr(code) not in '\n\t"'}

_QUOTES = re.compile(r'"{3,}|"+\Z')  # what would end the string too early


def _short(text: str) -> str:
    """A TOML string on one line."""
    return '"' + text.translate(_CONTROL) + '"'


def _long(text: str) -> str:
    """A TOML string over several lines that a person can read."""
    body = _QUOTES.sub(lambda found: '\\"' * len(found[0]), text.translate(_IN_LINES))
    return f'"""\n{body}"""'
