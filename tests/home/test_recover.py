"""What a crash leaves is mended at the next start, whatever the host did meanwhile."""

import os

import pytest

from agent_connector.home import files, ledger
from agent_connector.home.ledger import FileRecord, Ledger, Pending, Row
from agent_connector.home.recover import recover

OLD, NEW, HOST = b"old", b"new", b"host"
BEFORE = Row("key", ("a",), "h1", (("acme", "codex"),), "server", "user")
AFTER = Row("key", ("b",), "h2", (("acme", "codex"),), "server", "user")


@pytest.fixture
def crashed(tmp_path):
    """A home in which the write of `settings.json` was announced; the test says what the disk looks like."""

    def make(target, temporary, *, found=OLD, new=NEW, folders=()):
        path, beside = tmp_path / "host" / "settings.json", tmp_path / "host" / ".tmp"
        (tmp_path / "host").mkdir()
        for place, data in ((path, target), (beside, temporary)):
            if data is not None:
                place.write_bytes(data)
        old = FileRecord(str(path), str(path), "json", last=files.hash_of(found), rows=(BEFORE,))
        after = FileRecord(str(path), str(path), "json", last=files.hash_of(new), rows=(AFTER,))
        announced = Pending(str(path), str(beside), files.hash_of(found), files.hash_of(new), after, folders)
        before = Ledger({str(path): old}).begin(announced)
        ledger.store(str(tmp_path / "root"), before)
        mended = recover(str(tmp_path / "root"), before)
        assert ledger.load(str(tmp_path / "root")) == mended
        assert mended.pending == {}
        record = mended.files.get(str(path))
        content = path.read_bytes() if path.exists() else None
        assert os.listdir(tmp_path / "host") == ([] if content is None else ["settings.json"])
        return content, {row.path[0] for row in record.rows} if record else set(), record

    return make


@pytest.mark.parametrize("temporary", [None, b"", b"ne", NEW])
def test_before_the_swap_the_old_file_and_the_old_rows_stand(crashed, temporary):
    assert crashed(OLD, temporary)[:2] == (OLD, {"a"})


@pytest.mark.parametrize("temporary", [None, OLD])
def test_after_the_swap_the_new_file_and_the_new_rows_stand(crashed, temporary):
    assert crashed(NEW, temporary)[:2] == (NEW, {"b"})


def test_what_a_host_wrote_just_before_the_swap_goes_back(crashed):
    content, rows, record = crashed(NEW, HOST)
    assert (content, rows, record.clean) == (HOST, {"a", "b"}, False)


@pytest.mark.parametrize("temporary", [None, OLD, NEW, b"ne"])
def test_what_a_host_wrote_afterwards_stays_and_no_row_is_lost(crashed, temporary):
    content, rows, record = crashed(HOST, temporary)
    assert (content, rows, record.clean) == (HOST, {"a", "b"}, False)


def test_bytes_that_nobody_else_has_are_kept_as_a_backup(crashed, tmp_path):
    crashed(HOST, b"an earlier write of the host")
    kept = (tmp_path / "root" / "backups").glob("settings.json-*/2*")
    assert [path.read_bytes() for path in kept] == [b"an earlier write of the host"]


@pytest.mark.parametrize(("target", "temporary"), [(None, OLD), (None, None)])
def test_a_removal_that_happened_is_true(crashed, target, temporary):
    assert crashed(target, temporary, new=None)[:2] == (None, {"b"})


def test_a_removal_that_took_a_hosts_newer_write_away_gives_it_back(crashed):
    assert crashed(None, HOST, new=None)[:2] == (HOST, {"a", "b"})


@pytest.mark.parametrize("temporary", [None, b"", NEW])
def test_a_creation_that_did_not_happen_leaves_nothing(crashed, temporary):
    assert crashed(None, temporary, found=None)[:2] == (None, {"a"})


def test_folders_made_on_the_way_go_again_when_they_are_empty(tmp_path):
    (tmp_path / "made" / "inner").mkdir(parents=True)
    (tmp_path / "used").mkdir()
    (tmp_path / "used" / "theirs").write_text("")
    target = str(tmp_path / "made" / "inner" / "x.md")
    made = (str(tmp_path / "made"), str(tmp_path / "made" / "inner"), str(tmp_path / "used"))
    pending = Pending(target, target + ".tmp", files.ABSENT, files.hash_of(NEW), None, made)
    mended = recover(str(tmp_path / "root"), Ledger().begin(pending))
    assert mended == Ledger()
    assert sorted(os.listdir(tmp_path)) == ["root", "used"]


def test_a_file_out_of_reach_stays_announced(tmp_path, monkeypatch):
    pending = Pending(str(tmp_path / "x"), str(tmp_path / ".tmp"), "o", "n", None)
    before = Ledger().begin(pending)

    def fingerprint(path):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(files, "fingerprint", fingerprint)
    assert recover(str(tmp_path / "root"), before) == before
