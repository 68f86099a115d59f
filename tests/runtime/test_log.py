"""hooks.log stays small and can always be read."""

import json
import os

from agent_connector.runtime import log


def test_lines_come_back_in_order(tmp_path):
    root = str(tmp_path)
    log.note(root, "hook", "first", connector="acme", host=None, event="")
    log.note(root, "hook", "second", ValueError("ä\ud800"))
    first, second = log.entries(root)
    assert (first["what"], first["connector"]) == ("first", "acme") and "host" not in first and "event" not in first
    assert second["error"] == "ValueError: ä\ud800" and first["t"] <= second["t"]


def test_it_never_grows_beyond_two_files(tmp_path):
    root = str(tmp_path)
    for number in range(1500):
        log.note(root, "hook", str(number), ValueError("x" * 10_000))
    assert set(os.listdir(root)) <= {"hooks.log", "hooks.log.1"}
    assert all(os.path.getsize(tmp_path / name) < log.LARGEST + 10_000 for name in os.listdir(root))
    assert log.entries(root)[-1]["what"] == "1499"


def test_a_torn_line_is_left_out(tmp_path):
    root = str(tmp_path)
    log.note(root, "hook", "whole")
    with open(tmp_path / "hooks.log", "ab") as stream:
        stream.write(b'{"t": 1, "what": "to\n[]\n\xff\n')
    log.note(root, "hook", "after")
    assert [line["what"] for line in log.entries(root)] == ["whole", "after"]


def test_nothing_is_raised_where_nothing_can_be_written(tmp_path):
    log.note(str(tmp_path / "gone"), "hook", "x")
    (tmp_path / "hooks.log").mkdir()
    log.note(str(tmp_path), "hook", "x")
    assert log.entries(str(tmp_path)) == []


def test_it_is_private(tmp_path):
    log.note(str(tmp_path), "hook", "x")
    assert os.stat(tmp_path / "hooks.log").st_mode & 0o077 == 0


def test_what_an_error_quotes_of_the_content_is_left_out(tmp_path):
    secret = 'hunter2\'s "pass"\n'
    error = ValueError(f"{secret} {secret!r} {json.dumps(secret)} abc")
    log.note(str(tmp_path), "hook", "raised", error, [secret, "abc"], connector="acme")
    (line,) = log.entries(str(tmp_path))
    assert "hunter2" not in line["error"] + line["trace"]
    assert line["error"].startswith("ValueError: [...]") and line["error"].endswith(" abc")
