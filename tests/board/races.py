"""Several processes that claim at once, on any database."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from agent_connector.board import tasks
from agent_connector.board.store import open_store

CLAIMER = str(Path(__file__).with_name("claimer.py"))


def race(url: str, count: int, names: Sequence[str]) -> tuple[set[str], list[list[str]]]:
    """The ids of `count` tasks, and what each process claimed."""
    store = open_store(url)
    made = {store.write(tasks.add, title=f"task {number}", by="x").id for number in range(count)}
    store.close()
    command = [sys.executable, CLAIMER, url]
    running = [
        subprocess.Popen([*command, name], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for name in names
    ]
    for process in running:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    got: list[list[str]] = []
    for process in running:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    for process in running:
        out, _ = process.communicate(timeout=120)
        assert process.returncode == 0
        got.append(out.split())
    return made, got
