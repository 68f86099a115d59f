"""The home of a run: private, furnished anew, and deaf to what an earlier run planted in it."""

import os
import sys
import time
from pathlib import Path

import pytest

from agent_connector.errors import WorkerError
from agent_connector.worker import private_home


def test_a_task_has_one_home_and_another_task_another(tmp_path: Path) -> None:
    one, again, other = (private_home.place(str(tmp_path), task) for task in ("T-1", "T-1", "T-2"))
    assert one == again and one.folder != other.folder
    assert sys.platform == "win32" or (os.stat(one.home).st_mode & 0o777) == 0o700


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege there")
def test_links_of_an_earlier_run_are_not_followed(tmp_path: Path) -> None:
    made = private_home.place(str(tmp_path / "runs"), "T-1")
    person = tmp_path / "person"
    person.mkdir()
    (person / "settings.json").write_text("the person's")
    os.symlink(person, os.path.join(made.home, ".host"))
    os.symlink(person / "settings.json", os.path.join(made.home, "login.json"))
    private_home.furnish(made, {".host/settings.json": "ours"}, {"login.json": b"a login"})
    assert (person / "settings.json").read_text() == "the person's"
    assert Path(made.home, ".host", "settings.json").read_text() == "ours"
    assert Path(made.home, "login.json").read_bytes() == b"a login"


def test_a_login_that_cannot_be_read_is_said(tmp_path: Path) -> None:
    with pytest.raises(WorkerError, match="the login cannot be read"):
        private_home.login(str(tmp_path), (".claude/.credentials.json",))


def test_the_environment_has_nothing_of_the_worker_s(tmp_path: Path) -> None:
    made = private_home.place(str(tmp_path), "T-1")
    own = {"PATH": "/usr/bin", "ANTHROPIC_API_KEY": "k", "SSH_AUTH_SOCK": "/s", "HOME": "/home/me"}
    found = private_home.variables(made, own, {"EXTRA": "1"})
    assert (found["HOME"], found["PATH"], found["EXTRA"]) == (made.home, "/usr/bin", "1")
    assert not {"ANTHROPIC_API_KEY", "SSH_AUTH_SOCK"} & set(found)


def test_homes_that_nobody_came_back_to_go_after_a_month(tmp_path: Path) -> None:
    old, kept, young = (private_home.place(str(tmp_path), task) for task in ("old", "kept", "young"))
    for one in (old, kept):
        os.utime(one.folder, (time.time() - 40 * 86_400,) * 2)
    private_home.prune(str(tmp_path), frozenset({os.path.basename(kept.folder)}))
    assert sorted(os.listdir(tmp_path)) == sorted(os.path.basename(one.folder) for one in (kept, young))
