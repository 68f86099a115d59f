"""How this copy was installed, from what real installers write down; and what is said of a newer one."""

import json
import os
import sys
from importlib import metadata
from pathlib import Path

import pytest

import agent_connector
from agent_connector.deploy import origin
from agent_connector.deploy.origin import Origin

PACKAGE = Path(agent_connector.__file__).parent
TOOLS = ("uv tool", "uvx", "pipx", "pip", "uv pip")


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """The running copy, as if it were installed with these files beside it."""
    info = tmp_path / "agent_connector-0.1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: agent-connector\nVersion: 0.1.0\n")
    (tmp_path / "agent_connector").symlink_to(PACKAGE)
    monkeypatch.setattr(metadata, "distribution", lambda name: metadata.PathDistribution(info))

    def write(direct=None, installer="pip"):
        (info / "INSTALLER").write_text(installer + "\n")
        if direct is not None:
            (info / "direct_url.json").write_text(json.dumps(direct))
        return origin.origin()

    return write


@pytest.mark.parametrize(
    ("direct", "kind", "where"),
    [
        ({"url": "file:///code/my%20acme", "dir_info": {"editable": True}}, "editable", "/code/my acme"),
        ({"url": "file:///code/acme", "dir_info": {}}, "folder", "/code/acme"),
        (
            {"url": "https://x/acme.git", "vcs_info": {"vcs": "git", "requested_revision": "main", "commit_id": "1"}},
            "repository",
            "git+https://x/acme.git@main",
        ),
        ({"url": "file:///tmp/a.whl", "archive_info": {"hash": "sha256=1"}}, "file", "/tmp/a.whl"),
        ({"url": "https://x/a.whl", "archive_info": {}}, "file", "https://x/a.whl"),
    ],
)
@pytest.mark.parametrize("tool", TOOLS)
def test_what_came_from_no_index_is_never_looked_for_in_one(installed, direct, kind, where, tool):
    found = installed(direct)
    assert found == Origin(kind, where)
    said = origin.newer(found, tool)
    assert where in said
    assert "agent-connector@" not in said and not said.endswith("agent-connector`") and "tool upgrade" not in said


def test_what_an_index_gave_is_upgraded_by_its_installer(installed):
    assert installed() == installed(installer="uv") == Origin("index")
    said = {tool: origin.newer(Origin("index"), tool) for tool in TOOLS}
    assert said["uv tool"] == "`uv tool upgrade agent-connector`"
    assert said["pipx"] == "`pipx upgrade agent-connector`"
    assert said["uvx"] == "`uvx agent-connector@latest upgrade`"
    assert said["pip"] == f"`{sys.executable} -m pip install --upgrade agent-connector`"
    assert all("pre" in origin.newer(Origin("index"), tool, preview=True) for tool in TOOLS)


def test_what_another_program_installed_is_its_own_to_upgrade(installed):
    assert "ask rpm" in origin.newer(installed(installer="rpm"), "pip")


def test_an_installed_namesake_is_not_taken_for_the_copy_that_runs(installed, tmp_path):
    (tmp_path / "agent_connector").unlink()
    (tmp_path / "agent_connector").mkdir()
    assert installed() == Origin("checkout", str(PACKAGE.parent))


def test_a_copy_that_nobody_installed_is_a_checkout(monkeypatch):
    def none(name):
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "distribution", none)
    assert "git pull" in origin.newer(origin.origin(), "pip")


def test_a_folder_is_installed_again_by_the_program_that_did_it():
    said = {tool: origin.newer(Origin("folder", "/code/acme"), tool) for tool in TOOLS}
    assert all(text.startswith("`git pull` in /code/acme, and there `") for text in said.values())
    assert said["pip"].endswith("-m pip install .`") and said["uv tool"].endswith("`uv tool install --force .`")
    assert origin.newer(Origin("editable", "/code/acme"), "pip").endswith("-m pip install -e .`")


@pytest.mark.parametrize(
    ("prefix", "tool"),
    [
        ("/home/me/.local/share/uv/tools/agent-connector", "uv tool"),
        ("C:\\Users\\me\\pipx\\venvs\\agent-connector", "pipx"),
        ("/home/me/.cache/uv/archive-v0/x", "uvx"),
    ],
)
def test_the_program_that_keeps_the_environment_is_known_by_its_place(prefix, tool):
    assert origin.tool(prefix) == tool
    assert origin.tool(os.sep + "venv") in ("pip", "uv pip")
