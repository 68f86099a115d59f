"""Without a script, the first tool that only reads is called with the smallest arguments its schema allows."""

import pytest

from agent_connector.rehearse.sample import sample, script

READS = {"readOnlyHint": True}


def tool(name: str, schema: dict | None = None, **annotations: bool) -> dict:
    return {"name": name, "inputSchema": schema or {"type": "object"}, "annotations": annotations}


def test_the_first_tool_that_only_reads_is_called() -> None:
    schema = {"type": "object", "properties": {"sql": {"type": "string"}, "more": {}}, "required": ["sql"]}
    steps = script([tool("drop", readOnlyHint=False), {"name": "plain"}, tool("query", schema, **READS)]).steps
    assert [(call.tool, call.arguments) for step in steps for call in step.calls] == [("query", {"sql": "rehearsal"})]
    assert steps[-1].say


def test_nothing_is_called_where_every_tool_may_change_things() -> None:
    assert [step.calls for step in script([tool("drop"), {"name": "plain"}]).steps] == [()]


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"type": "string"}, "rehearsal"),
        ({"type": "string", "minLength": 12}, "x" * 12),
        ({"type": "integer"}, 1),
        ({"type": "number", "minimum": 5}, 5),
        ({"type": "boolean"}, False),
        ({"type": ["null", "string"]}, None),
        ({"enum": ["a", "b"]}, "a"),
        ({"const": 3}, 3),
        ({"type": "string", "default": "d"}, "d"),
        ({"type": "string", "examples": ["e"]}, "e"),
        ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, 1),
        ({"type": "array", "items": {"type": "string"}}, []),
        ({"type": "array", "items": {"type": "string"}, "minItems": 2}, ["rehearsal", "rehearsal"]),
        ({"properties": {"a": {"type": "object", "required": ["b"]}}, "required": ["a"]}, {"a": {"b": "rehearsal"}}),
        ({}, "rehearsal"),
    ],
)
def test_a_sample_fits_its_schema(schema: dict, value: object) -> None:
    assert sample(schema) == value
