"""Which links are followed."""

import os

import pytest

from agent_connector.errors import HomeError, LinkRefused
from agent_connector.home import files, links


@pytest.fixture
def dotfiles(tmp_path):
    """A home folder and the person's dotfiles beside it."""
    (tmp_path / "home").mkdir()
    (tmp_path / "dotfiles").mkdir()
    (tmp_path / "dotfiles" / "settings.json").write_text("{}")
    return tmp_path


def link(at, to):
    at.symlink_to(to)
    return str(at)


def test_in_user_scope_a_link_into_dotfiles_is_followed_and_stays_a_link(dotfiles):
    path = link(dotfiles / "home" / "settings.json", dotfiles / "dotfiles" / "settings.json")
    snapshot = files.read(path)
    files.replace(snapshot, b'{"a": 1}')
    assert os.path.islink(path)
    assert (dotfiles / "dotfiles" / "settings.json").read_bytes() == b'{"a": 1}'


def test_a_linked_folder_is_followed_to_a_file_that_is_not_there_yet(dotfiles):
    link(dotfiles / "home" / ".claude", dotfiles / "dotfiles")
    path = str(dotfiles / "home" / ".claude" / "new.json")
    files.replace(files.read(path), b"{}")
    assert (dotfiles / "dotfiles" / "new.json").read_bytes() == b"{}"


def test_a_chain_of_links_is_followed_to_its_end(dotfiles):
    middle = link(dotfiles / "middle", dotfiles / "dotfiles" / "settings.json")
    path = link(dotfiles / "home" / "settings.json", middle)
    assert links.resolve(path) == str(dotfiles / "dotfiles" / "settings.json")


def test_a_loop_is_refused(dotfiles):
    one, other = dotfiles / "home" / "one", dotfiles / "home" / "other"
    link(one, other)
    link(other, one)
    with pytest.raises(LinkRefused, match="cannot be followed"):
        links.resolve(str(one))


@pytest.mark.parametrize("name", ["settings.json", ".claude"])
def test_a_link_to_nothing_is_refused(dotfiles, name):
    link(dotfiles / "home" / name, dotfiles / "gone")
    with pytest.raises(LinkRefused, match="leads to nothing"):
        links.resolve(str(dotfiles / "home" / name / "settings.json"))


def test_a_link_to_another_users_file_is_refused(dotfiles, monkeypatch):
    path = link(dotfiles / "home" / "settings.json", "/etc/passwd")
    mine = os.lstat(path).st_uid
    monkeypatch.setattr(os, "geteuid", lambda: mine if mine != 0 else 12345)
    with pytest.raises(LinkRefused, match="belongs to another user"):
        links.resolve(path)


def test_another_users_link_is_refused(dotfiles, monkeypatch):
    path = link(dotfiles / "home" / "settings.json", dotfiles / "dotfiles" / "settings.json")
    monkeypatch.setattr(os, "geteuid", lambda: 12345)
    monkeypatch.setattr(links, "_ROOT", 54321)
    with pytest.raises(LinkRefused, match="belongs to another user"):
        links.resolve(path)


def test_a_link_into_our_own_state_is_refused(dotfiles):
    (dotfiles / "state").mkdir()
    (dotfiles / "state" / "ledger.json").write_text("{}")
    path = link(dotfiles / "home" / "settings.json", dotfiles / "state" / "ledger.json")
    with pytest.raises(LinkRefused, match="own state"):
        links.resolve(path, own=str(dotfiles / "state"))
    (dotfiles / ".agent-connector").mkdir()
    (dotfiles / ".agent-connector" / "pins").write_text("")
    path = link(dotfiles / "home" / "other.json", dotfiles / ".agent-connector" / "pins")
    with pytest.raises(LinkRefused, match="own state"):
        links.resolve(path)


def test_in_project_scope_a_link_may_not_leave_the_project(dotfiles):
    project = dotfiles / "project"
    project.mkdir()
    path = link(project / ".mcp.json", dotfiles / "dotfiles" / "settings.json")
    with pytest.raises(LinkRefused, match="out of the project"):
        links.resolve(path, project=str(project))
    folder = link(project / ".cursor", dotfiles / "dotfiles")
    with pytest.raises(LinkRefused, match="out of the project"):
        links.resolve(os.path.join(folder, "new.json"), project=str(project))


def test_in_project_scope_a_link_inside_the_project_is_followed(dotfiles):
    project = dotfiles / "project"
    project.mkdir()
    (project / "AGENTS.md").write_text("# Agents\n")
    path = link(project / "CLAUDE.md", "AGENTS.md")
    assert links.resolve(path, project=str(project)) == str(project / "AGENTS.md")


def test_a_project_that_is_itself_reached_by_a_link_is_still_the_project(dotfiles):
    (dotfiles / "real").mkdir()
    link(dotfiles / "project", dotfiles / "real")
    path = str(dotfiles / "project" / ".mcp.json")
    assert links.resolve(path, project=str(dotfiles / "project")) == str(dotfiles / "real" / ".mcp.json")


def test_a_folder_or_a_pipe_in_the_files_place_is_refused(tmp_path):
    (tmp_path / "settings.json").mkdir()
    with pytest.raises(HomeError, match="folder stands where"):
        links.resolve(str(tmp_path / "settings.json"))
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(HomeError, match="not a regular file"):
        files.read(str(tmp_path / "pipe"))
