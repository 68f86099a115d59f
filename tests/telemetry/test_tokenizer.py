"""The tokenizer against tiktoken itself, and the labels that say how sure a number is."""

import base64
import hashlib

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tiktoken_ext import openai_public

from agent_connector.telemetry import tokenizer
from agent_connector.telemetry.tokenizer import APPROX, CALIBRATED, EXACT, HEURISTIC, Count, Counter

EXPECTED = "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d"


def test_the_shipped_ranks_are_those_that_tiktoken_expects() -> None:
    lines = b"".join(b"%s %d\n" % (base64.b64encode(token), rank) for token, rank in tokenizer.ranks().items())
    assert hashlib.sha256(lines).hexdigest() == EXPECTED


def test_words_are_cut_as_tiktoken_cuts_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openai_public, "load_tiktoken_bpe", lambda *given, **more: {})
    assert openai_public.o200k_base()["pat_str"] == tokenizer._pattern()  # pyright: ignore[reportPrivateUsage]
    assert openai_public.o200k_base()["special_tokens"] == tokenizer._SPECIAL  # pyright: ignore[reportPrivateUsage]


@pytest.mark.parametrize(
    ("text", "tokens"),
    [("", 0), ("hello world", 2), ("tiktoken is great!", 6), ("<|endoftext|>", 7), ("\ud83d\ude00", 1), ("\ud800", 1)],
)
def test_known_texts(counter: Counter, text: str, tokens: int) -> None:
    assert counter.text(text, "gpt") == Count(tokens, EXACT)


PARTS = [
    "foo",
    "don't",
    "X'LL",
    "é",
    "e\u0301",
    "日本語",
    "。",
    "A1",
    "1234567",
    "\n\n",
    "\r\n",
    '{"a": [1,2]}',
    "==",
    "/*",
    "\t",
    "   ",
    "\u017f",
    "½",
    "😀",
    "-",
    "'",
    "_",
]


@settings(deadline=None)
@example(parts=["don't"] * 60, size=33)
@example(parts=["e\u0301"] * 60, size=33)
@given(parts=st.lists(st.sampled_from(PARTS), min_size=1, max_size=400), size=st.integers(8, 400))
def test_a_text_cut_at_seams_has_the_tokens_of_the_whole(counter: Counter, parts: list[str], size: int) -> None:
    text = "".join(parts)
    before, tokenizer.PIECE = tokenizer.PIECE, size
    try:
        cut = list(tokenizer.pieces(text))
    finally:
        tokenizer.PIECE = before
    assert "".join(piece for piece, _ in cut) == text
    assert all(len(piece) <= size for piece, _ in cut)
    if all(clean for _, clean in cut):
        encode = counter.encode
        assert encode
        assert sum(len(encode(piece)) for piece, _ in cut) == len(encode(text))


@pytest.mark.parametrize("run", [" ", "a", "\n", "=", "é", "\u0301", "日", "ab" * 7])
def test_a_megabyte_of_one_thing_is_counted_and_labelled(counter: Counter, run: str) -> None:
    count = counter.text(run * (1_000_000 // len(run)), "gpt")
    assert 0 < count.tokens <= 2_000_000
    assert count.source == APPROX


def test_a_long_text_is_exact(counter: Counter) -> None:
    text = "The quick brown fox doesn't jump; it counts 12345 tokens.\n" * 20_000
    encode = counter.encode
    assert encode
    assert counter.text(text, "gpt") == Count(len(encode(text)), EXACT)


@settings(deadline=None)
@given(text=st.text(alphabet=st.characters(), max_size=80))
def test_any_text_is_counted_as_tiktoken_would(counter: Counter, text: str) -> None:
    encode = counter.encode
    assert encode
    sound = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    assert counter.text(text, "gpt").tokens == len(encode(sound))


def test_labels_say_how_sure_a_number_is(counter: Counter) -> None:
    assert counter.text("hello world", "gpt").source == EXACT
    assert counter.text("hello world", "claude").source == APPROX
    assert counter.text("hello world", "").source == APPROX
    calibrated = Counter(counter.encode, {"claude": 1.5})
    assert calibrated.text("hello world", "claude") == Count(3, CALIBRATED)
    assert calibrated.text("hello world", "gpt") == Count(2, EXACT)
    assert tokenizer.heuristic().text("hello world", "gpt") == Count(3, HEURISTIC)


def test_a_sum_is_as_sure_as_its_weakest_part() -> None:
    assert Count(1, EXACT) + Count(2, HEURISTIC) == Count(3, HEURISTIC)
    assert Count(1, APPROX) + Count(2, EXACT) == Count(3, APPROX)


def test_the_heuristic_knows_prose_code_and_dense_scripts(counter: Counter) -> None:
    for text in ("Plain words of prose, one after another, as people write them. " * 50,
                 '{"id":17,"values":[1,2,3],"name":"x_1"},' * 50, "日本語の文章を数えるとこうなります。" * 50):  # fmt: skip
        real, guessed = counter.text(text, "gpt").tokens, tokenizer.guess(text)
        assert real / 2 < guessed < real * 2, text[:20]


def test_without_tiktoken_everything_is_the_labelled_heuristic(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "tiktoken", None)
    assert tokenizer.load().text("x" * 400, "gpt") == Count(100, HEURISTIC)
