"""A shorter schema accepts exactly what the longer one accepted."""

import json
from typing import Any

import jsonschema
from hypothesis import given, settings
from hypothesis import strategies as st
from inline_snapshot import snapshot

from agent_connector.telemetry.shorter import shorter

NAMES = st.sampled_from(["a", "b", "user_name"])
SCALARS = st.one_of(st.none(), st.booleans(), st.integers(-3, 3), st.sampled_from(["", "x", "yy", "zzz"]))
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(NAMES, inner, max_size=3)),
    max_leaves=8,
)
TYPES = st.sampled_from(["string", "integer", "number", "boolean", "null", "object", "array"])
LIMITS = st.fixed_dictionaries(
    {},
    optional={
        "title": st.sampled_from(["A", "B", "User Name", "What it is", "Thing"]),
        "description": st.just("words"),
        "$comment": st.just("for nobody"),
        "default": st.one_of(st.none(), st.just("x")),
        "minLength": st.integers(0, 2),
        "minItems": st.integers(0, 2),
        "uniqueItems": st.booleans(),
        "minimum": st.integers(-2, 2),
        "additionalProperties": st.booleans(),
        "required": st.lists(NAMES, max_size=2, unique=True),
        "enum": st.lists(SCALARS, min_size=1, max_size=3),
    },
)
BASE = st.one_of(
    LIMITS,
    st.tuples(TYPES, LIMITS).map(lambda pair: {"type": pair[0], **pair[1]}),
    st.sampled_from(
        [
            {"$ref": "#/$defs/Thing"},
            {"$ref": "#/$defs/Tree"},
            {"$ref": "#/$defs/Unused", "description": "d"},
            {"$ref": "#/$defs/Unused", "type": "integer"},
        ]
    ),
    st.tuples(TYPES, LIMITS).map(lambda pair: {"anyOf": [{"type": pair[0], **pair[1]}, {"type": "null"}]}),
    st.lists(TYPES, min_size=1, max_size=3).map(lambda kinds: {"anyOf": [{"type": kind} for kind in kinds]}),
)


def composed(inner: st.SearchStrategy[dict[str, Any]]) -> st.SearchStrategy[dict[str, Any]]:
    several = st.lists(inner, min_size=1, max_size=2)
    return st.one_of(
        st.tuples(LIMITS, st.dictionaries(NAMES, inner, max_size=3)).map(lambda p: {**p[0], "properties": p[1]}),
        st.tuples(LIMITS, inner).map(lambda p: {**p[0], "items": p[1]}),
        st.tuples(LIMITS, st.sampled_from(["anyOf", "oneOf", "allOf"]), several).map(lambda p: {**p[0], p[1]: p[2]}),
        inner.map(lambda one: {"not": one}),
    )


SCHEMAS = st.tuples(st.recursive(BASE, composed, max_leaves=6), LIMITS).map(
    lambda pair: {
        **pair[0],
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$defs": {
            "Thing": {"type": "string", "title": "Thing", **({"minLength": 1} if "title" in pair[1] else {})},
            "Tree": {"type": "object", "properties": {"a": {"$ref": "#/$defs/Tree"}}, "additionalProperties": False},
            "Unused": {"type": ["integer", "null"]},
        },
    }
)


@settings(max_examples=600, deadline=None)
@given(SCHEMAS, st.lists(VALUES, min_size=4, max_size=8))
def test_a_shorter_schema_accepts_the_same_values(schema: dict[str, Any], values: list[Any]) -> None:
    before = json.dumps(schema)
    less = shorter(schema)
    assert json.dumps(schema) == before
    assert len(json.dumps(less)) <= len(before)
    jsonschema.Draft202012Validator.check_schema(less)
    long, short = jsonschema.Draft202012Validator(schema), jsonschema.Draft202012Validator(less)
    for value in values:
        assert long.is_valid(value) == short.is_valid(value), (value, less)


@settings(max_examples=100, deadline=None)
@given(SCHEMAS)
def test_nothing_is_left_to_shorten(schema: dict[str, Any]) -> None:
    once = shorter(schema)
    assert len(json.dumps(shorter(once))) == len(json.dumps(once))


def test_a_choice_that_becomes_the_schema_brings_nothing_that_says_nothing() -> None:
    choice = {"anyOf": [{"type": "string", "title": "Name", "default": None}, {"type": "null"}]}
    assert shorter({"properties": {"name": choice}}) == {"properties": {"name": {"type": ["string", "null"]}}}


def test_what_a_generator_writes() -> None:
    schema = {
        "$defs": {
            "Order": {
                "enum": ["up", "down"],
                "title": "Order",
                "type": "string",
            }
        },
        "properties": {
            "query": {"title": "Query", "type": "string", "description": "What to look for"},
            "limit": {
                "anyOf": [{"type": "integer", "minimum": 1}, {"type": "null"}],
                "default": None,
                "title": "Limit",
            },
            "order": {"$ref": "#/$defs/Order", "default": "up"},
            "heading": {"title": "Shown above the table", "type": "string"},
        },
        "required": ["query"],
        "title": "searchArguments",
        "type": "object",
    }
    assert shorter(schema, "search") == snapshot(
        {
            "properties": {
                "query": {"type": "string", "description": "What to look for"},
                "limit": {"type": ["integer", "null"], "minimum": 1},
                "order": {"enum": ["up", "down"], "type": "string", "default": "up"},
                "heading": {"title": "Shown above the table", "type": "string"},
            },
            "required": ["query"],
            "type": "object",
        }
    )


def test_what_cannot_be_followed_stays_whole() -> None:
    for schema in (
        {"$anchor": "here", "title": "", "properties": {"a": {"title": "A"}}},
        {"properties": {"a": {"title": "A", "$ref": "#/properties/b"}, "b": {"title": "B"}}},
        {"properties": {"a": {"title": "A", "$ref": "https://example.com/s.json"}}},
    ):
        assert shorter(schema) == schema
    deep: dict[str, Any] = {"title": "A"}
    for _ in range(5000):
        deep = {"properties": {"a": deep}}
    assert shorter(deep) is deep


def test_a_chain_of_definitions_longer_than_we_follow_keeps_all_of_them():
    chain = {f"d{n}": {"properties": {"a": {"$ref": f"#/$defs/d{n + 1}"}}} for n in range(100)}
    schema = {
        "type": "object",
        "properties": {"a": {"$ref": "#/$defs/d0"}},
        "$defs": {**chain, "d100": {"type": "null"}},
    }
    value: Any = None
    for _ in range(101):
        value = {"a": value}
    jsonschema.validate(value, shorter(schema))


def test_what_unevaluated_properties_rest_on_stays():
    schema = {"additionalProperties": True, "unevaluatedProperties": False}
    jsonschema.validate({"any": 1}, shorter(schema))
