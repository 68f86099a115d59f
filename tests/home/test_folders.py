"""Folders that we create on the way to a file."""

import os

import pytest

from agent_connector.errors import HomeError
from agent_connector.home import folders


def test_missing_folders_are_listed_outermost_first_and_created(tmp_path):
    path = str(tmp_path / "a" / "b" / "c.json")
    missing = folders.missing(path)
    assert missing == (str(tmp_path / "a"), str(tmp_path / "a" / "b"))
    folders.create(missing)
    assert folders.missing(path) == ()
    folders.create(missing)  # another program may have been faster


def test_a_file_in_the_way_is_an_error_with_a_remedy(tmp_path):
    (tmp_path / "a").write_text("")
    with pytest.raises(HomeError, match="a file stands where a folder is expected") as caught:
        folders.create(folders.missing(str(tmp_path / "a" / "b.json")))
    assert caught.value.remedy


def test_only_an_empty_folder_is_removed(tmp_path):
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "x").write_text("")
    (tmp_path / "empty").mkdir()
    assert folders.remove_empty(str(tmp_path / "empty"))
    assert folders.remove_empty(str(tmp_path / "gone"))
    assert not folders.remove_empty(str(tmp_path / "full"))
    assert os.listdir(tmp_path) == ["full"]


def test_a_tree_is_removed_whatever_somebody_has_put_there(tmp_path):
    kept = tmp_path / "kept"
    kept.mkdir()
    (kept / "file").write_text("x")
    top = tmp_path / "top"
    (top / "a" / "b").mkdir(parents=True)
    (top / "a" / "link").symlink_to(kept)
    (top / "linked").symlink_to(kept / "file")
    (top / "nowhere").symlink_to(tmp_path / "none")
    os.mkfifo(top / "a" / "pipe")
    held = os.open(top, os.O_RDONLY)
    for _ in range(3000):  # deeper than a recursion, and longer than a path may be
        os.mkdir("deep", dir_fd=held)
        below = os.open("deep", os.O_RDONLY, dir_fd=held)
        os.close(held)
        held = below
    os.close(held)
    for folder in (top / "a" / "b", top / "a"):
        folder.chmod(0)
    assert folders.remove_tree(str(top)) and not os.path.lexists(top)
    assert (kept / "file").read_text() == "x"
    (tmp_path / "link").symlink_to(kept)
    assert folders.remove_tree(str(tmp_path / "link")) and kept.is_dir()
    assert folders.remove_tree(str(tmp_path / "link"))  # it is gone, and that is all that was wanted
