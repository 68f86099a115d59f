"""Ends of runs, the same for every kind: used by the tests here and, with real sandboxes, by those of the services."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from agent_connector.worker.sandbox import choose, launch
from agent_connector.worker.sandbox.policy import Policy

WARD = Path(__file__).parent / "ward.py"
PATIENCE = 60  # seconds for something that happens at once
# A child that leaves its group, its session and its parent, and one that ignores being asked.
FAMILY = "(setsid sh -c 'sleep 1000 & sleep 1000' &) ; sh -c 'trap \"\" TERM; sleep 1000 & sleep 1000' & echo up; "
STAYS = FAMILY + "while :; do sleep 0.05; done"


def begin(kind: str, run: Policy, text: str) -> "subprocess.Popen[bytes]":
    start = launch.starter(choose.kind(kind), run)
    return start(["sh", "-c", text], run.workspace, {"PATH": "/usr/bin:/bin", "HOME": run.home})


def first_line(process: "subprocess.Popen[bytes]") -> str:
    assert process.stdout
    return process.stdout.readline().decode().strip()


def close(process: "subprocess.Popen[bytes]") -> None:
    for stream in (process.stdout, process.stderr):
        if stream:
            stream.close()


def gone(run: Policy) -> bool:
    """Does everything of the run end within the time that a machine needs?"""
    return comes(lambda: not launch.alive(run))


def comes(condition: Callable[[], object]) -> bool:
    """Whether it comes true in that time."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def ward(kind: str, run: Policy) -> tuple["subprocess.Popen[bytes]", int]:
    """A worker of its own with a run of STAYS, and the run's process."""
    line = [sys.executable, str(WARD), kind, os.path.dirname(run.home), "--", "sh", "-c", STAYS]
    worker = subprocess.Popen(line, stdout=subprocess.PIPE)
    pid, word = first_line(worker).split()
    assert word == "up"
    return worker, int(pid)


def killed_worker(kind: str, run: Policy) -> None:
    worker, _ = ward(kind, run)
    assert comes(lambda: len(launch.alive(run)) > 4)  # the family may still be starting
    worker.kill()
    worker.wait()
    close(worker)
    assert gone(run)


def killed_head(kind: str, run: Policy) -> None:
    """Only the process that stands for the run is killed, as `drive` does it: with its group."""
    worker, pid = ward(kind, run)
    os.killpg(pid, signal.SIGKILL)
    assert gone(run)
    worker.kill()
    worker.wait()
    close(worker)


def killed_guard(kind: str, run: Policy) -> None:
    worker, pid = ward(kind, run)
    guard = int(Path(f"/proc/{pid}/task/{pid}/children").read_text().split()[0])
    os.kill(guard, signal.SIGKILL)
    assert gone(run)
    worker.kill()
    worker.wait()
    close(worker)


def stopped(kind: str, run: Policy) -> None:
    """Asked first, so that an agent can put things in order; whoever does not listen is forced."""
    text = "trap 'echo asked > asked; exit 7' TERM; " + STAYS
    process = begin(kind, run, text)
    assert first_line(process) == "up"
    launch.stop(process, PATIENCE, run)
    assert process.returncode == 7 and Path(run.workspace, "asked").exists() and launch.alive(run) == []
    close(process)


def ignored(kind: str, run: Policy) -> None:
    process = begin(kind, run, "trap '' TERM; " + STAYS)
    assert first_line(process) == "up"
    launch.stop(process, 0.3, run)
    assert process.returncode == -signal.SIGKILL and gone(run)
    close(process)


def ended(kind: str, run: Policy) -> None:
    """The command's own end is the end of what it left, of its output, and told as it was."""
    process = begin(kind, run, FAMILY + "exit 5")
    out, _ = process.communicate(timeout=PATIENCE)
    assert (out, process.returncode) == (b"up\n", 5) and gone(run)
    process = begin(kind, run, "kill -ABRT $$")
    process.communicate(timeout=PATIENCE)
    assert process.returncode in (-signal.SIGABRT, 128 + signal.SIGABRT)  # bubblewrap tells a signal as a shell does


CASES = (killed_worker, killed_head, killed_guard, stopped, ignored, ended)
