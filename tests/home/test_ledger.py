"""What is remembered of our writes."""

import dataclasses

import pytest

from agent_connector.errors import StateError
from agent_connector.home import ledger, paths, private
from agent_connector.home.ledger import FileRecord, Ledger, Pending, Row

ROW = Row("item", ("hooks", "Stop"), "h1", (("acme", "codex"), ("acme", "cursor")), "hooks", "user", {"a": [1]}, ("m",))
RECORD = FileRecord(
    "/h/settings.json",
    "/d/settings.json",
    "json",
    None,
    "o",
    "b/1",
    "l",
    False,
    (("hooks",), ("hooks", "Stop")),
    (ROW,),
)
PENDING = Pending("/d/settings.json", "/d/.tmp", "o", "l", RECORD, ("/d/new",))


def test_what_is_stored_is_what_is_loaded(tmp_path):
    full = Ledger({RECORD.target: RECORD}, ("/d/new",), {PENDING.target: PENDING})
    gone = full.begin(dataclasses.replace(PENDING, record=None))
    for value in (Ledger(), full, gone):
        ledger.store(str(tmp_path), value)
        assert ledger.load(str(tmp_path)) == value


def test_no_file_is_an_empty_ledger(tmp_path):
    assert ledger.load(str(tmp_path)) == Ledger()


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "null", "{}", '{"schema": 1}', '{"schema": 1, "files": {"a": {}}, "folders": [], "pending": {}}'],
)
def test_a_damaged_ledger_is_told_and_left(tmp_path, text):
    path = paths.ledger(str(tmp_path))
    private.write(path, text)
    with pytest.raises(StateError, match="damaged") as caught:
        ledger.load(str(tmp_path))
    assert caught.value.where == path
    assert "uninstall --scan" in caught.value.remedy
    assert private.read(path) == text.encode()


def test_a_ledger_of_a_later_version_is_left(tmp_path):
    private.write(paths.ledger(str(tmp_path)), '{"schema": 2}')
    with pytest.raises(StateError, match="upgrade"):
        ledger.load(str(tmp_path))


def test_an_announced_write_becomes_true_or_undone():
    announced = Ledger().begin(PENDING)
    assert announced.files == {}
    assert announced.confirm(RECORD.target) == Ledger({RECORD.target: RECORD}, ("/d/new",))
    assert announced.abandon(RECORD.target) == Ledger()


def test_a_record_without_rows_is_forgotten():
    kept = Ledger().keep(RECORD.target, RECORD)
    assert kept.keep(RECORD.target, dataclasses.replace(RECORD, rows=())) == Ledger()
    assert kept.keep(RECORD.target, None) == Ledger()


def test_rows_are_found_by_owner():
    kept = Ledger({RECORD.target: RECORD})
    assert list(kept.rows("acme")) == list(kept.rows("acme", "codex")) == list(kept.rows()) == [(RECORD, ROW)]
    assert list(kept.rows("other")) == list(kept.rows("acme", "claude-code")) == []
    assert ROW.owned_by(None, "cursor") == (("acme", "cursor"),)


def test_backups_that_an_undo_needs_are_named():
    other = dataclasses.replace(RECORD, target="/d/other", backup="b/2")
    pending = dataclasses.replace(PENDING, target="/d/other", record=other)
    assert Ledger({RECORD.target: RECORD}).begin(pending).backups() == {"b/1", "b/2"}


def test_equal_values_have_one_hash_whatever_their_form():
    assert ledger.value_hash({"a": 1, "b": [2]}) == ledger.value_hash({"b": [2], "a": 1})
    assert len({ledger.value_hash(v) for v in (1, 1.0, True, "1", [1], None)}) == 6
    assert ledger.value_hash({1: "a", "x": "b"}) != ledger.value_hash({"1": "a", "x": "b"})
    assert ledger.value_hash("\ud800")
