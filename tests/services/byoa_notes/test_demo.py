"""The demo, with the scripted session: it ends by itself, well, and leaves nothing behind."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]
TOLD = ["not the last four letters", "Approved", "scripted on laptop: idle", "From your agent", "gone from the panel"]


def test_it_shows_the_whole_way(tmp_path):
    words = [sys.executable, str(ROOT / "tools" / "demo_byoa.py"), "--once", "--scripted"]
    variables = {**os.environ, "TMPDIR": str(tmp_path), "HOME": str(tmp_path / "nowhere")}
    done = subprocess.run(words, env=variables, capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == 0 and done.stderr == "", done.stdout + done.stderr
    places = [done.stdout.index(words) for words in TOLD]
    assert places == sorted(places)
    assert list(tmp_path.iterdir()) == []
