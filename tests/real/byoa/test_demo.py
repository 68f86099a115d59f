"""The demo of byoa with each real host that it knows: paired by page, a note written by the app's tool, and revoked."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.real.runs import PROGRAMS
from tools import demo_byoa

pytestmark = pytest.mark.real

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize("host", demo_byoa.PROGRAMS)
def test_the_demo_with(host, tmp_path):
    words = [sys.executable, str(ROOT / "tools" / "demo_byoa.py"), "--once", "--host", host]
    variables = {**os.environ, "TMPDIR": str(tmp_path), "PATH": f"{PROGRAMS}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(words, env=variables, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "the page tool    byoa_notes" in done.stdout and "a note: The heron" in done.stdout
    assert "has revoked this pairing" in done.stdout
    assert list(tmp_path.iterdir()) == []
