"""How many tokens a text is, and how sure that number is.

`o200k_base` is what GPT models use, so for them the count is exact; for the other families it is near, and nearer
once a person has calibrated it. Where `tiktoken` is missing, four characters (less for dense text) are a token.
"""

import re
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

EXACT, CALIBRATED, APPROX, HEURISTIC = "tokenizer-exact", "tokenizer-calibrated", "tokenizer-approx", "heuristic"
SURENESS = (EXACT, CALIBRATED, APPROX, HEURISTIC)  # best first; a sum is as sure as its weakest part

PIECE = 1 << 16
_RANKS = Path(__file__).parent / "data" / "o200k_base.zlib"
_SPECIAL = {"<|endoftext|>": 199999, "<|endofprompt|>": 200018}
# A letter or digit before ASCII punctuation, a blank or a line end (no apostrophe: "don't") always ends a word of
# the encoding, so a text that is cut there has the same tokens in its two parts. The same holds for some full-width
# punctuation. Combining marks and letters of every script are kept together.
_SEAM = re.compile(r"(?<=[^\W_])(?=[\x00-\x26\x28-\x2f\x3a-\x40\x5b-\x60\x7b-\x7f。，、！？；：「」『』（）《》…—])")  # noqa: RUF001
_DENSE = re.compile(r"[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]")
_CODE = frozenset("{}[]()<>;:=\"'\\/|&*+-_#$%@,.0123456789")


@dataclass(frozen=True, slots=True)
class Count:
    """A number of tokens and its source."""

    tokens: int
    source: str

    def __add__(self, other: "Count") -> "Count":
        return Count(self.tokens + other.tokens, max(self.source, other.source, key=SURENESS.index))


NOTHING = Count(0, EXACT)


@dataclass
class Counter:
    """Counts texts for a model family. `encode` is None where no tokenizer can be had.

    `heard`, where it is set, is told each text that was counted with another family's tokenizer, and its raw count.
    """

    encode: Callable[[str], list[int]] | None
    factors: Mapping[str, float] = field(default_factory=dict[str, float])
    heard: Callable[[str, str, int], object] | None = None

    def text(self, text: str, family: str) -> Count:
        """The tokens of `text` in a model of `family` ("gpt", "claude", "gemini", "" when unknown)."""
        if not text:
            return NOTHING
        if self.encode is None:
            return Count(guess(text), HEURISTIC)
        tokens, exact = 0, True
        for piece, clean in pieces(text):
            tokens += len(self.encode(sound(piece)))
            exact = exact and clean
        if family == "gpt" and exact:
            return Count(tokens, EXACT)
        if self.heard is not None:
            self.heard(family, text, tokens)
        if family in self.factors:
            return Count(round(tokens * self.factors[family]), CALIBRATED)
        return Count(tokens, APPROX)


def load(factors: Mapping[str, float] | None = None) -> Counter:
    """A counter with the tokenizer, or with the heuristic where `tiktoken` is not installed."""
    try:
        import tiktoken
    except ImportError:
        return Counter(None, factors or {})
    encoding = tiktoken.Encoding(
        "o200k_base", pat_str=_pattern(), mergeable_ranks=ranks(), special_tokens=dict(_SPECIAL)
    )
    return Counter(encoding.encode_ordinary, factors or {})


def heuristic() -> Counter:
    """A counter that loads nothing."""
    return Counter(None)


def ranks() -> dict[bytes, int]:
    """Token -> rank, from the data shipped with the package."""
    data = zlib.decompress(_RANKS.read_bytes())
    table: dict[bytes, int] = {}
    start, end = 0, len(data)
    while start < end:
        after = start + 1 + data[start]
        table[data[start + 1 : after]] = len(table)
        start = after
    return table


def _pattern() -> str:
    """The encoding's own way to cut words, written with the classes it names."""
    lower = r"\p{Ll}\p{Lm}\p{Lo}\p{M}"
    upper = r"\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}"
    before, after = r"[^\r\n\p{L}\p{N}]?", r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
    words = f"{before}[{upper}]*[{lower}]+{after}|{before}[{upper}]+[{lower}]*{after}"
    return words + r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"


def pieces(text: str) -> Iterator[tuple[str, bool]]:
    """Parts of at most `PIECE` characters; the flag says whether the cut behind a part leaves its tokens as they are.

    The tokenizer fails on a megabyte of blanks and is slow on long runs, so those are cut wherever it must be.
    """
    start = 0
    while len(text) - start > PIECE:
        seam = 0
        window = text[start : start + PIECE + 1]
        for near in (PIECE - 256, PIECE // 2):
            seam = max((found.start() for found in _SEAM.finditer(window, near)), default=0)
            if seam:
                break
        cut = start + (seam or PIECE)
        yield text[start:cut], bool(seam)
        start = cut
    yield text[start:], True


def sound(text: str) -> str:
    """`text` with lone surrogates replaced, as the tokenizer itself does; pairs are joined."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def guess(text: str) -> int:
    """Tokens by type of content: four characters of prose, three of code and JSON, one and a half of dense scripts."""
    dense = len(_DENSE.findall(text)) if not text.isascii() else 0
    rest = len(text) - dense
    sample = text[:256]
    code = sum(c in _CODE for c in sample) > len(sample) * 0.2
    return -(-dense * 2 // 3) + -(-rest // (3 if code else 4))
