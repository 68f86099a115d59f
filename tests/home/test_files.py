"""Reading and replacing a file that a person owns."""

import os
import stat

import pytest

from agent_connector.errors import HomeError, WriteConflict
from agent_connector.home import files, swap

OLD, NEW = b'{"old": 1}\n', b'{"new": 2}\n'


@pytest.fixture(params=["exchange", "no exchange"])
def swapping(request, monkeypatch):
    """Both ways of taking a place: systems with an atomic exchange, and those without."""
    if request.param == "no exchange":
        monkeypatch.setattr(swap, "_rename", lambda: None)
    return request.param


@pytest.fixture
def settings(tmp_path):
    path = tmp_path / "settings.json"
    path.write_bytes(OLD)
    return path


def names(folder):
    return sorted(os.listdir(folder))


def test_the_new_bytes_are_in_place_and_nothing_else_is_left(swapping, settings):
    receipt = files.replace(files.read(str(settings)), NEW)
    assert settings.read_bytes() == NEW
    assert names(settings.parent) == ["settings.json"]
    assert receipt == files.Receipt(files.hash_of(OLD), files.hash_of(NEW))


def test_an_absent_file_is_created_with_the_persons_umask(swapping, tmp_path):
    old = os.umask(0o027)
    try:
        files.replace(files.read(str(tmp_path / "a.json")), NEW)
        files.replace(files.read(str(tmp_path / "b.sh")), NEW, mode=files.NEW_PROGRAM)
    finally:
        os.umask(old)
    assert stat.S_IMODE(os.stat(tmp_path / "a.json").st_mode) == 0o640
    assert stat.S_IMODE(os.stat(tmp_path / "b.sh").st_mode) == 0o750


def test_an_empty_file_stays_a_file(swapping, settings):
    files.replace(files.read(str(settings)), b"")
    assert settings.read_bytes() == b""


def test_none_removes_the_file(swapping, settings):
    receipt = files.replace(files.read(str(settings)), None)
    assert names(settings.parent) == []
    assert receipt.new_hash == files.ABSENT


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o660, 0o755])
def test_mode_and_owner_stay(swapping, settings, mode):
    settings.chmod(mode)
    before = settings.stat()
    files.replace(files.read(str(settings)), NEW)
    after = settings.stat()
    assert stat.S_IMODE(after.st_mode) == mode
    assert (after.st_uid, after.st_gid) == (before.st_uid, before.st_gid)


def test_another_owner_is_kept_or_nothing_is_written(settings, monkeypatch):
    asked = []

    def chown(path, uid, gid):
        asked.append((uid, gid))
        raise PermissionError(1, "Operation not permitted")

    snapshot = files.read(str(settings))
    monkeypatch.setattr(os, "chown", chown)
    strange = files.Snapshot(snapshot.path, snapshot.target, snapshot.data, snapshot.mode, 4242, 4343)
    with pytest.raises(HomeError, match="does not permit"):
        files.replace(strange, NEW)
    assert asked == [(4242, 4343)]
    assert settings.read_bytes() == OLD
    assert names(settings.parent) == ["settings.json"]


def test_extended_attributes_stay_and_the_file_looks_modified(settings):
    noted = takes_attributes(settings)
    os.utime(settings, (1, 1))
    files.replace(files.read(str(settings)), NEW)
    assert not noted or os.getxattr(settings, "user.note") == b"mine"
    assert settings.stat().st_mtime > 1


def takes_attributes(path):
    """Put a note on the file; False where the system or the file system has none."""
    try:
        os.setxattr(path, "user.note", b"mine")
    except (AttributeError, OSError):
        return False
    return True


def test_equal_bytes_are_not_written(settings):
    before = settings.stat()
    files.replace(files.read(str(settings)), OLD)
    after = settings.stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_what_verify_refuses_is_not_written(settings):
    def refuse(data):
        raise HomeError("no")

    with pytest.raises(HomeError, match="no"):
        files.replace(files.read(str(settings)), NEW, verify=refuse)
    assert settings.read_bytes() == OLD


def test_the_backup_is_made_of_what_was_read(settings):
    kept = []
    receipt = files.replace(
        files.read(str(settings)), NEW, backup=lambda snapshot: kept.append(snapshot.data) or "an-id"
    )
    assert kept == [OLD]
    assert receipt.backup == "an-id"


def test_a_write_since_the_snapshot_is_kept(swapping, settings):
    snapshot = files.read(str(settings))
    settings.write_bytes(b"host")
    with pytest.raises(WriteConflict):
        files.replace(snapshot, NEW)
    assert settings.read_bytes() == b"host"
    assert names(settings.parent) == ["settings.json"]


def test_a_write_since_the_snapshot_stops_a_removal(swapping, settings):
    snapshot = files.read(str(settings))
    settings.write_bytes(b"host")
    with pytest.raises(WriteConflict):
        files.replace(snapshot, None)
    assert settings.read_bytes() == b"host"
    assert names(settings.parent) == ["settings.json"]


def test_a_file_that_appeared_since_the_snapshot_is_kept(swapping, tmp_path):
    snapshot = files.read(str(tmp_path / "settings.json"))
    (tmp_path / "settings.json").write_bytes(b"host")
    with pytest.raises(WriteConflict):
        files.replace(snapshot, NEW)
    assert (tmp_path / "settings.json").read_bytes() == b"host"
    assert names(tmp_path) == ["settings.json"]


def test_a_file_that_went_since_the_snapshot_stays_gone(swapping, settings):
    snapshot = files.read(str(settings))
    settings.unlink()
    with pytest.raises(WriteConflict):
        files.replace(snapshot, NEW)
    assert names(settings.parent) == []


def hosts_writes_at_each_exchange(monkeypatch, path, *texts):
    """Just before its n-th exchange, a host replaces the file by the n-th text."""
    real, left = swap.exchange, list(texts)

    def exchange(one, other):
        if left:
            beside = path.with_name("host.tmp")
            beside.write_bytes(left.pop(0))
            os.replace(beside, path)
        return real(one, other)

    monkeypatch.setattr(swap, "exchange", exchange)


@pytest.mark.parametrize("texts", [(b"one",), (b"one", b"two"), (b"one", b"two", b"three")])
def test_a_write_in_the_instant_of_the_exchange_goes_back_and_the_newest_wins(settings, monkeypatch, texts):
    hosts_writes_at_each_exchange(monkeypatch, settings, *texts)
    with pytest.raises(WriteConflict):
        files.replace(files.read(str(settings)), NEW)
    assert settings.read_bytes() == texts[-1]
    assert names(settings.parent) == ["settings.json"]


def test_a_write_right_after_ours_is_told(settings, monkeypatch):
    real = swap.sync_folder

    def sync(folder):
        settings.write_bytes(b"host")
        real(folder)

    monkeypatch.setattr(swap, "sync_folder", sync)
    receipt = files.replace(files.read(str(settings)), NEW)
    assert not receipt.held
    assert settings.read_bytes() == b"host"


def test_a_read_only_file_is_left_with_a_remedy(settings):
    settings.chmod(0o444)
    with pytest.raises(HomeError, match="read-only") as caught:
        files.replace(files.read(str(settings)), NEW)
    assert caught.value.remedy
    assert settings.read_bytes() == OLD
    assert names(settings.parent) == ["settings.json"]


def test_a_file_in_a_read_only_folder_is_left_with_a_remedy(tmp_path):
    folder = tmp_path / "locked"
    folder.mkdir()
    (folder / "settings.json").write_bytes(OLD)
    folder.chmod(0o555)
    try:
        for name in ("settings.json", "new.json"):
            with pytest.raises(HomeError, match="read-only") as caught:
                files.replace(files.read(str(folder / name)), NEW)
            assert caught.value.remedy
    finally:
        folder.chmod(0o755)
    assert (folder / "settings.json").read_bytes() == OLD
    assert names(folder) == ["settings.json"]


def test_a_write_that_fails_half_way_leaves_the_old_file_and_no_litter(settings, monkeypatch):
    def fsync(descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fsync)
    with pytest.raises(HomeError, match="no space") as caught:
        files.replace(files.read(str(settings)), NEW)
    assert "Free some space" in str(caught.value)
    assert settings.read_bytes() == OLD
    assert names(settings.parent) == ["settings.json"]


def test_a_very_long_name_can_be_written(tmp_path):
    path = tmp_path / ("n" * 250)
    files.replace(files.read(str(path)), NEW)
    assert path.read_bytes() == NEW


def test_twenty_megabytes_are_written(swapping, settings):
    big = b"x" * (20 << 20)
    files.replace(files.read(str(settings)), big)
    assert settings.read_bytes() == big
