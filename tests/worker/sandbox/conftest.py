"""The folders of a run."""

from pathlib import Path

import pytest

from agent_connector.worker.sandbox.policy import Policy


@pytest.fixture
def run(tmp_path: Path) -> Policy:
    for name in ("workspace", "home"):
        (tmp_path / name).mkdir()
    return Policy(str(tmp_path / "workspace"), str(tmp_path / "home"))
