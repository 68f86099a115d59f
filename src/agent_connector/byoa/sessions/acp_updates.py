"""What an agent says over ACP, in the words of a session: read as leniently as `drive.acp_words` does."""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from agent_connector.drive.acp_words import KINDS, NAME, NAME_KEYS, Object, metadata, parent, table, tables, text

__all__ = ["Object", "metadata", "table", "tables", "text"]  # whoever reads updates needs these too

SERVER = "byoa"  # the name of the MCP server that carries the apps' tools
# They come by themselves, at any time: no sign that the prompt has begun.
OF_THE_SESSION = frozenset(
    ("available_commands_update", "current_mode_update", "config_option_update", "session_info_update")
)


@dataclass(frozen=True, slots=True)
class Text:
    """A piece of the main loop's answer."""

    text: str


@dataclass(frozen=True, slots=True)
class Thought:
    text: str


@dataclass(frozen=True, slots=True)
class Step:
    """A tool call; `name` is a fixed word, `title` is for the person's eyes alone."""

    id: str
    name: str
    title: str = ""
    status: str = ""


@dataclass(frozen=True, slots=True)
class Mode:
    """The agent is in another mode."""

    id: str


@dataclass(frozen=True, slots=True)
class Options:
    """All settings that the agent offers now, as it sends them."""

    options: tuple[Object, ...]


@dataclass(frozen=True, slots=True)
class Title:
    text: str


@dataclass(frozen=True, slots=True)
class Other:
    """Anything else: a plan, numbers, an echo of the prompt."""

    kind: str


Update = Text | Thought | Step | Mode | Options | Title | Other


@dataclass(frozen=True, slots=True)
class Choice:
    """An answer that the agent takes to a question; `kind` is allow_once, allow_always, reject_once, reject_always."""

    id: str
    label: str
    kind: str


@dataclass(frozen=True, slots=True)
class Question:
    """A permission that the agent asks for."""

    title: str
    detail: str
    choices: tuple[Choice, ...] = field(default=())

    @property
    def refusal(self) -> Choice | None:
        """The answer that refuses, this once where there is such a one."""
        by_kind = {choice.kind: choice for choice in reversed(self.choices)}
        return by_kind.get("reject_once") or by_kind.get("reject_always")


def read(update: Object, own_tools: Iterable[str] = ()) -> Update:
    """The `update` of a `session/update`; `own_tools` are names of tools that came from here."""
    kind = text(update.get("sessionUpdate"))
    if of_subagent(update):
        return Other(kind)
    match kind:
        case "agent_message_chunk":
            return Text(text(table(update.get("content")).get("text")))
        case "agent_thought_chunk":
            return Thought(text(table(update.get("content")).get("text")))
        case "tool_call" | "tool_call_update":
            return step(update, own_tools)
        case "current_mode_update":
            return Mode(text(update.get("currentModeId")))
        case "config_option_update":
            return Options(tables(update.get("configOptions")))
        case "session_info_update":
            return Title(text(update.get("title")))
        case _:
            return Other(kind)


def step(call: Object, own_tools: Iterable[str] = ()) -> Step:
    """The tool call. Its title may hold the input, so the name is that of the tool where it is told, else the kind."""
    title, meta = text(call.get("title")), metadata(call)
    id = text(call.get("toolCallId"))
    named = [text(call.get("name")), *(text(meta.get(key)) for key in NAME_KEYS)]
    own = next((name for name in own_tools if _is(name, (*named, title, id))), "")
    told = next((name for name in named if NAME.fullmatch(name)), "")
    kind = text(call.get("kind"))
    return Step(id, own or told or (kind if kind in KINDS else "other"), title, text(call.get("status")))


def of_subagent(update: Object) -> bool:
    return parent(update) is not None


def question(params: Object) -> Question:
    """A `session/request_permission`."""
    call = table(params.get("toolCall"))
    found = [table(item.get("content")) for item in tables(call.get("content"))]
    detail = "\n".join(filter(None, (text(item.get("text")) for item in found)))
    if not detail and call.get("rawInput"):
        detail = json.dumps(call["rawInput"], ensure_ascii=False, indent=2)
    choices = [
        Choice(text(option.get("optionId")), text(option.get("name")), text(option.get("kind")))
        for option in tables(params.get("options"))
    ]
    named, title = step(call), text(call.get("title"))
    name = named.name if named.name not in KINDS and named.name not in title else ""
    return Question(": ".join(filter(None, (name, title))) or named.name, detail, tuple(choices))


def _is(name: str, texts: Iterable[str]) -> bool:
    """Whether one of `texts` is this tool of ours, alone or as hosts compose its name with the server's."""
    form = rf"(?:Tool: )?(?:(?:mcp_+)?{SERVER}[_/:.]+)?{re.escape(name)}(?: \({SERVER} MCP Server\)|__.*)?"
    return any(re.fullmatch(form, each) for each in texts)
