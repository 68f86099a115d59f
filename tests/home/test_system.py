"""The parts of `os` that are said again for the hook path mean what `os` means."""

import os
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_connector.home import system

PARTS = st.lists(st.sampled_from(["a", "b", "link", "up", "loop", "gone", ".", "..", ""]), min_size=1, max_size=6)


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """Folders, and links that lead down, up, out and in a circle."""
    top = os.path.realpath(tmp_path_factory.mktemp("tree"))
    os.makedirs(f"{top}/a/b/a")
    os.symlink("a/b", f"{top}/link")
    os.symlink("../..", f"{top}/a/b/up")
    os.symlink(top, f"{top}/a/link")
    os.symlink("loop", f"{top}/loop")
    return top


@given(parts=PARTS)
@settings(deadline=None)
def test_links_are_followed_as_os_follows_them(tree, parts):
    path = "/".join([tree, *parts])
    if "loop" in parts:  # os gives such a path back half resolved; ours only has to end
        assert os.path.isabs(system.realpath(path))
    else:
        assert system.realpath(path) == os.path.realpath(path)


def test_a_relative_path_starts_at_the_working_folder(tree, monkeypatch):
    monkeypatch.chdir(tree)
    assert system.realpath("link/a") == f"{tree}/a/b/a"
    assert system.realpath(".") == tree
    assert system.realpath("/") == "/"


def test_kinds_and_names(tree):
    assert system.isdir(f"{tree}/link") and not system.isfile(f"{tree}/link")
    assert system.isfile(__file__) and not system.isdir(__file__)
    assert not system.isdir(f"{tree}/gone") and not system.isfile("nul\0byte")
    for path in ("/a/b", "/a", "/", "a", "a/b/"):
        assert (system.dirname(path), system.basename(path)) == os.path.split(path)
    assert system.join("/", "a", "b") == "/a/b" and system.join("/r/", "a") == "/r/a"


def test_the_environment_is_the_current_one(monkeypatch):
    monkeypatch.setenv("AGENT_CONNECTOR_TEST", "ä")
    assert system.variables()["AGENT_CONNECTOR_TEST"] == "ä"


def test_without_os_the_environment_is_the_one_at_the_start():
    code = (
        f"import sys; sys.path.insert(0, {os.path.dirname(os.path.dirname(system.__file__))!r} + '/..')\n"
        "from agent_connector.home import system\n"
        "assert 'os' not in sys.modules\n"
        "print(system.variables()['LOOSE'] == 'a\\udcff', system.person_home())"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code],
        env={b"LOOSE": b"a\xff", b"HOME": b"/home/ada"},
        capture_output=True,
        text=True,
        timeout=30,
        check=True,
    )
    assert done.stdout.split() == ["True", "/home/ada"]
