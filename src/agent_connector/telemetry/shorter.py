"""A JSON Schema as a shorter one that accepts exactly the same values, for definitions that a model reads every turn.

Only what says nothing to a validator, or says it in more words than needed, is changed: titles that a generator made of
the property's name, `$schema`, `$comment`, `default: null` of what may be left out, a choice of plain types,
lists of one schema, definitions that are used once or never, and keywords that say what is so without them.
Descriptions are an author's words and stay.
"""

from collections.abc import Mapping
from typing import Any, cast

Schema = dict[str, Any]

SILENT = ("$schema", "$comment", "$id")
IDLE: Mapping[str, Any] = {  # keyword -> the value that says nothing
    "additionalProperties": True,
    "required": [],
    "minItems": 0,
    "minLength": 0,
    "minProperties": 0,
    "uniqueItems": False,
    "deprecated": False,
    "readOnly": False,
    "writeOnly": False,
}
_ONE = "schema"  # keywords whose value is a schema
_LIST = "list"  # ... a list of schemas
_MAP = "map"  # ... names to schemas
PARTS: Mapping[str, str] = {
    "items": _ONE,
    "contains": _ONE,
    "additionalProperties": _ONE,
    "propertyNames": _ONE,
    "not": _ONE,
    "if": _ONE,
    "then": _ONE,
    "else": _ONE,
    "anyOf": _LIST,
    "oneOf": _LIST,
    "allOf": _LIST,
    "prefixItems": _LIST,
    "properties": _MAP,
    "patternProperties": _MAP,
    "dependentSchemas": _MAP,
    "$defs": _MAP,
    "definitions": _MAP,
}
_TYPED = frozenset(  # keywords that ask nothing of a null
    [
        "title",
        "description",
        "examples",
        "default",
        "minLength",
        "maxLength",
        "pattern",
        "format",
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "multipleOf",
        "items",
        "prefixItems",
        "contains",
        "minContains",
        "maxContains",
        "minItems",
        "maxItems",
        "uniqueItems",
        "properties",
        "patternProperties",
        "additionalProperties",
        "propertyNames",
        "required",
        "minProperties",
        "maxProperties",
    ]
)
_ARGUMENTS = ("arguments", "args", "input", "params", "parameters")  # what generators put behind a tool's name
_DEFS = ("$defs", "definitions")
_BEYOND = (  # keywords with which a schema says something of another one's words
    "$anchor",
    "$dynamicRef",
    "$dynamicAnchor",
    "$recursiveRef",
    "$vocabulary",
    "unevaluatedItems",
    "unevaluatedProperties",
)
_DEEP = 60  # levels; a deeper schema stays as it is below


def shorter(schema: Schema, tool: str = "") -> Schema:
    """An equivalent of the input schema of `tool`; the given one is not changed.

    One that refers in ways we do not follow, asks what its parts have not asked (`unevaluated...`), or is very deep,
    comes back as it is.
    """
    if _refers_elsewhere(schema, _DEEP):
        return schema
    found = dict(schema)
    if tool and any(_is_generated(found.get("title"), tool + ending) for ending in _ARGUMENTS):
        del found["title"]
    inlined = _inlined(found, found, _uses(found, found), _DEEP)
    if any(_target(reference, inlined) is None for reference in _uses(inlined, inlined)):
        return schema  # a chain of definitions that is longer than we follow it
    return _shorten(inlined, "", _DEEP)


def _refers_elsewhere(value: Any, depth: int) -> bool:
    """True for `_BEYOND`, and pointers other than to a definition at the top; or too deep to say."""
    if depth == 0:
        return True
    if isinstance(value, list):
        return any(_refers_elsewhere(one, depth - 1) for one in cast("list[Any]", value))
    if not isinstance(value, dict):
        return False
    found = cast(Schema, value)
    if any(name in found for name in _BEYOND):
        return True
    reference = found.get("$ref")
    if isinstance(reference, str) and _name(reference) is None:
        return True
    return any(_refers_elsewhere(one, depth - 1) for one in found.values())


def _name(reference: str) -> tuple[str, str] | None:
    """`#/$defs/Thing` as ("$defs", "Thing")."""
    parts = reference.split("/")
    if len(parts) == 3 and parts[0] == "#" and parts[1] in _DEFS and "~" not in parts[2] and "%" not in parts[2]:
        return parts[1], parts[2]
    return None


def _uses(value: Any, top: Schema) -> dict[str, int]:
    """How often each reference stands anywhere; twice where it cannot be replaced by what it refers to."""
    counts: dict[str, int] = {}
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            found = cast(Schema, one)
            reference = found.get("$ref")
            if isinstance(reference, str):
                target = _target(reference, top)
                stays = target is None or _clashes(found, target)
                counts[reference] = counts.get(reference, 0) + 1 + stays
            waiting += found.values()
        elif isinstance(one, list):
            waiting += cast("list[Any]", one)
    return counts


def _inlined(schema: Any, top: Schema, uses: Mapping[str, int], depth: int) -> Any:
    """References to a definition that is used once become that definition; definitions nobody needs go."""
    if not isinstance(schema, dict):
        return schema
    found = cast(Schema, schema)
    target = _only_use(found, top, uses) if depth else None
    if target is not None:
        return _inlined(target, top, uses, depth - 1)
    kept: Schema = {}
    for key, value in found.items():
        form = PARTS.get(key, "")
        if form == _LIST and isinstance(value, list):
            kept[key] = [_inlined(one, top, uses, depth) for one in cast("list[Any]", value)]
        elif form == _MAP and isinstance(value, dict):
            members = cast(Schema, value)
            if key in _DEFS and found is top:
                members = {name: one for name, one in members.items() if _is_needed(key, name, uses, top)}
            if members or key not in _DEFS:
                kept[key] = {name: _inlined(one, top, uses, depth) for name, one in members.items()}
        else:
            kept[key] = _inlined(value, top, uses, depth) if form == _ONE else value
    return kept


def _only_use(found: Schema, top: Schema, uses: Mapping[str, int]) -> Schema | None:
    """The definition that `found` refers to, joined with what stands beside, when nobody else refers to it."""
    reference = found.get("$ref")
    target = _target(reference, top) if isinstance(reference, str) else None
    if target is None or not isinstance(reference, str) or uses.get(reference) != 1 or _within(reference, target):
        return None
    beside = {name: value for name, value in found.items() if name != "$ref"}
    named = _is_generated(target.get("title"), reference.rpartition("/")[2])
    return {**{name: value for name, value in target.items() if name != "title" or not named}, **beside}


def _target(reference: str, top: Schema) -> Schema | None:
    named = _name(reference)
    group: Any = top.get(named[0]) if named else None
    target: Any = cast(Schema, group).get(named[1]) if named and isinstance(group, dict) else None
    return cast(Schema, target) if isinstance(target, dict) else None


def _clashes(found: Schema, target: Schema) -> bool:
    """True when what stands beside a reference asks again what its target asks."""
    return bool((found.keys() & target.keys()) - {"description", "title"})


def _within(reference: str, target: Schema) -> bool:
    """True when a definition needs itself."""
    return reference in _uses(target, {})


def _is_needed(group: str, name: str, uses: Mapping[str, int], top: Schema) -> bool:
    """True for a definition that is still referred to when those with one use are inlined."""
    reference = f"#/{group}/{name}"
    target = _target(reference, top)
    count = uses.get(reference, 0)
    return count > 1 or (count == 1 and (target is None or _within(reference, target)))


def _shorten(schema: Any, name: str, depth: int, required: bool = True) -> Any:
    """One schema; `name` is the property that it describes, "" for any other."""
    if not isinstance(schema, dict) or not depth:
        return cast(Any, schema)
    found = {key: value for key, value in cast(Schema, schema).items() if key not in SILENT}
    found = {key: value for key, value in found.items() if not (key in IDLE and _same(value, IDLE[key]))}
    found = _plain(found, name, required)
    for key, form in PARTS.items():
        if key in found:
            found[key] = _part(found, key, form, depth - 1)
    return _plain(_fewer(found), name, required)  # again: a choice that became the schema brings its own


def _plain(found: Schema, name: str, required: bool) -> Schema:
    """Without a title that says the name again, and without a `default: null` of what may be left out."""
    return {
        key: value
        for key, value in found.items()
        if not (key == "title" and _is_generated(value, name))
        and not (key == "default" and value is None and not required)
    }


def _part(found: Schema, key: str, form: str, depth: int) -> Any:
    value = found[key]
    if form == _LIST and isinstance(value, list):
        return [_shorten(one, "", depth) for one in cast("list[Any]", value)]
    if form == _MAP and isinstance(value, dict):
        needed: Any = found.get("required", [])
        must = cast("list[Any]", needed) if isinstance(needed, list) else []
        named = key == "properties"
        return {
            one: _shorten(what, one if named or key in _DEFS else "", depth, not named or one in must)
            for one, what in cast(Schema, value).items()
        }
    return _shorten(value, "", depth) if form == _ONE else value


def _fewer(found: Schema) -> Schema:
    """A list of one schema is that schema; a choice of bare types is a list of types."""
    for key in ("allOf", "anyOf", "oneOf"):
        choices: Any = found.get(key)
        if isinstance(choices, list) and len(cast("list[Any]", choices)) == 1 and isinstance(choices[0], dict):
            only, rest = cast(Schema, choices[0]), {one: value for one, value in found.items() if one != key}
            if not only.keys() & rest.keys():
                found = {**rest, **only}
    types = _types(found.get("anyOf"))
    if types and not types.keys() & found.keys():
        found = {
            name: what
            for one, value in found.items()
            for name, what in (types if one == "anyOf" else {one: value}).items()
        }
    return found


def _types(choices: Any) -> Schema:
    """A choice of bare types, or of one schema and null, as one schema; {} when a choice says more."""
    bare = _bare_types(choices)
    if bare:
        return {"type": bare}
    several: list[Any] = cast("list[Any]", choices) if isinstance(choices, list) else []
    if len(several) != 2 or several[1] != {"type": "null"}:
        return {}
    one: Any = several[0]
    if not isinstance(one, dict) or not isinstance(cast(Schema, one).get("type"), str) or one["type"] == "null":
        return {}
    rest = {name: value for name, value in cast(Schema, one).items() if name != "type"}
    return {"type": [one["type"], "null"], **rest} if rest.keys() <= _TYPED else {}


def _bare_types(choices: Any) -> list[str]:
    """The types of `[{"type": "string"}, {"type": "null"}]`; none when a choice says more."""
    types: list[str] = []
    every: list[Any] = cast("list[Any]", choices) if isinstance(choices, list) else []
    for one in every:
        only = cast(Schema, one) if isinstance(one, dict) else {}
        kind: Any = only.get("type") if len(only) == 1 else None
        if not isinstance(kind, str) or kind in types:
            return []
        types.append(kind)
    return types


def _is_generated(title: Any, name: str) -> bool:
    """True for the title that a generator makes of a property's or a class's name."""
    if not isinstance(title, str):
        return False
    plain = "".join(letter for letter in title.lower() if letter.isalnum())
    return bool(name) and plain == "".join(letter for letter in name.lower() if letter.isalnum())


def _same(one: Any, other: Any) -> bool:
    return type(one) is type(other) and one == other
