"""Pi: the events that it told to an extension, and its bridge under Node."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.hosts import bridges

from agent_connector.hosts.pi import hooks


@pytest.fixture
def recorded(golden: Path) -> dict[str, dict[str, Any]]:
    """Events as the host told them; a fresh copy for every test."""
    return json.loads((golden / "events.json").read_text(encoding="utf-8"))["events"]


@pytest.fixture
def bridge(tmp_path: Path) -> Iterator[bridges.Bridge]:
    with bridges.scratch(tmp_path, hooks, "host_of_extensions.mjs") as made:
        yield made
