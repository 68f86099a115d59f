"""What hosts were recorded to say, for the tests of each: `tests/hosts/<id>/` reads `tests/golden/<id>/`."""

import json
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture(scope="module")
def golden(request: pytest.FixtureRequest) -> Path:
    """The folder of the host that the test's own folder is named after."""
    return Path(__file__).parents[1] / "golden" / request.path.parent.name.replace("_", "-")


@pytest.fixture(scope="module")
def payloads(golden: Path) -> dict[str, dict[str, Any]]:
    """Stdin of hooks, by event and tool."""
    return json.loads((golden / "hooks.json").read_text(encoding="utf-8"))["payloads"]


@pytest.fixture(scope="module")
def environment(golden: Path) -> dict[str, str]:
    """What stood in the environment of a hook; the values are not kept."""
    return dict.fromkeys(json.loads((golden / "environment.json").read_text(encoding="utf-8"))["names"], "1")


@pytest.fixture(scope="module")
def status(golden: Path) -> dict[str, Any]:
    """Stdin of the status line."""
    return json.loads((golden / "statusline.json").read_text(encoding="utf-8"))["payload"]


@pytest.fixture(scope="module")
def stream(golden: Path) -> list[str]:
    """The lines of a headless run: an MCP call and a last word."""
    return (golden / "stream.jsonl").read_text(encoding="utf-8").splitlines()
