"""Files of our own state."""

import os
import stat
import time

import pytest

from agent_connector.errors import HomeError
from agent_connector.home import files, private


def mode(path):
    return stat.S_IMODE(os.stat(path).st_mode)


def test_files_and_folders_are_for_their_owner_alone(tmp_path):
    old = os.umask(0)
    try:
        private.write(str(tmp_path / "root" / "a" / "state"), "one\n")
        private.write(str(tmp_path / "root" / "bin" / "launcher"), "#!/bin/sh\n", private.PROGRAM)
    finally:
        os.umask(old)
    assert mode(tmp_path / "root") == mode(tmp_path / "root" / "a") == 0o700
    assert mode(tmp_path / "root" / "a" / "state") == 0o600
    assert mode(tmp_path / "root" / "bin" / "launcher") == 0o700


def test_a_write_replaces_and_leaves_no_litter(tmp_path):
    path = str(tmp_path / "state")
    private.write(path, "one")
    private.write(path, b"two")
    assert private.read(path) == b"two"
    assert os.listdir(tmp_path) == ["state"]
    private.remove(path)
    private.remove(path)
    assert private.read(path) is None


def test_a_failed_write_leaves_the_old_state(tmp_path, monkeypatch):
    path = str(tmp_path / "state")
    private.write(path, "one")

    def replace(one, other):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", replace)
    with pytest.raises(HomeError, match="no space"):
        private.write(path, "two")
    assert private.read(path) == b"one"
    assert os.listdir(tmp_path) == ["state"]


def test_what_a_crash_left_half_written_is_swept_once_it_is_old(tmp_path):
    for name, age in (
        (files.temporary_beside("ledger.json"), 3600),
        (files.temporary_beside("pins"), 0),
        ("x.tmp", 3600),
    ):
        (tmp_path / name).write_text("half")
        os.utime(tmp_path / name, (time.time() - age,) * 2)
    private.sweep(str(tmp_path))
    assert {name.partition(files.TEMPORARY)[0] for name in os.listdir(tmp_path)} == {".pins", "x.tmp"}
    private.sweep(str(tmp_path / "gone"))
