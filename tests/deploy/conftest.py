"""A person's home with what every host leaves in it, and one prepared copy of our own home for all tests."""

import hashlib
import os
import shutil
from pathlib import Path

import pytest

from agent_connector import Connector, stdio
from agent_connector.connector.freeze import freeze
from agent_connector.connector.load import load
from agent_connector.connector.model import Source
from agent_connector.deploy.launcher import heal
from agent_connector.hosts.machine import Machine
from agent_connector.hosts.query import nameable

ACME = Path(__file__).parents[2] / "examples" / "acme" / "connector.py"

# What people have there already: comments, odd spacing, other people's entries.
OWNED = {
    ".claude.json": '{\n  "numStartups": 41,\n  "mcpServers": { "other": { "command": "other-mcp" } }\n}\n',
    ".claude/settings.json": '{\n\t"model": "opus",\n\t"permissions": {"allow": ["Bash(git *)"]}\n}\n',
    ".claude/CLAUDE.md": "# My rules\r\n\r\n- Be brief.\r\n",
    ".codex/config.toml": '# my codex\nmodel = "gpt-5"   # the good one\n\n[mcp_servers.other]\ncommand = "other-mcp"\n',
    ".codex/AGENTS.md": "Always run the tests.",
    ".gemini/settings.json": '{\n  // shown in the footer\n  "ui": {"theme": "Dracula"}\n}\n',
    ".config/opencode/opencode.jsonc": '{\n  "share": "disabled", // mine\n}\n',
    ".cursor/mcp.json": '{"mcpServers":{"other":{"command":"other-mcp","args":[]}}}',
    ".qwen/settings.json": '{\n  // mine\n  "ui": {"theme": "Qwen Dark"},\n  "$version": 4\n}\n',
    ".copilot/mcp-config.json": '{\n  "mcpServers": {\n    "other": {"command": "other-mcp"},  // theirs\n  },\n}\n',
    ".factory/mcp.json": '{\n  // theirs\n  "mcpServers": {"other": {"type": "stdio", "command": "other-mcp"}}\n}\n',
    ".factory/settings.json": '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]}}\n',
    ".kimi-code/config.toml": '# my kimi\n[[hooks]]\nevent = "Stop"   # a bell\ncommand = "say done"\n\n[thinking]\n',
    ".kimi-code/mcp.json": '{\n  "mcpServers": {"other": {"url": "http://127.0.0.1:9/mcp"}}\n}\n',
    ".copilot/settings.json": '{ "theme": "dim" }',
}


class Home:
    """A home folder on disk, seen as a machine."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.root = str(folder / ".agent-connector")
        self.project = folder / "project"
        self.project.mkdir(parents=True)

    def machine(self, *, project: bool = False, **variables: str) -> Machine:
        return Machine(
            str(self.folder),
            "linux",
            {"HOME": str(self.folder), "PATH": os.environ["PATH"], **variables},
            str(self.project) if project else None,
            os.path.exists,
            lambda program: None,
        )

    def write(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
        return path

    def read(self, name: str) -> str:
        return (self.folder / name).read_bytes().decode()

    def files(self) -> dict[str, str]:
        """Every file of the person and its hash; not our own folder."""
        return {
            str(path.relative_to(self.folder)): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted(self.folder.rglob("*"))
            if path.is_file() and ".agent-connector" not in path.parts
        }

    def folders(self) -> set[str]:
        return {
            str(path.relative_to(self.folder))
            for path in self.folder.rglob("*")
            if path.is_dir() and ".agent-connector" not in path.parts
        }


@pytest.fixture(scope="session")
def prepared(tmp_path_factory):
    """Our own home, healed once."""
    folder = tmp_path_factory.mktemp("prepared")
    heal(str(folder), str(folder / ".agent-connector"))
    return folder / ".agent-connector" / "versions"


@pytest.fixture
def home(tmp_path, prepared):
    """An empty home in which healing has little to do."""
    made = Home(tmp_path / "home")
    shutil.copytree(prepared, made.folder / ".agent-connector" / "versions", symlinks=True)
    return made


@pytest.fixture
def lived_in(home):
    """A home with what every host leaves in it."""
    for name, text in OWNED.items():
        home.write(name, text)
    return home


@pytest.fixture
def declared():
    """A function that freezes a connector; its first argument adds parts to it."""

    def freeze_it(build=None, /, **fields):
        connector = Connector(**{"id": "acme", "server": stdio("acme-mcp"), "version": "1.0", **fields})
        if build is not None:
            build(connector)
        return freeze(connector, Source("file", "/author/acme.py", "acme"), hosts=nameable())

    return freeze_it


@pytest.fixture
def acme():
    """The example of this repository."""
    return load(str(ACME), hosts=nameable())
