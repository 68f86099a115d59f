"""What Pi's session files say of its model calls."""

import json

import pytest

from agent_connector.hosts.machine import Machine
from agent_connector.hosts.records import UnknownFormat

HEADER = {
    "type": "session",
    "version": 3,
    "id": "s-1",
    "timestamp": "2026-11-30T16:10:01.614Z",
    "cwd": "/home/ada/project",
}
USAGE = {"input": 301, "output": 51, "cacheRead": 700, "cacheWrite": 0, "reasoning": 7, "cost": {"total": 0.5}}


def lines(*entries):
    return "".join(json.dumps(each, separators=(",", ":")) + "\n" for each in entries)


def answer(entry="a1", time=1_796_055_002_734, role="assistant", usage=USAGE, **more):
    message = {"role": role, "model": "m-1", "provider": "p", "usage": usage, "timestamp": time, **more}
    return {"type": "message", "id": entry, "timestamp": "2026-11-30T16:10:03.048Z", "message": message}


def test_a_recorded_session_gives_what_the_provider_reported(log, golden):
    truth = json.loads((golden / "usage" / "TRUTH.json").read_text(encoding="utf-8"))
    found = log.read("session", (golden / "usage" / "session.jsonl").read_bytes())
    assert log.total(found) == truth["totals"] | {"cost": pytest.approx(truth["cost"])}
    first = found[0]
    assert (first.model, first.provider, first.project) == ("fake-model", "fakeprov", "/home/USER/project")
    assert (first.session, first.time) == ("01a22d38-6a08-7774-8b81-2c9ab9260b91", 1796055002734)
    assert first.source == "host-reported"


def test_lines_that_come_later_belong_to_the_same_session(log):
    once = log.read("session", lines(HEADER, answer()))
    later = log.read("session", lines(answer("a2", 1_796_055_009_000)))
    assert {each.session for each in (*once, *later)} == {"s-1"} and later[0].project == "/home/ada/project"
    assert log.total(once, later)["requests"] == 2


def test_a_branch_that_was_left_was_paid_too(log):
    left, taken = answer("a1", 1), answer("a2", 2)
    left["parentId"] = taken["parentId"] = "root"
    assert log.total(log.read("session", lines(HEADER, left, taken)))["output"] == 102


def test_a_fork_that_copies_entries_counts_only_what_is_new(log):
    old = log.read("session", lines(HEADER, answer()), "/logs/2026-11-30T16-10_s-1.jsonl")
    fork = HEADER | {"id": "s-2", "parentSession": "/home/ada/.pi/agent/sessions/x/2026-11-30T16-10_s-1.jsonl"}
    new = log.read("session", lines(fork, answer(), answer("a2", 7_000)), "/logs/2026-11-30T17-10_s-2.jsonl")
    assert log.total(old, new) == log.total(old, new[1:]) and log.total(old, new)["requests"] == 2
    assert new[1].parent == "s-1"


def test_ids_are_short_so_the_same_one_in_another_session_is_another_answer(log):
    one = log.read("session", lines(HEADER, answer("a1", 1_000_000_000_000)), "/logs/1_s-1.jsonl")
    two = log.read("session", lines(HEADER | {"id": "s-2"}, answer("a1", 1_000_000_000_001)), "/logs/2_s-2.jsonl")
    assert log.total(one, two)["requests"] == 2


def test_what_else_asked_a_model_is_counted(log):
    entries = [
        HEADER,
        {"type": "model_change", "id": "c1", "provider": "p", "modelId": "m-0"},
        {
            "type": "usage",
            "id": "w1",
            "kind": "cache_warm",
            "provider": "q",
            "model": "m-9",
            "usage": USAGE,
            "timestamp": 1e12,
        },
        {"type": "compaction", "id": "k1", "usage": USAGE, "timestamp": "2026-11-30T16:10:03.048Z"},
        {"type": "branch_summary", "id": "b1", "usage": USAGE, "timestamp": "2026-11-30T16:10:04.048Z"},
        answer("t1", 5_000_000_000_000, "toolResult", toolName="task", model=None),
    ]
    found = log.read("session", lines(*entries))
    assert log.total(found)["requests"] == 4
    assert [(each.model, each.provider, each.agent) for each in found] == [
        ("m-9", "q", ""),
        ("m-0", "p", ""),
        ("m-0", "p", ""),
        ("", "p", "task"),
    ]


def test_a_write_for_an_hour_is_part_of_the_writes(log):
    usage = USAGE | {"cacheWrite": 100, "cacheWrite1h": 30}
    assert {"cache_write_5m": 70, "cache_write_1h": 30}.items() <= log.total(
        log.read("session", lines(HEADER, answer(usage=usage)))
    ).items()


def test_an_answer_that_cost_nothing_is_no_unit(log):
    nothing = {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0, "cost": {"total": 0}}
    assert log.read("session", lines(HEADER, answer(usage=nothing))) == []


@pytest.mark.parametrize(
    ("entries", "version"),
    [
        pytest.param([HEADER | {"version": 4}], "4", id="a header of a later format"),
        pytest.param([HEADER, *[answer(usage={"tokens": {"in": 1}})] * 3], "3", id="usage under other names"),
        pytest.param([HEADER, *[answer(usage=None)] * 3], "3", id="answers without usage"),
    ],
)
def test_a_format_that_was_never_seen_is_named(log, entries, version):
    with pytest.raises(UnknownFormat) as caught:
        log.read("session", lines(*entries))
    assert caught.value.version == version


def test_an_answer_that_broke_off_without_counts_hides_no_others(log):
    assert len(log.read("session", lines(HEADER, *[answer(usage=None)] * 2))) == 0
    assert len(log.read("session", lines(answer(), *[answer(usage=None)] * 9))) == 1


def test_the_file_is_named_after_the_session_when_its_header_is_cut(log):
    assert log.read("session", lines(answer()), "/logs/2026-11-30T16-10-02_s-9.jsonl")[0].session == "s-9"


def test_hostile_lines_are_passed_over(log):
    hostile = b'{"type":"session"\n\xff\xfe"usage"\n["usage"]\n"usage"\n' + b"[" * 9000 + b'"usage"\n'
    odd = {
        "type": ["usage"],
        "usage": {"input": -5, "output": 1e400, "cacheRead": "x", "cost": 3},
        "message": "m",
        "id": {},
    }
    found = log.read("session", hostile + lines(HEADER, odd, answer()).encode())
    assert log.total(found) == {
        "input": 301,
        "cache_read": 700,
        "output": 51,
        "reasoning": 7,
        "requests": 1,
        "cost": 0.5,
    }


@pytest.mark.parametrize(
    ("named", "places"),
    [
        ("/data/sessions", ["/data/sessions"]),
        ("~/sessions", ["/home/ada/sessions"]),
        (".pi/sessions", []),
        (7, []),
        ("", []),
    ],
)
def test_the_settings_may_name_another_folder(log, named, places):
    listed = log.facet.LISTS["settings"](json.dumps({"sessionDir": named}).encode(), Machine("/home/ada", "linux", {}))
    assert [each.folder for each in listed] == places
    assert log.read("settings", "{}") == []


def test_where_the_files_lie(log):
    assert log.places() == [
        ("/home/ada/.pi/agent/sessions", "**/*.jsonl", "session"),
        ("/home/ada/.pi/agent", "settings.json", "settings"),
    ]
    assert log.places("win32")[0][0] == "C:\\Users\\ada\\.pi\\agent\\sessions"
    moved = log.places(PI_CODING_AGENT_DIR="/data/pi", PI_CODING_AGENT_SESSION_DIR="/data/sessions")
    assert [each[0] for each in moved] == ["/data/sessions", "/data/pi/sessions", "/data/pi"]
