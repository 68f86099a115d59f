"""What `package` wrote against the published schema of its format."""

import importlib
import json
from pathlib import Path
from typing import Any

from agent_connector.errors import DeployError

_FOLDER = Path(__file__).with_name("schemas")
SCHEMAS = {"mcp-server-json": "mcp-server-2025-12-11.json", "mcpb": "mcpb-manifest-0.4.json"}


def check(format: str, document: Any) -> None:
    """Raises DeployError with the first rule that is broken; formats without a published schema pass."""
    if format not in SCHEMAS:
        return
    validators: Any = importlib.import_module("jsonschema.validators")  # late: it takes a while to load
    schema = json.loads((_FOLDER / SCHEMAS[format]).read_text(encoding="utf-8"))
    wrong: Any = next(iter(validators.validator_for(schema)(schema).iter_errors(document)), None)
    if wrong is not None:
        place = ".".join(map(str, wrong.absolute_path)) or "the document"
        raise DeployError(
            f"{place} does not fit the schema of {format}: {wrong.message}", remedy="Change the declaration."
        )
