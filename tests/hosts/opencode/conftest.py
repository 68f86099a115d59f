"""OpenCode: the arguments that it gave to plugins, and its bridge under Node."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.hosts import bridges

from agent_connector.hosts.opencode import hooks


@pytest.fixture
def recorded(golden: Path) -> dict[str, list[Any]]:
    """Arguments of plugin hooks as the host gave them, by hook; a fresh copy for every test."""
    return json.loads((golden / "hooks.json").read_text(encoding="utf-8"))["hooks"]


@pytest.fixture(scope="module")
def streams(golden: Path) -> dict[str, list[str]]:
    """The lines of headless runs, by file."""
    return {path.stem: path.read_text(encoding="utf-8").splitlines() for path in golden.glob("*.jsonl")}


@pytest.fixture
def bridge(tmp_path: Path) -> Iterator[bridges.Bridge]:
    with bridges.scratch(tmp_path, hooks) as made:
        yield made
