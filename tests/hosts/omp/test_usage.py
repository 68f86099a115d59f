"""What Oh My Pi's session files say of its model calls."""

import json

TITLE = {"type": "title", "title": "", "pad": " " * 200}
HEADER = {"type": "session", "version": 3, "id": "s-1", "cwd": "/home/ada/project"}
USAGE = {"input": 301, "output": 51, "cacheRead": 700, "cacheWrite": 0, "reasoningTokens": 7, "cost": {"total": 0.5}}


def lines(*entries):
    return "".join(json.dumps(each, separators=(",", ":")) + "\n" for each in entries)


def answer(entry="a1", time=1_796_055_002_734, usage=USAGE):
    message = {"role": "assistant", "model": "m-1", "provider": "p", "usage": usage, "timestamp": time}
    return {"type": "message", "id": entry, "timestamp": "2026-11-30T16:10:03.048Z", "message": message}


def test_the_title_before_the_header_hides_nothing(log):
    found = log.read("session", lines(TITLE, HEADER, answer()))
    assert log.total(found) == {
        "input": 301,
        "cache_read": 700,
        "output": 51,
        "reasoning": 7,
        "requests": 1,
        "cost": 0.5,
    }
    assert (found[0].session, found[0].project, found[0].cost) == ("s-1", "/home/ada/project", 0.5)


def test_a_file_from_before_there_was_a_title(log):
    assert log.total(log.read("session", lines(HEADER, answer())))["requests"] == 1


def test_a_fork_gives_its_copies_new_ids_and_they_count_once(log):
    old = log.read("session", lines(TITLE, HEADER, answer()), "/logs/1_s-1.jsonl")
    fork = HEADER | {"id": "s-2", "parentSession": "s-1"}
    new = log.read("session", lines(TITLE, fork, answer("copy"), answer("new", 9_000)), "/logs/2_s-2.jsonl")
    assert log.total(old, new)["requests"] == 2 and new[0].parent == "s-1"


def test_two_answers_of_one_moment_are_told_apart_by_their_counts(log):
    other = USAGE | {"input": 9}
    assert log.total(log.read("session", lines(HEADER, answer("a"), answer("b", usage=other))))["requests"] == 2


def test_a_transcript_beside_its_session_is_a_subagent_s(log):
    path = "/home/ada/.omp/agent/sessions/-project/2026-11-30T16-10-02-123Z_s-1/2-Explore.jsonl"
    record = log.read("session", lines(TITLE, HEADER | {"id": "s-7"}, answer()), path)[0]
    assert (record.session, record.parent, record.agent) == ("s-7", "s-1", "subagent")
    plain = log.read("session", lines(HEADER, answer()), "/home/ada/.omp/agent/sessions/-my_project/1_s-1.jsonl")[0]
    assert (plain.parent, plain.agent) == ("", "")


def test_hostile_lines_are_passed_over(log):
    assert (
        log.read("session", b'\xff"usage"\n{"type":"message","message":[],"usage":7}\n{"message":{"usage":"x"}}\n')
        == []
    )


def test_where_the_files_lie(log):
    assert log.places()[0] == ("/home/ada/.omp/agent/sessions", "**/*.jsonl", "session")
    assert log.places()[1] == ("/home/ada/.omp/profiles", "*/agent/sessions/**/*.jsonl", "session")
    assert log.places("win32", PI_CONFIG_DIR=".omp2")[0][0] == "C:\\Users\\ada\\.omp2\\agent\\sessions"
    assert log.places(PI_CODING_AGENT_DIR="/data/omp")[0][0] == "/data/omp/sessions"
