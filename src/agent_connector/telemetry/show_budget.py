"""A budget for people (text) and for programs (plain values)."""

import json
from typing import Any

from agent_connector.home import tables
from agent_connector.telemetry.budget import Budget, Definition
from agent_connector.telemetry.show import WIDE, aligned

SCHEMA = "agent-connector/definition-budget/1"
_SHOWN = 10  # tools of which the parts are shown


def as_values(made: Budget) -> dict[str, Any]:
    """The budget as JSON values."""
    return {
        "schema": SCHEMA,
        "family": made.family,
        "confidence": made.source,
        "tokens": made.tokens,
        "tokens_shorter": made.shorter,
        "instructions": made.instructions,
        "limit": made.limit,
        "passed": made.passed,
        "tools": [
            {
                "tool": one.tool,
                "tokens": one.tokens,
                "tokens_shorter": one.shorter,
                "parts": [{"path": part.path, "tokens": part.tokens} for part in one.parts],
                "shorter_schema": one.schema,
            }
            for one in made.definitions
        ],
    }


def as_text(made: Budget, schemas: bool = False, width: int = WIDE) -> str:
    """The sum, a table of the tools, and where the dearest ones could be shorter; schemas are whole, to be copied."""
    lines = tables.fold([_sum(made)], width)
    if made.definitions:
        rows = [[one.tool, f"{one.tokens:,}", f"{one.shorter:,}", _part(one)] for one in made.definitions]
        lines += ["", aligned(["tool", "tokens", "could be", "dearest part"], rows, {0, 3}, width)]
    if made.instructions:
        lines += ["", f"instructions: {made.instructions:,} tokens"]
    if made.shorter < made.tokens:
        saved = made.tokens - made.shorter
        told = f"Equivalent schemas without what says nothing would save {saved:,} tokens in every turn"
        lines += ["", *tables.fold([told + _hint(schemas)], width)]
    if schemas:
        for one in made.definitions:
            if one.schema is not None:
                lines += [
                    "",
                    f"{tables.clean(one.tool)} ({one.tokens:,} -> {one.shorter:,}):",
                    json.dumps(one.schema, ensure_ascii=False),
                ]
    else:
        for one in made.definitions[:_SHOWN] if made.passed else ():
            told = ", ".join(f"{part.path} {part.tokens:,}" for part in one.parts)
            lines += tables.fold([f"  {one.tool}: {told}"], width) if told else []
    return "\n".join(lines)


def _sum(made: Budget) -> str:
    count = len(made.definitions)
    tools = "1 tool" if count == 1 else f"{count} tools"
    text = f"{made.tokens:,} tokens ({tools}, {made.source}, {made.family}) before the model in every turn"
    if made.limit is None:
        return text
    return text + (f": above the limit of {made.limit:,}" if made.passed else f": within the limit of {made.limit:,}")


def _part(one: Definition) -> str:
    return f"{one.parts[0].path} {one.parts[0].tokens:,}" if one.parts else ""


def _hint(schemas: bool) -> str:
    return ":" if schemas else "; --schemas prints them."
