"""`~/.byoa` on a real disk: modes, links, names (section 4)."""

import os
import stat
from pathlib import Path

import pytest

from agent_connector.byoa.driver.files import RealFiles

NAME = "credentials/host/https_notes.example.json"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / ".byoa"


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077])
def test_what_is_written_is_private_whatever_the_umask(root: Path, umask: int) -> None:
    before = os.umask(umask)
    try:
        RealFiles(str(root)).write_private(NAME, "secret é")
    finally:
        os.umask(before)
    assert mode(root / NAME) == 0o600
    assert {mode(folder) for folder in (root, root / "credentials", root / "credentials/host")} == {0o700}
    found = RealFiles(str(root)).read(NAME)
    assert found is not None and (found.text, found.mode, found.folder_mode, found.own) == (
        "secret é",
        0o600,
        0o700,
        True,
    )


def test_a_second_write_replaces_the_first_and_leaves_nothing_beside_it(root: Path) -> None:
    files = RealFiles(str(root))
    files.write_private(NAME, "one")
    (root / NAME).chmod(0o644)
    files.write_private(NAME, "two")
    assert (root / NAME).read_text() == "two" and mode(root / NAME) == 0o600
    assert files.list("credentials/host") == ["https_notes.example.json"]


def test_loose_modes_are_told(root: Path) -> None:
    files = RealFiles(str(root))
    files.write_private(NAME, "x")
    (root / NAME).chmod(0o640)
    (root / NAME).parent.chmod(0o750)
    found = files.read(NAME)
    assert found is not None and (found.mode, found.folder_mode) == (0o640, 0o750)


def test_nothing_is_written_into_a_folder_that_others_may_enter(root: Path) -> None:
    files = RealFiles(str(root))
    files.write_private(NAME, "x")
    (root / NAME).parent.chmod(0o755)
    with pytest.raises(OSError, match="must have mode 0700"):
        files.write_private(NAME, "y")
    assert (root / NAME).read_text() == "x"


def test_links_are_neither_read_nor_written_through(root: Path, tmp_path: Path) -> None:
    files = RealFiles(str(root))
    files.write_private(NAME, "x")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_text("theirs")
    (root / NAME).unlink()
    (root / NAME).symlink_to(elsewhere)
    with pytest.raises(OSError):
        files.read(NAME)
    files.write_private(NAME, "ours")
    assert elsewhere.read_text() == "theirs" and not (root / NAME).is_symlink()


def test_a_folder_that_is_a_link_is_refused(root: Path, tmp_path: Path) -> None:
    (tmp_path / "other" / "host").mkdir(parents=True)
    root.mkdir(mode=0o700)
    (root / "credentials").symlink_to(tmp_path / "other")
    with pytest.raises(OSError, match="is a link"):
        RealFiles(str(root)).write_private(NAME, "x")
    assert not list((tmp_path / "other" / "host").iterdir())


def test_a_pipe_does_not_hang(root: Path) -> None:
    files = RealFiles(str(root))
    files.write_private(NAME, "x")
    (root / NAME).unlink()
    os.mkfifo(root / NAME)
    with pytest.raises(OSError, match="not a regular file"):
        files.read(NAME)


def test_what_is_absent_is_absent(root: Path) -> None:
    files = RealFiles(str(root))
    assert files.read(NAME) is None and files.list("credentials") == []
    files.remove(NAME)


@pytest.mark.parametrize("path", ["../x", "/etc/passwd", "credentials/../../x", "", "a//b"])
def test_paths_stay_below_the_folder(root: Path, path: str) -> None:
    with pytest.raises(OSError, match="not a path below"):
        RealFiles(str(root)).read(path)
