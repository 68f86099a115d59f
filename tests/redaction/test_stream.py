"""A stream in pieces is the text as a whole, and holds little back."""

import itertools
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_connector.redaction import Redactor

LIVE = ("hunter2/with+signs & more", "aaaaaaaab", "aaaaaaaa", "pässwörd-ünï")
REDACTOR = Redactor(LIVE)


def streamed(redactor: Redactor, pieces: list[str]) -> str:
    """What comes out of a stream; what it holds is within its bound after each piece."""
    stream, out = redactor.stream(), []
    for piece in pieces:
        out.append(stream.feed(piece))
        assert stream.held <= redactor.bound
    return "".join([*out, stream.close()])


def cut(text: str, places: list[int]) -> list[str]:
    edges = [0, *sorted(place % (len(text) + 1) for place in places), len(text)]
    return [text[left:right] for left, right in itertools.pairwise(edges)]


def test_a_cut_at_any_place_changes_nothing(cases) -> None:
    redactor = Redactor()
    for number, (text, wanted) in enumerate(cases.hidden()):
        for place in range(number % 23, len(text) + 1, 23):
            assert streamed(redactor, [text[:place], text[place:]]) == wanted, (text[:place], text[place:])


@pytest.mark.soak
def test_every_case_cut_at_every_place(cases) -> None:
    redactor = Redactor(LIVE)
    for text, wanted in [*cases.hidden(), *((text, text) for text in cases.plain())]:
        for place in range(len(text) + 1):
            assert streamed(redactor, [text[:place], text[place:]]) == wanted, (text[:place], text[place:])


def test_what_went_out_before_still_counts(cases) -> None:
    """A letter before a key makes it a part of a word, wherever the cut is."""
    redactor = Redactor()
    for text, _ in cases.hidden()[::4]:
        assert streamed(redactor, ["zzzzzzzz", text]) == redactor.text("zzzzzzzz" + text)
    key = "ghp_" + "x" * 36
    assert streamed(redactor, ["zzzzzzzz", key]) == "zzzzzzzz" + key


def test_one_character_at_a_time_changes_nothing(cases) -> None:
    redactor = Redactor()
    for text, wanted in cases.hidden()[::12]:
        assert streamed(redactor, list(text)) == wanted
    for text in cases.plain()[::12]:
        assert streamed(redactor, list(text)) == text


@pytest.fixture(scope="module")
def scraps(cases) -> list[str]:
    """Pieces of cases, cut where it hurts."""
    chance = random.Random(7)
    whole = [text for text, _ in cases.hidden()] + cases.plain() + list(LIVE) + ["hunter2%2Fwith%2Bsigns%20%26%20more"]
    return (
        whole
        + [text[: chance.randrange(1, len(text) + 1)] for text in whole]
        + [text[-chance.randrange(1, len(text) + 1) :] for text in whole]
    )


@given(data=st.data())
@settings(max_examples=100, deadline=None)
def test_any_text_in_any_pieces(scraps: list[str], data: st.DataObject) -> None:
    signs = st.sampled_from(
        ["\n", " ", '"', "\\", "'", "=", ": ", "-----", "→", "é", "password", "token=", "a", "://u:", "@", "[redacted:"]
    )
    parts = data.draw(st.lists(st.one_of(st.sampled_from(scraps), signs, st.text(max_size=8)), max_size=8))
    text = "".join(parts)
    places = data.draw(st.lists(st.integers(0, max(1, len(text))), max_size=12))
    assert streamed(REDACTOR, cut(text, places)) == REDACTOR.text(text)


@pytest.mark.parametrize(
    ("start", "piece", "mark"),
    [
        ("-----BEGIN RSA PRIVATE KEY-----\n", "MIIEpAIBAAKCAQEA" * 4 + "\n", "[redacted:private-key]"),
        ("xoxb-1234567890-", "1234567890abcdef" * 4, "[redacted:slack]"),
        ('"password": "', "all of this is one password ", '"password": "[redacted:password]'),
        ("Cookie: a=", "b; c=d; e=f ", "Cookie: [redacted:cookie]"),
    ],
)
def test_a_secret_without_an_end_is_swallowed_and_not_kept(start: str, piece: str, mark: str) -> None:
    assert streamed(REDACTOR, [start, *itertools.repeat(piece, 300)]) == mark


def test_what_follows_a_key_without_its_end_is_shown_again() -> None:
    text = "-----BEGIN PRIVATE KEY-----\nMIIabc\n}; next line"
    assert REDACTOR.text(text) == "[redacted:private-key]}; next line"


def test_a_line_goes_out_at_once() -> None:
    stream = REDACTOR.stream()
    assert stream.feed("ran 12 tests in 3 files\n") == "ran 12 tests in 3 files\n"
    assert stream.feed("token=abc123def") == ""
    assert stream.feed("456\nnext\n") == "token=[redacted:token]\nnext\n"


@pytest.mark.parametrize(
    "piece", ["token", "password=", "://a:", "eyJ", "secret_key_base_", "\\", "sk-", "a" * 30 + ".", "--a-"]
)
def test_hostile_text_comes_through_in_one_pass(piece: str) -> None:
    """What makes other engines try again and again; nothing here is held, and all of it comes out or is hidden."""
    text = piece * (100_000 // len(piece))
    pieces = [text[start : start + 4096] for start in range(0, len(text), 4096)]
    assert streamed(REDACTOR, pieces) == REDACTOR.text(text)
