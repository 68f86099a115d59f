"""Pieces of server entries, references to variables, and evidence."""

import pytest

from agent_connector.hosts.dialects import evidence, interpolation, server_map, stream_json
from agent_connector.testing.host_samples import machine, server_use


@pytest.mark.parametrize(
    ("say", "bare", "default"),
    [
        (interpolation.dollar, "a ${X} b", "${X:-y}"),
        (interpolation.env_or_dollar, "a ${env:X} b", "${X:-y}"),
    ],
)
def test_references_in_a_hosts_words(say, bare, default):
    assert interpolation.spelled("a ${env:X} b", say) == bare
    assert interpolation.spelled_map({"k": "${env:X:-y}"}, say) == {"k": default}
    assert interpolation.spelled_list(["", "plain"], say) == ["", "plain"]


def test_a_text_that_is_one_reference():
    assert str(interpolation.only("${env:X:-y}")) == "${env:X:-y}"
    assert interpolation.only("a${env:X}") is None
    assert interpolation.only("") is None
    assert interpolation.has_reference("a${env:X}")
    assert not interpolation.has_reference("${X}")


def test_what_a_host_has_no_words_for_is_left_to_the_launcher():
    bare = interpolation.or_left(lambda name, default: f"<{name}>" if default is None else None)
    assert interpolation.spelled("${env:A} ${env:B:-c}", bare) == "<A> ${env:B:-c}"


def test_a_variable_that_is_set_to_itself_is_inherited():
    env = {"A": "${env:A}", "B": "${env:B:-x}", "C": "${env:A}", "D": "x${env:D}", "E": "literal"}
    assert set(server_map.inherited(env)) == {"C", "D", "E"}
    kept = server_map.inherited(env, lambda name, default: name if default is None else None)
    assert set(kept) == {"A", "C", "D", "E"}


def test_a_default_in_a_remote_entry_is_refused_where_the_host_knows_none():
    remote = server_use(transport="http", url="https://x/${env:A}", headers={"X": "${env:B:-c}"})
    assert "no default" in server_map.default_refused(remote, "Host").reason
    assert server_map.default_refused(server_use(args=("${env:B:-c}",)), "Host") is None
    assert server_map.default_refused(server_use(transport="sse", url="https://x/${env:A}"), "Host") is None


def test_empty_parts_of_an_entry_are_left_out():
    assert server_map.stdio(server_use(command="c", args=()), interpolation.dollar) == {"command": "c"}
    remote = server_use(transport="http", url="https://x")
    assert server_map.remote(remote, interpolation.dollar) == {"url": "https://x"}


@pytest.mark.parametrize("text", ["${HOME}", "x ${env:X} ${", "${env:}"])
def test_what_a_host_would_expand_is_refused_wherever_it_stands(text):
    for fields in ({"args": (text,)}, {"env": {"A": text}}, {"command": text}, {"cwd": text}):
        assert server_map.expanded_refused(server_use(**fields), "Host")
    assert server_map.expanded_refused(server_use(transport="http", headers={"A": text}), "Host")
    assert server_map.expanded_refused(server_use(args=("$HOME", "{x}", "${env:X}")), "Host") is None


def test_evidence_is_as_strong_as_its_strongest_part():
    full = machine(exists={"/a", "/b"}.__contains__)
    assert evidence.evidence(full, ("p",), (("/a", 0.8), ("/b", 0.5), ("/c", 0.9))) == {
        "confidence": 0.8,
        "found": ["/a", "/b"],
        "program": None,
    }
    assert evidence.evidence(machine(), ("p",), (("/a", 0.5),)) is None


def test_lines_of_a_stream():
    assert stream_json.record('{"a": 1}') == {"a": 1}
    assert [dict(stream_json.record(line)) for line in ("", "x", "[1]", "3", "{", '{"a":' * 99_999)] == [{}] * 6
    assert list(stream_json.rows([{"a": 1}, 2])) == [{"a": 1}]
    assert list(stream_json.rows({"a": 1})) == []
    assert (stream_json.number(3), stream_json.number("3"), stream_json.number(None)) == (3, 0, 0)
