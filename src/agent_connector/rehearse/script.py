"""The script of a rehearsal: a prompt, and what the stand-in model does with it, step by step.

    prompt: Which tables are there?
    usage: {input: 1000, cache_read: 200, output: 40}
    steps:
      - call: {tool: acme_query, arguments: {sql: "select 1"}}
      - say: There is one.

A step is one answer of the model: `say`, `call` (one tool call or a list of them) or both, and its own `usage`. Tools
are named bare; a tool of the host itself is `host:Bash`. Steps with `subagent: true` are kept for conversations that do
not hold the prompt, in their own order.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, cast

from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

from agent_connector.errors import RehearseError
from agent_connector.rehearse.model.turns import Usage

BESIDE = "rehearsal.yml"
PROMPT = "Use the tools of this connector."


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool by its bare name, and the arguments object."""

    tool: str
    arguments: Mapping[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True)
class Step:
    """One answer of the model."""

    say: str = ""
    calls: tuple[ToolCall, ...] = ()
    usage: Usage | None = None
    subagent: bool = False


@dataclass(frozen=True, slots=True)
class Script:
    """What the person asks and what the model does; `usage` counts for every step that has none of its own."""

    steps: tuple[Step, ...]
    prompt: str = PROMPT
    usage: Usage = field(default_factory=Usage)


def beside(declaration: str) -> str | None:
    """The script that an author keeps beside the declaration (a file, or a package's folder)."""
    if not declaration:
        return None
    folder = Path(declaration) if Path(declaration).is_dir() else Path(declaration).parent
    path = folder / BESIDE
    return str(path) if path.is_file() else None


def read(path: str) -> Script:
    """The script in a YAML (or JSON) file."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise RehearseError(f"the script cannot be read: {error}", where=path) from None
    try:
        value = YAML(typ="safe", pure=True).load(text)  # pyright: ignore[reportUnknownMemberType]
    except YAMLError as error:
        raise RehearseError(f"the script is not YAML: {error}", where=path) from None
    return parse(value, where=path)


def parse(value: object, *, where: str = "script") -> Script:
    """A script from its plain form; every field is checked, an unknown one is an error."""
    script = _mapping(value, where, {"prompt", "usage", "steps"})
    found: object = script.get("steps")
    if not isinstance(found, list) or not found:
        raise _wrong(f"{where}.steps", cast("object", found), "a list with at least one step")
    steps = cast("list[object]", found)
    return Script(
        steps=tuple(_step(step, f"{where}.steps[{index}]") for index, step in enumerate(steps)),
        prompt=_text(script.get("prompt", PROMPT), f"{where}.prompt"),
        usage=_usage(script.get("usage"), f"{where}.usage") or Usage(),
    )


def _step(value: object, where: str) -> Step:
    step = _mapping(value, where, {"say", "call", "usage", "subagent"})
    given = step.get("call")
    calls: Sequence[object] = (
        () if given is None else cast("list[object]", given if isinstance(given, list) else [given])
    )
    if "say" not in step and not calls:
        raise _wrong(where, step, "`say`, `call`, or both")
    subagent = step.get("subagent", False)
    if not isinstance(subagent, bool):
        raise _wrong(f"{where}.subagent", subagent, "true or false")
    return Step(
        say=_text(step.get("say", ""), f"{where}.say"),
        calls=tuple(_call(call, f"{where}.call") for call in calls),
        usage=_usage(step.get("usage"), f"{where}.usage"),
        subagent=subagent,
    )


def _call(value: object, where: str) -> ToolCall:
    call = _mapping(value, where, {"tool", "arguments"})
    tool = _text(call.get("tool"), f"{where}.tool")
    if not tool:
        raise _wrong(f"{where}.tool", "nothing", "the bare name of a tool")
    arguments = call.get("arguments", {})
    if not isinstance(arguments, Mapping):
        raise _wrong(f"{where}.arguments", arguments, "a map of arguments")
    return ToolCall(tool, cast("Mapping[str, Any]", arguments))


def _usage(value: object, where: str) -> Usage | None:
    if value is None:
        return None
    numbers = _mapping(value, where, {item.name for item in fields(Usage)})
    for name, number in numbers.items():
        if not isinstance(number, int) or isinstance(number, bool) or number < 0:
            raise _wrong(f"{where}.{name}", number, "a whole number, 0 or more")
    return Usage(**cast("dict[str, int]", numbers))


def _mapping(value: object, where: str, allowed: set[str]) -> dict[str, object]:
    if not isinstance(value, Mapping):
        raise _wrong(where, value, f"a map with {', '.join(sorted(allowed))}")
    found = {str(key): item for key, item in cast("Mapping[object, object]", value).items()}
    if unknown := sorted(found.keys() - allowed):
        raise _wrong(f"{where}.{unknown[0]}", "an unknown field", ", ".join(sorted(allowed)))
    return found


def _text(value: object, where: str) -> str:
    if not isinstance(value, str):
        raise _wrong(where, value, "a text")
    return value


def _wrong(where: str, found: object, allowed: str) -> RehearseError:
    return RehearseError(f"found {found!r}", where=where, remedy=f"allowed: {allowed}")
