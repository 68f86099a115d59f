"""What a server's definitions cost a model in every turn: by tool, by part of its schema, and what a shorter one would.

For authors' continuous integration: a limit on the sum, and where to begin when it is passed.
"""

import heapq
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from agent_connector.telemetry import content
from agent_connector.telemetry.shorter import shorter
from agent_connector.telemetry.tokenizer import Count, Counter

DEAREST = 5  # parts of a tool that are named
_COUNTED = 32  # of a group's members, the longest, are counted: each costs counting the whole definition again


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a definition and the tokens that the definition would lose without it."""

    path: str  # "description", "inputSchema.properties.filter", ...
    tokens: int


@dataclass(frozen=True, slots=True)
class Definition:
    """One tool. `shorter` is what an equivalent definition costs, `schema` its input schema (None: no shorter one)."""

    tool: str
    tokens: int
    parts: Sequence[Part]
    shorter: int
    schema: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True)
class Budget:
    """All definitions, dearest first."""

    family: str
    source: str
    instructions: int
    definitions: Sequence[Definition]
    limit: int | None

    @property
    def tokens(self) -> int:
        return self.instructions + sum(one.tokens for one in self.definitions)

    @property
    def shorter(self) -> int:
        """What all of it would cost with equivalent shorter schemas."""
        return self.instructions + sum(one.shorter for one in self.definitions)

    @property
    def passed(self) -> bool:
        return self.limit is not None and self.tokens > self.limit


def budget(
    counter: Counter, family: str, tools: Sequence[Mapping[str, Any]], instructions: str, limit: int | None
) -> Budget:
    """Count the definitions `tools`, as a server's `tools/list` gives them."""
    source = Count(0, counter.text("a", family).source).source
    found = [definition(counter, family, tool) for tool in tools]
    found.sort(key=lambda one: (-one.tokens, one.tool))
    return Budget(family, source, counter.text(instructions, family).tokens, found, limit)


def definition(counter: Counter, family: str, tool: Mapping[str, Any]) -> Definition:
    """One tool's definition, its dearest parts, and what a shorter one would cost."""
    tokens = content.definition(counter, family, tool).tokens
    parts = [Part(path, tokens - content.definition(counter, family, less).tokens) for path, less in without(tool)]
    parts.sort(key=lambda part: (-part.tokens, part.path))
    schema = tool.get("inputSchema")
    less = shorter(cast("dict[str, Any]", schema), str(tool.get("name", ""))) if isinstance(schema, dict) else None
    cost = content.definition(counter, family, {**tool, "inputSchema": less}).tokens if less is not None else tokens
    return Definition(
        str(tool.get("name", "")),
        tokens,
        tuple(part for part in parts if part.tokens > 0)[:DEAREST],
        min(cost, tokens),
        less if cost < tokens else None,
    )


def without(tool: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The definition without its description, and without each of its longest properties and shared definitions."""
    if tool.get("description"):
        yield "description", {**tool, "description": None}
    schema: Any = tool.get("inputSchema")
    if not isinstance(schema, dict):
        return
    for group in ("properties", "$defs", "definitions"):
        found: Any = cast("dict[str, Any]", schema).get(group)
        members = cast("dict[str, Any]", found) if isinstance(found, dict) else {}
        for name in heapq.nlargest(_COUNTED, members, key=lambda one: len(one) + len(json.dumps(members[one]))):
            left = {one: what for one, what in members.items() if one != name}
            yield f"inputSchema.{group}.{name}", {**tool, "inputSchema": {**schema, group: left}}
