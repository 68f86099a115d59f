import json
from pathlib import Path
from typing import Any

import pytest

GOLDEN = Path(__file__).parents[2] / "golden" / "copilot-cli"


@pytest.fixture(scope="session")
def payloads() -> dict[str, dict[str, Any]]:
    """Recorded stdin of hooks, by event and tool."""
    return json.loads((GOLDEN / "hooks.json").read_text())["payloads"]


@pytest.fixture(scope="session")
def environment() -> dict[str, str]:
    """What stood in the environment of a hook; the values are not kept."""
    return dict.fromkeys(json.loads((GOLDEN / "environment.json").read_text())["names"], "1")


@pytest.fixture(scope="session")
def claude_file() -> dict[str, Any]:
    """A hook of Claude Code's file, which Copilot runs too: its `payload` and `environment`."""
    return json.loads((GOLDEN / "claude-file.json").read_text())


@pytest.fixture(scope="session")
def stream() -> list[str]:
    """A recorded stream: an MCP call and a last word (Copilot CLI 1.0.102, 2026-11-30)."""
    return (GOLDEN / "stream.jsonl").read_text().splitlines()
