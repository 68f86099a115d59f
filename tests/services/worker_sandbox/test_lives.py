"""Nothing of a run outlives the worker, nor its end, in the sandboxes of this machine."""

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.worker.sandbox.lives import CASES

from agent_connector.worker.sandbox.policy import Policy


@pytest.mark.parametrize("case", CASES)
def test_nothing_is_left(case: Callable[[str, Policy], None], kind: str, tmp_path: Path) -> None:
    for name in ("workspace", "home"):
        (tmp_path / name).mkdir()
    case(kind, Policy(str(tmp_path / "workspace"), str(tmp_path / "home")))
