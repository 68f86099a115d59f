"""Words of a command as the shell would make them: quoting undone, braces spread, the tilde and known variables filled in.

What is only known when the command runs stands as one UNKNOWN letter in the text; whoever needs to know it denies.
"""

from agent_connector.worker.guard.values import No

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

UNKNOWN = "\ufffc"
MOST = 64  # words that braces may make of one
_ESCAPES = {"n": "\n", "t": "\t", "a": "\a", "b": "\b", "e": "\x1b", "E": "\x1b", "f": "\f", "r": "\r", "v": "\v"}
_OCTAL, _HEX = "01234567", "0123456789abcdefABCDEF"
_HEX_LENGTH = {"x": 2, "u": 4, "U": 8}

Piece = tuple[str, bool]  # a text, and whether it was quoted


class Word:
    """One word. `text` is what it becomes; `glob`: a pattern for file names; `split`: it may become none or several."""

    __slots__ = ("glob", "quoted", "split", "text")

    def __init__(self, text: str, *, glob: bool = False, split: bool = False, quoted: bool = False) -> None:
        self.text = text
        self.glob = glob
        self.split = split
        self.quoted = quoted

    @property
    def known(self) -> bool:
        """It is this text and no other."""
        return UNKNOWN not in self.text and not self.glob and not self.split

    def __repr__(self) -> str:
        return f"Word({self.text!r})"


def plain(texts: "list[str] | tuple[str, ...]") -> list[Word]:
    return [Word(text) for text in texts]


def made(pieces: list[Piece], home: str) -> "list[Word]":
    """The words that an unexpanded word becomes."""
    letters = [(letter, quoted) for text, quoted in pieces for letter in text]
    spread = list(_spread(letters)) if ("{", False) in letters else [letters]
    if len(spread) > 1 and not all(spread):
        raise No("syntax", "braces with nothing in them: the shell drops such a word")
    return [_word(one, home, any(quoted for _, quoted in pieces)) for one in spread]


def _word(letters: list[tuple[str, bool]], home: str, quoted: bool) -> Word:
    text = "".join(letter for letter, _ in letters)
    bare = {letter for letter, is_quoted in letters if not is_quoted}
    if letters and letters[0] == ("~", False):
        text = _tilde(letters, home) + text[_slash(text) :]
    return Word(text, glob=bool(bare & set("*?[")), split=UNKNOWN in bare, quoted=quoted)


def _slash(text: str) -> int:
    found = text.find("/")
    return len(text) if found < 0 else found


def _tilde(letters: list[tuple[str, bool]], home: str) -> str:
    name = letters[: _slash("".join(letter for letter, _ in letters))]
    if any(quoted for _, quoted in name):
        return "".join(letter for letter, _ in name)
    return home if len(name) == 1 else UNKNOWN  # another person's home, the last folder ...


# ---- braces


def _spread(letters: list[tuple[str, bool]], budget: "list[int] | None" = None) -> "Iterator[list[tuple[str, bool]]]":
    budget = [MOST] if budget is None else budget
    found = _braces(letters)
    if found is None:
        budget[0] -= 1
        if budget[0] < 0:
            raise No("too-long", "braces in it make too many words")
        yield letters
        return
    start, end, parts = found
    for part in parts:
        yield from _spread([*letters[:start], *part, *letters[end + 1 :]], budget)


def _braces(letters: list[tuple[str, bool]]) -> "tuple[int, int, list[list[tuple[str, bool]]]] | None":
    """The first braces that the shell would spread: where they are, and what they hold."""
    opened: list[int] = []
    commas: list[list[int]] = []
    best: tuple[int, int, list[list[tuple[str, bool]]]] | None = None
    for at, letter in enumerate(letters):
        if letter == ("{", False):
            opened.append(at)
            commas.append([])
        elif letter == (",", False) and opened:
            commas[-1].append(at)
        elif letter == ("}", False) and opened:
            start, cuts = opened.pop(), commas.pop()
            parts = _parts(letters, start, at, cuts)
            if parts and (best is None or start < best[0]):
                best = start, at, parts
    return best


def _parts(letters: list[tuple[str, bool]], start: int, end: int, cuts: list[int]) -> list[list[tuple[str, bool]]]:
    if cuts:
        edges = [start, *cuts, end]
        return [letters[edges[i] + 1 : edges[i + 1]] for i in range(len(edges) - 1)]
    text = "".join(letter for letter, _ in letters[start + 1 : end])
    if ".." not in text:
        return []
    return [[(letter, False) for letter in one] for one in _range(text)]


def _range(text: str) -> list[str]:
    """`1..4` and `a..d`; what has a step or zeros in front is not worth knowing."""
    first, _, last = text.partition("..")
    if len(first) == 1 and len(last) == 1 and first.isascii() and last.isascii() and (first + last).isalpha():
        low, high = sorted((ord(first), ord(last)))
        return [chr(code) for code in range(low, high + 1)]
    if not (_number(first) and _number(last)):
        raise No("syntax", f"the braces {{{text}}} are not understood")
    low, high = sorted((int(first), int(last)))
    if high - low > MOST:
        raise No("too-long", f"the braces {{{text}}} make too many words")
    return [str(number) for number in range(low, high + 1)]


def _number(text: str) -> bool:
    digits = text.removeprefix("-")
    return digits.isascii() and digits.isdigit() and len(digits) < 7 and (digits == "0" or digits[0] != "0")


# ---- quotes


def unescaped(text: str) -> list[Piece]:
    """Text outside quotes: a letter after a backslash is quoted."""
    pieces: list[Piece] = []
    parts = text.split("\\")
    if parts[0]:
        pieces.append((parts[0], False))
    after = iter(parts[1:])
    for part in after:
        if not part:  # two backslashes in a row
            pieces.append(("\\", True))
            if rest := next(after, ""):
                pieces.append((rest, False))
            continue
        pieces.append((part[0], True))
        if part[1:]:
            pieces.append((part[1:], False))
    return pieces


def in_double(text: str) -> str:
    """Text within double quotes: a backslash counts before few letters only."""
    if "\\" not in text:
        return text
    out: list[str] = []
    at = 0
    while at < len(text):
        letter = text[at]
        if letter == "\\" and text[at + 1 : at + 2] in ("$", "`", '"', "\\", "\n"):
            out.append("" if text[at + 1] == "\n" else text[at + 1])
            at += 2
            continue
        out.append(letter)
        at += 1
    return "".join(out)


def in_ansi(text: str) -> str:
    r"""Text within $'...': \n, \x67, \147, \u0067 and the like."""
    out: list[str] = []
    at = 0
    while at < len(text):
        if text[at] != "\\":
            out.append(text[at])
            at += 1
            continue
        letter, size = _ansi(text, at + 1)
        out.append(letter)
        at += 1 + size
    return "".join(out)


def _ansi(text: str, at: int) -> tuple[str, int]:
    kind = text[at : at + 1]
    if kind in _ESCAPES and kind:
        return _ESCAPES[kind], 1
    if kind in ("\\", "'", '"', "?"):
        return kind, 1
    if kind in _HEX_LENGTH:
        digits = _run(text, at + 1, _HEX, _HEX_LENGTH[kind])
        return _code(digits, 16, kind != "x"), 1 + len(digits)
    if kind and kind in _OCTAL:
        digits = _run(text, at, _OCTAL, 3)
        return _code(digits, 8, False), len(digits)
    raise No("syntax", f"the escape \\{kind} in $'...' is not understood")


def _run(text: str, at: int, letters: str, most: int) -> str:
    end = at
    while end < len(text) and end - at < most and text[end] in letters:
        end += 1
    return text[at:end]


def _code(digits: str, base: int, wide: bool) -> str:
    code = int(digits, base) if digits else 0
    if not 0 < code < (0x110000 if wide else 0x80) or 0xD800 <= code < 0xE000:
        raise No("syntax", "a $'...' holds a letter that is not understood")
    return chr(code)
