"""A report that is asked for right after a session waits for what is still being counted."""

import os
import signal
import subprocess
import sys
from pathlib import Path

from agent_connector.telemetry import live


def mark(root: Path, pump: int, measurer: int) -> Path:
    folder = root / "telemetry" / "live"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{pump}.{measurer}"
    path.touch()
    return path


def dead() -> int:
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        process.wait()
    return process.pid


def test_a_running_session_is_not_waited_for(tmp_path: Path) -> None:
    mark(tmp_path, os.getpid(), os.getpid())
    assert live.settle(str(tmp_path), 0)


def test_a_measurer_that_outlives_its_pump_is_waited_for(tmp_path: Path) -> None:
    path = mark(tmp_path, dead(), os.getpid())
    assert not live.settle(str(tmp_path), 0)
    live.done(str(tmp_path), path.name.partition(".")[0])
    assert live.settle(str(tmp_path), 0)


def test_words_of_dead_processes_are_removed(tmp_path: Path) -> None:
    path = mark(tmp_path, dead(), dead())
    (tmp_path / "telemetry" / "live" / "nonsense").touch()
    assert live.settle(str(tmp_path), 0)
    assert not path.exists()


def test_a_zombie_is_not_alive(tmp_path: Path) -> None:
    process = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    assert live.alive(str(process.pid))
    process.send_signal(signal.SIGKILL)
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    assert not live.alive(str(process.pid))
    process.wait()


def test_without_any_session_there_is_nothing_to_wait_for(tmp_path: Path) -> None:
    assert live.settle(str(tmp_path), 0)
    live.done(str(tmp_path), "1")
