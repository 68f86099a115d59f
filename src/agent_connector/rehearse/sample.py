"""Arguments for a tool nobody wrote a script for: the smallest value that a JSON schema allows, as far as it tells."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from agent_connector.rehearse.model.shape import Object, obj, objects, text
from agent_connector.rehearse.script import Script, Step, ToolCall

_BY_TYPE: Mapping[str, Any] = {"string": "rehearsal", "boolean": False, "array": [], "object": {}, "null": None}


def script(tools: Sequence[Object]) -> Script:
    """Call the first tool that says it only reads; without one nothing is called, since calls may change things."""
    readers = [tool for tool in tools if obj(tool.get("annotations")).get("readOnlyHint") is True]
    done = Step(say="The rehearsal is over.")
    if not readers:
        return Script(steps=(done,))
    tool = readers[0]
    arguments = cast("dict[str, Any]", sample(obj(tool.get("inputSchema")) or {"type": "object"}))
    return Script(steps=(Step(calls=(ToolCall(text(tool.get("name")), arguments),)), done))


def sample(schema: Object) -> Any:
    """A value for `schema`; only what is required stands in an object."""
    for key in ("const", "default"):
        if key in schema:
            return schema[key]
    for key in ("enum", "examples"):
        if given := schema.get(key):
            return given[0]
    for key in ("anyOf", "oneOf", "allOf"):
        if given := objects(schema.get(key)):
            return sample(given[0])
    kind = _kind(schema.get("type"))
    if kind == "object" or "properties" in schema:
        fields, required = obj(schema.get("properties")), schema.get("required")
        return {name: sample(obj(fields.get(name))) for name in cast("list[str]", required or [])}
    if kind in ("integer", "number"):
        return schema.get("minimum", 1)
    if kind == "array" and schema.get("minItems"):
        return [sample(obj(schema.get("items")))] * int(schema["minItems"])
    if kind == "string" and len("rehearsal") < int(schema.get("minLength") or 0):
        return "x" * int(schema["minLength"])
    return _BY_TYPE.get(kind, "rehearsal")


def _kind(given: object) -> str:
    """The type, or the first of several."""
    several = cast("list[object]", given) if isinstance(given, list) else [given]
    return text(several[0]) if several else ""
