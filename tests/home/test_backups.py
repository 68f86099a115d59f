"""The bytes of a person's file from before we changed it."""

import os

import pytest

from agent_connector.errors import StateError
from agent_connector.home import backups, files, paths


def stored(root):
    return [
        os.path.relpath(os.path.join(folder, name), paths.backups_folder(root)).replace(os.sep, "/")
        for folder, _, names in os.walk(paths.backups_folder(root))
        for name in names
        if name != "path"
    ]


def test_a_backup_is_a_plain_file_beside_a_line_that_names_its_origin(tmp_path):
    root = str(tmp_path)
    backup = backups.keep(root, "/home/ada/.claude/settings.json", b"{}")
    place = backups.location(root, backup)
    with open(place, "rb") as stream:
        assert stream.read() == b"{}"
    with open(os.path.join(os.path.dirname(place), "path")) as stream:
        assert stream.read() == "/home/ada/.claude/settings.json\n"
    assert backup.startswith("settings.json-")
    assert backups.load(root, backup, files.hash_of(b"{}")) == b"{}"


def test_the_same_bytes_are_kept_once(tmp_path):
    root = str(tmp_path)
    assert backups.keep(root, "/a", b"1") == backups.keep(root, "/a", b"1")
    assert backups.keep(root, "/b", b"1") != backups.keep(root, "/a", b"1")
    assert len(stored(root)) == 2


def test_the_oldest_go_but_never_one_that_is_needed(tmp_path):
    root = str(tmp_path)
    first = backups.keep(root, "/a", b"first")
    made = [backups.keep(root, "/a", b"%d" % n, {first}) for n in range(backups.KEPT + 5)]
    assert sorted(stored(root)) == sorted([first, *made[-backups.KEPT :]])
    assert backups.load(root, first, files.hash_of(b"first")) == b"first"


def test_a_clock_that_was_set_back_does_not_turn_the_order(tmp_path, monkeypatch):
    root = str(tmp_path)
    monkeypatch.setattr(backups.time, "time", lambda: 2_000_000_000.0)
    backups.keep(root, "/a", b"1")
    monkeypatch.setattr(backups.time, "time", lambda: 1_000_000_000.0)
    made = [backups.keep(root, "/a", b"x%d" % n) for n in range(3)]
    assert sorted(stored(root))[1:] == made


def test_a_backup_that_is_missing_or_damaged_is_told(tmp_path):
    root = str(tmp_path)
    backup = backups.keep(root, "/a", b"1")
    with open(backups.location(root, backup), "w") as stream:
        stream.write("2")
    with pytest.raises(StateError, match="missing or damaged"):
        backups.load(root, backup, files.hash_of(b"1"))
    backups.forget(root, "/a")
    with pytest.raises(StateError, match="missing or damaged"):
        backups.load(root, backup, files.hash_of(b"1"))


def test_two_files_of_one_name_and_hostile_names_are_kept_apart(tmp_path):
    root = str(tmp_path)
    for target in ("/a/settings.json", "/b/settings.json", "/a/..", "/a/\n$(x)/" + "é" * 80):
        backups.keep(root, target, b"1")
    assert len(stored(root)) == len(os.listdir(paths.backups_folder(root))) == 4
