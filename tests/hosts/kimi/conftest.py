import json
from pathlib import Path
from typing import Any

import pytest

GOLDEN = Path(__file__).parents[2] / "golden" / "kimi"


@pytest.fixture(scope="session")
def payloads() -> dict[str, dict[str, Any]]:
    """Recorded stdin of hooks, by event and tool."""
    return json.loads((GOLDEN / "hooks.json").read_text())["payloads"]


@pytest.fixture(scope="session")
def stream() -> list[str]:
    """A recorded stream: two calls and a last word (Kimi Code CLI 2.1.0, 2026-11-30)."""
    return (GOLDEN / "stream.jsonl").read_text().splitlines()


@pytest.fixture(scope="session")
def blocked() -> list[str]:
    """A recorded stream of a run in which one hook added to the prompt and another refused a call."""
    return (GOLDEN / "stream-blocked.jsonl").read_text().splitlines()
