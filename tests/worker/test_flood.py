"""An agent that prints without end: the worker's memory and its state file stay small, and the log says that it ends."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
MB = 1 << 20
GROWN = 96 * MB  # the 16 MiB that may wait, as objects and as JSON, and what a batch takes on its way
SHAPES = pytest.mark.parametrize("width", [60, 24_000], ids=["short lines", "long lines"])


def flooded(folder: Path, size: int, width: int, seconds: float) -> dict[str, Any]:
    line = [sys.executable, str(Path(__file__).with_name("flood.py")), str(folder), str(size), str(width)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(line, env=environment, cwd=ROOT, capture_output=True, text=True, timeout=seconds, check=False)
    assert done.returncode == 0, done.stderr[-2_000:]
    return json.loads(done.stdout)


def judge(told: dict[str, Any], size: int) -> None:
    assert told["status"] == "done" and told["heard"] >= size
    assert told["kinds"]["log-capped"] == 1 and told["last"]["type"] == "log-capped"
    assert told["last"]["payload"]["text"].startswith("[log capped]")
    assert 0 < told["size"] < 80 * MB, "a log has 64 MiB at most"
    assert told["grown"] < GROWN, f"{told['grown'] / MB:.0f} MiB for {size / MB:.0f}"
    assert told["state"] < GROWN


@SHAPES
def test_a_flood_ends_the_log_and_nothing_else(tmp_path: Path, width: int) -> None:
    size = (256 if width > 1_000 else 24) * MB  # of short lines as much takes longer, and more memory if it were kept
    judge(flooded(tmp_path, size, width, 240), size)


@pytest.mark.soak
@SHAPES
def test_a_gigabyte_ends_the_log_and_nothing_else(tmp_path: Path, width: int) -> None:
    judge(flooded(tmp_path, 1_024 * MB, width, 3_600), 1_024 * MB)
