import json
from pathlib import Path
from typing import Any

import pytest

GOLDEN = Path(__file__).parents[2] / "golden" / "gemini-cli"


@pytest.fixture(scope="session")
def payloads() -> dict[str, dict[str, Any]]:
    """Recorded stdin of hooks, by event and tool."""
    return json.loads((GOLDEN / "hooks.json").read_text())["payloads"]


@pytest.fixture(scope="session")
def stream() -> list[str]:
    """A recorded `-o stream-json` run: an MCP call and a last word (Gemini CLI 0.61.0, 2026-11-30)."""
    return (GOLDEN / "stream.jsonl").read_text().splitlines()
