import json
from pathlib import Path
from typing import Any

import pytest

GOLDEN = Path(__file__).parents[2] / "golden" / "cursor"


@pytest.fixture(scope="session")
def payloads() -> dict[str, dict[str, Any]]:
    """Stdin of hooks by the field names of the shipped runtime: documented, not recorded."""
    return json.loads((GOLDEN / "hooks.json").read_text())["payloads"]


@pytest.fixture(scope="session")
def stream() -> list[str]:
    """A stream of the CLI as its documentation shows it: written, not recorded."""
    return (GOLDEN / "stream.jsonl").read_text().splitlines()
