"""An event that two hosts' hooks are started for is answered once."""

import os
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from agent_connector.connector.light import Event
from agent_connector.runtime import claims


def event(**fields):
    return Event("PreToolUse", "claude-code", "PreToolUse", {}, **{"session_id": "s", "call_id": "c", **fields})


def taken(root, host, about=None, connector="acme"):
    return claims.is_taken(str(root), connector, host, about or event())


def test_the_first_host_has_it_and_keeps_it(tmp_path):
    assert [taken(tmp_path, host) for host in ("cursor", "claude-code", "cursor", "claude-code")] == [
        False, True, False, True,
    ]  # fmt: skip


@pytest.mark.parametrize("other", [{"call_id": "d"}, {"session_id": "t"}])
def test_another_event_is_another_event(tmp_path, other):
    assert not taken(tmp_path, "cursor")
    assert not taken(tmp_path, "claude-code", event(**other))
    assert not taken(tmp_path, "claude-code", connector="other")
    later = event()
    later.name = "PostToolUse"
    assert not taken(tmp_path, "claude-code", later)


def test_what_has_no_id_of_its_own_is_new_after_a_while(tmp_path):
    prompt = event(call_id=None, prompt="yes")
    assert not taken(tmp_path, "cursor", prompt) and taken(tmp_path, "claude-code", prompt)
    (claim,) = (tmp_path / claims.FOLDER).iterdir()
    os.utime(claim, (time.time() - 60,) * 2)
    assert not taken(tmp_path, "claude-code", prompt)
    assert taken(tmp_path, "cursor", prompt)
    assert not taken(tmp_path, "cursor", event(call_id=None, prompt="no"))


def test_of_many_at_once_one_gets_it(tmp_path):
    hosts = [f"host-{number}" for number in range(8)]
    for number in range(20):
        with ThreadPoolExecutor(8) as pool:
            about = event(call_id=f"call-{number}")
            answers = list(pool.map(lambda host, about=about: taken(tmp_path, host, about), hosts))
        assert answers.count(False) == 1


def test_old_claims_are_cleared_away(tmp_path):
    for number in range(100):
        taken(tmp_path, "cursor", event(call_id=str(number)))
    for claim in (tmp_path / claims.FOLDER).iterdir():
        os.utime(claim, (time.time() - 3600,) * 2)
    taken(tmp_path, "cursor", event(call_id="new"))
    assert len(list((tmp_path / claims.FOLDER).iterdir())) == 1


def test_where_nothing_can_be_written_everybody_answers(tmp_path):
    (tmp_path / claims.FOLDER).write_text("in the way")
    assert not taken(tmp_path, "cursor") and not taken(tmp_path, "claude-code")


def test_odd_ids_are_ids(tmp_path):
    for odd in ({"a": 1}, "\ud800/../..", "x" * 100_000, 7):
        assert not taken(tmp_path, "cursor", event(call_id=odd))
        assert taken(tmp_path, "claude-code", event(call_id=odd))
