"""How a prepared file takes its place, with and without the system's help."""

import ctypes
import errno
import os

import pytest

from agent_connector.home import swap


@pytest.fixture
def pair(tmp_path):
    (tmp_path / "one").write_text("1")
    (tmp_path / "other").write_text("2")
    return str(tmp_path / "one"), str(tmp_path / "other")


def content(path):
    with open(path) as stream:
        return stream.read()


def test_an_exchange_leaves_both_files(pair):
    assert swap.exchange(*pair)
    assert [content(path) for path in pair] == ["2", "1"]


def test_a_c_library_without_a_wrapper_is_passed_by(pair, monkeypatch):
    real = ctypes.CDLL(None, use_errno=True)

    class Bare:
        syscall = real.syscall

    monkeypatch.setattr(ctypes, "CDLL", lambda name, use_errno: Bare)
    assert swap.exchange(*pair)
    assert [content(path) for path in pair] == ["2", "1"]


@pytest.mark.parametrize("code", [errno.EINVAL, errno.ENOSYS, errno.ENOTSUP])
def test_a_file_system_that_cannot_exchange_is_told_apart_from_an_error(pair, monkeypatch, code):
    monkeypatch.setattr(swap, "_rename", lambda: lambda one, other, flag: code)
    assert swap.exchange(*pair) is False
    monkeypatch.setattr(swap, "_rename", lambda: lambda one, other, flag: errno.EACCES)
    with pytest.raises(PermissionError):
        swap.exchange(*pair)


def test_macos_is_asked_in_its_own_words(pair, monkeypatch):
    asked = []

    class Library:
        @staticmethod
        def renamex_np(one, other, flag):
            asked.append((one, other, flag))
            return 0

    monkeypatch.setattr(swap.sys, "platform", "darwin")
    monkeypatch.setattr(ctypes, "CDLL", lambda name, use_errno: Library)
    assert swap.exchange(*pair)
    swap.create(*pair)
    one, other = (os.fsencode(path) for path in pair)
    assert asked == [(one, other, 2), (one, other, 4)]


@pytest.mark.parametrize("rename", ["flags", "hard link", "neither"])
def test_creating_never_replaces(tmp_path, monkeypatch, rename):
    if rename != "flags":
        monkeypatch.setattr(swap, "_rename", lambda: None)
    if rename == "neither":

        def link(one, other):
            raise OSError(errno.EPERM, "no hard links here")

        monkeypatch.setattr(os, "link", link)
    (tmp_path / "prepared").write_text("new")
    swap.create(str(tmp_path / "prepared"), str(tmp_path / "target"))
    assert os.listdir(tmp_path) == ["target"]
    (tmp_path / "prepared").write_text("newer")
    with pytest.raises(FileExistsError):
        swap.create(str(tmp_path / "prepared"), str(tmp_path / "target"))
    assert (tmp_path / "target").read_text() == "new"


def test_on_windows_an_open_file_is_waited_for(pair, monkeypatch):
    real, refusals, pauses = os.replace, [PermissionError(), PermissionError()], []

    def replace(one, other):
        if refusals:
            raise refusals.pop()
        real(one, other)

    monkeypatch.setattr(swap.sys, "platform", "win32")
    monkeypatch.setattr(os, "replace", replace)
    monkeypatch.setattr(swap.time, "sleep", pauses.append)
    assert swap.exchange(*pair) is False
    swap.overwrite(*pair)
    assert content(pair[1]) == "1"
    assert len(pauses) == 2
