"""References to the environment: found, kept, spelled again and resolved."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_connector.connector.interpolation import Reference, broken, parse, references, render, resolve

TEXT = st.lists(
    st.sampled_from(["${env:A}", "${env:B_1:-x y}", "${env:C:-}", "${A}", "$", "{", "}", "a", "${env:", " "])
)


@given(TEXT)
def test_pieces_joined_are_the_text(parts):
    text = "".join(parts)
    assert "".join(str(piece) for piece in parse(text)) == text


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("${env:DSN}", [Reference("DSN", None)]),
        ("pre ${env:A:-1}/${env:B:-}", ["pre ", Reference("A", "1"), "/", Reference("B", "")]),
        ("${A} $B", ["${A} $B"]),
        ("${env:9X}", ["${env:9X}"]),
    ],
)
def test_only_our_own_spelling_is_a_reference(text, pieces):
    assert parse(text) == pieces


def test_a_reference_is_spelled_in_the_hosts_words():
    assert render("a ${env:X:-1} b", lambda name, default: f"<{name}={default}>") == "a <X=1> b"
    assert render("${env:X}", lambda name, default: None) is None


def test_a_missing_variable_is_its_default_or_nothing():
    assert resolve("${env:A}-${env:B:-two}-${env:C}", {"A": "1", "C": ""}) == "1-two-"


def test_a_reference_with_a_wrong_name_is_broken():
    assert broken("x ${env:1A} y") == "${env:1A} y"
    assert broken("${env:A} ${B}") is None


def test_references_of_a_whole_server_each_once():
    server = {"args": ["${env:A}", "${env:B:-1}"], "env": {"X": "${env:A}"}, "timeout": 3}
    assert references(server) == [("A", None), ("B", "1")]
