"""A board in a process of its own, as a person starts it, that tests can kill."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping


class Process:
    """`agent-connector board serve` on a free port, or again on the one it had."""

    def __init__(self, db: str, port: int = 0, variables: Mapping[str, str] | None = None) -> None:
        command = [sys.executable, "-m", "agent_connector", "board", "serve", "--db", db, "--port", str(port), "--json"]
        self.running = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, **(variables or {})},
        )
        assert self.running.stdout is not None
        told = b""
        while not told.endswith(b"}\n"):
            line = self.running.stdout.readline()
            assert line, "the board did not start"
            told += line
        self.facts = json.loads(told)
        self.url = str(self.facts["url"])
        self.port = int(self.url.rpartition(":")[2])

    def kill(self) -> None:
        self.running.kill()
        self.running.wait(30)
        if self.running.stdout is not None:
            self.running.stdout.close()
