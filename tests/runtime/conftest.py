"""A home as install leaves it, and hooks run in it as hosts run them: bytes in, bytes and an exit code out."""

import json
import os
import subprocess
import textwrap
from dataclasses import dataclass
from pathlib import Path

import pytest

from agent_connector.connector.load import load
from agent_connector.deploy import declaration, launcher
from agent_connector.home import environments, paths
from agent_connector.runtime import log

PATIENCE = 60

# A tool call of our own server as Claude Code tells it (from a recording of version 2.1.332).
CALL = {
    "session_id": "9ce89351-e574-4cae-9a2e-977e531dd90c",
    "transcript_path": "/home/ada/.claude/projects/-home-ada-shop/9ce89351.jsonl",
    "cwd": "/",
    "prompt_id": "f29d28c3-cc4c-4475-b39f-474359cab8fa",
    "permission_mode": "default",
    "hook_event_name": "PreToolUse",
    "tool_name": "mcp__acme__write",
    "tool_input": {"text": "hello"},
    "tool_use_id": "toolu_1",
    "mcp_server": {"name": "acme", "source": "user"},
}


@dataclass(frozen=True)
class Ended:
    """How a program ended."""

    code: int
    out: bytes
    err: bytes

    @property
    def json(self):
        return json.loads(self.out)

    @property
    def said(self):
        """What Claude Code is told about a tool call."""
        return self.json["hookSpecificOutput"]


class Home:
    """A person's home with our state in it."""

    def __init__(self, folder: Path, versions: Path) -> None:
        self.folder = folder
        self.root = str(folder / paths.FOLDER)
        os.makedirs(self.root)
        os.symlink(versions, paths.versions_folder(self.root))
        self.version = launcher.this_version()
        self.variables = {"HOME": str(folder), "PATH": os.environ["PATH"], paths.VARIABLE: self.root}

    @property
    def entry(self) -> list[str]:
        package = paths.version_package(self.root, self.version.name)
        return [self.version.python, "-I", "-S", os.path.join(package, "runtime", "entry.py")]

    def connector(self, source: str, name: str = "acme", shares_hooks: tuple[str, ...] = ()) -> None:
        """Install an author's file, which is named `name`.py."""
        path = self.folder / "source" / f"{name}.py"
        path.parent.mkdir(exist_ok=True)
        path.write_text(textwrap.dedent(source), encoding="utf-8")
        self.install(str(path), shares_hooks)

    def install(self, path: str, shares_hooks: tuple[str, ...] = ()) -> None:
        loaded = load(path)
        environments.settle(self.root, loaded.model.id)
        declaration.settle(self.root, loaded.model, shares_hooks)

    def break_declaration(self, source: str, name: str = "acme") -> None:
        """Replace the installed copy of the author's file."""
        Path(paths.declaration_folder(self.root, name), f"{name}.py").write_text(source, encoding="utf-8")

    def run(self, words: list[str], stdin: bytes = b"", program: list[str] | None = None, **variables: str) -> Ended:
        """Run our entry (or `program`) with `words` to its end."""
        done = subprocess.run(
            [*(program or self.entry), *words],
            input=stdin,
            env={**self.variables, **variables},
            cwd=self.folder,
            capture_output=True,
            timeout=PATIENCE,
            check=False,
        )
        return Ended(done.returncode, done.stdout, done.stderr)

    def hook(
        self, payload=None, host: str = "claude-code", event: str = "PreToolUse", connector: str = "acme", **variables
    ) -> Ended:
        """Run a hook on a payload: an object, or bytes as they are."""
        data = payload if isinstance(payload, bytes) else json.dumps(CALL if payload is None else payload).encode()
        return self.run(["hook", host, event, "--connector", connector], data, **variables)

    def logged(self) -> list[dict]:
        return log.entries(self.root)

    def rows(self) -> list[dict]:
        """The telemetry rows."""
        folder = Path(paths.segments_folder(self.root))
        files = sorted(folder.iterdir()) if folder.exists() else []
        return [json.loads(line) for file in files for line in file.read_text().splitlines()]


@pytest.fixture(scope="session")
def versions(tmp_path_factory):
    """Our version, installed once for all tests."""
    folder = tmp_path_factory.mktemp("installed")
    launcher.heal(str(folder), str(folder / "state"))
    return folder / "state" / "versions"


@pytest.fixture
def home(tmp_path, versions):
    return Home(tmp_path, versions)


@pytest.fixture
def call():
    """Our tool call, with changes."""
    return lambda **changes: {**CALL, **changes}
