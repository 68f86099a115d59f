"""Upgrade: render again what was chosen, heal the launcher, and say the rest."""

import json
import os
import shutil
from pathlib import Path

import pytest

from agent_connector.connector.load import load
from agent_connector.deploy import record
from agent_connector.deploy.install import install
from agent_connector.deploy.upgrade import upgrade
from agent_connector.errors import DeployError
from agent_connector.home import paths
from agent_connector.hosts.query import hosts


@pytest.fixture
def author(tmp_path):
    file = tmp_path / "author" / "acme.py"
    file.parent.mkdir()
    file.write_text("from agent_connector import *\nconnector = Connector(id='acme', server=stdio('x'))\n")
    return file


@pytest.fixture
def codex(lived_in, author):
    install(load(str(author), hosts=hosts()), machine=lived_in.machine(), root=lived_in.root, hosts=["codex"])
    return lived_in


def run(home, **more):
    return upgrade(machine=home.machine(), root=home.root, **more)


def test_with_nothing_to_do_nothing_is_done(codex):
    before = codex.files()
    done = run(codex)
    assert [outcome.report.files for outcome in done.outcomes] == [()]
    assert (codex.files(), done.failed) == (before, False)


def test_only_chosen_hosts_are_touched(codex):
    run(codex)
    assert "acme" not in codex.read(".claude.json")
    assert record.load(codex.root, "acme").hosts == ("codex",)


def test_what_went_missing_comes_back(codex):
    text = codex.read(".codex/config.toml")
    codex.write(".codex/config.toml", 'model = "gpt-5"\n')
    os.unlink(paths.launcher_path(str(codex.folder)))
    os.unlink(paths.manifest(codex.root, "acme"))
    run(codex, dry=True)
    assert not os.path.exists(paths.launcher_path(str(codex.folder)))
    run(codex)
    assert "[mcp_servers.acme]" in text and "[mcp_servers.acme]" in codex.read(".codex/config.toml")
    assert os.access(paths.launcher_path(str(codex.folder)), os.X_OK)
    assert json.loads(Path(paths.manifest(codex.root, "acme")).read_text())["id"] == "acme"


def test_the_authors_changes_are_said_and_not_taken_over(codex, author):
    author.write_text(author.read_text() + "connector.memory('new')\n")
    done = run(codex)
    assert [note for note in done.notes if "has changed since it was installed" in note]
    assert "new" not in codex.read(".codex/AGENTS.md")
    copy = Path(paths.declaration_folder(codex.root, "acme"), "acme.py").read_text()
    assert "new" not in copy


def test_the_authors_file_may_be_gone(codex, author):
    shutil.rmtree(author.parent)
    assert not run(codex).failed
    assert Path(paths.declaration_folder(codex.root, "acme"), "acme.py").exists()


def test_a_project_that_is_gone_is_left_out(lived_in, author):
    machine = lived_in.machine(project=True)
    install(load(str(author), hosts=hosts()), machine=machine, root=lived_in.root, hosts=["codex"], scope="project")
    shutil.rmtree(lived_in.project)
    done = run(lived_in)
    assert (done.outcomes, [note for note in done.notes if "is gone; left out" in note] != []) == ((), True)


def test_versions_that_nobody_uses_go(codex):
    package = Path(paths.version_package(codex.root, "0.0.1"))
    package.mkdir(parents=True)
    assert "version 0.0.1 of agent-connector is no longer used; removed from our home" in run(codex).notes
    assert not package.exists()


def test_what_is_not_installed_is_said(codex):
    with pytest.raises(DeployError, match="nope is not installed"):
        run(codex, connectors=["nope"])


def test_how_to_get_a_newer_one_is_said(codex):
    said = run(codex).guidance
    assert said.endswith("; then run upgrade again")
    assert f"`git pull` in {Path(__file__).parents[2]}" in said  # the tests run from a checkout
