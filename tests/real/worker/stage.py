"""A person's machine with a board, a worker and real hosts, in a home of its own; models are stand-ins."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Self, TypeVar

from agent_connector.drive.hosts import FACETS
from agent_connector.rehearse.model.server import StandIn
from agent_connector.rehearse.run import tool_names
from agent_connector.rehearse.script import Script, Step, ToolCall
from agent_connector.rehearse.stage import stage_of

PROGRAMS = Path(__file__).parents[3] / ".hosts" / "bin"
KEY = "sk-the-person-s-own-key-0123456789"
PASSWORD = "correct horse battery"
PERSON = "ada@example.com"
SECONDS = 120.0
# A project that would switch hooks off: the guard stands all the same.
OFF = {
    ".claude/settings.json": '{"disableAllHooks": true}',
    ".claude/settings.local.json": '{"disableAllHooks": true}',
    ".codex/config.toml": "[features]\nhooks = false\n",
}
T = TypeVar("T")


def shell(command: str, *, say: str = "", argument: str = "command") -> Step:
    """One answer of the model that runs a command; `argument` is what the host's tool calls it."""
    return Step(say=say, calls=(ToolCall("host:Bash", {argument: command}),))


def stand_in(host: str, *steps: Step) -> StandIn:
    stage = stage_of(FACETS()[host])
    return StandIn(Script(steps), "none", tool_names(host, stage), stage.searched, stage.routed)


def until(ask: Callable[[], T], seconds: float = SECONDS, why: Callable[[], object] = lambda: "") -> T:
    """The first true answer."""
    deadline = time.monotonic() + seconds
    while not (found := ask()):
        assert time.monotonic() < deadline, why()
        time.sleep(0.1)
    return found


class Machine:
    """`run` is the command line; `start` the worker and its board."""

    def __init__(self, folder: Path, models: Mapping[str, str]) -> None:
        self.folder, self.repo = folder, folder / "repo"
        (folder / "home").mkdir()
        self.variables = {
            "HOME": str(folder / "home"),
            "PATH": f"{PROGRAMS}{os.pathsep}{os.environ['PATH']}",
            "LANG": "C.UTF-8",
            "NO_COLOR": "1",
            **models,
        }
        self.url = ""
        self.process: subprocess.Popen[str] | None = None

    def git(self, *words: str) -> str:
        line = ["git", "-c", "user.name=Ada", "-c", f"user.email={PERSON}", *words]
        return subprocess.run(
            line, cwd=self.repo, env=self.variables, check=True, capture_output=True, text=True
        ).stdout

    def repository(self) -> None:
        self.repo.mkdir()
        self.git("init", "-q", "-b", "main")
        (self.repo / "README.md").write_text("A project.\n")
        for name, text in OFF.items():
            (self.repo / name).parent.mkdir(exist_ok=True)
            (self.repo / name).write_text(text)
        self.git("add", ".")
        self.git("commit", "-qm", "Begin")

    def run(self, *words: str, given: str = "") -> Any:
        line = [sys.executable, "-m", "agent_connector", *words]
        done = subprocess.run(
            line,
            cwd=self.folder,
            env=self.variables,
            input=given,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
        assert done.returncode == 0, f"{words}: {done.stdout}{done.stderr}"
        return json.loads(done.stdout) if "--json" in words else done.stdout

    def set_up(self, changed: Mapping[str, str]) -> None:
        """The worker's settings, with lines of the annotated file changed."""
        self.run("worker", "setup", str(self.repo), "--adapter", "claude-code")
        path = self.folder / "home" / ".agent-connector" / "worker" / "connector.yml"
        text = path.read_text()
        for old, new in changed.items():
            assert old in text, old
            text = text.replace(old, new)
        path.write_text(text)

    def start(self) -> Self:
        line = [sys.executable, "-m", "agent_connector", "worker", "local", str(self.repo), "--port", "0"]
        self.log = (self.folder / "worker.log").open("w")
        self.process = subprocess.Popen(
            line,
            cwd=self.folder,
            env=self.variables,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=self.log,
            text=True,
        )
        assert self.process.stdout
        said = self.process.stdout.readline()
        assert said.startswith("The board is at "), self.said()
        self.url = said.split()[-1]
        return self

    def said(self) -> str:
        return (self.folder / "worker.log").read_text()

    def stop(self) -> int:
        assert self.process
        self.process.terminate()
        code = self.process.wait(SECONDS)
        self.log.close()
        if self.process.stdout:
            self.process.stdout.close()
        return code

    def task(self, title: str, *words: str) -> str:
        return self.run("board", "task", "add", title, "--json", *words)["id"]

    def shown(self, task: str) -> dict[str, Any]:
        return self.run("board", "task", "show", task, "--json")["task"]

    def becomes(self, task: str, status: str) -> dict[str, Any]:
        """The task, once it is in that status."""

        def there() -> dict[str, Any] | None:
            shown = self.shown(task)
            return shown if shown["status"] == status else None

        return until(there, why=lambda: f"{self.shown(task)}\n{self.said()}")
