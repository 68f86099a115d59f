"""What looks like the value of a secret and is none: placeholders, words, names of other things, numbers."""

import string
from collections.abc import Callable

WORDS = frozenset(
    b"true false null none nil undefined str string int integer bool boolean bytes any object optional required empty hidden masked "
    b"redacted secret password token yes no on off env default auto self this example changeme placeholder".split()
)
_OPENINGS = (
    b"[redacted:",
    b"${",
    b"$(",
    b"{{",
    b"<",
    b"%(",
    b"%{",
    b"***",
    b"...",
    b"xxx",
    b"XXX",
    b"os.",
    b"process.env",
    b"env.",
)
_LETTERS = frozenset(string.ascii_letters.encode())
_WORD = _LETTERS | frozenset(b"_-.")
_DIGITS = frozenset(string.digits.encode())
Spared = Callable[[bytes, bytes], bool]


def placeholder(_: bytes, value: bytes) -> bool:
    """A reference, a form to fill in, or a word of a language."""
    bare = value.strip(b".,:;")
    if not bare or bare.lower() in WORDS or bare.startswith(_OPENINGS):
        return True
    return (bare[:1] in (b"$", b"%") and bare[1:].strip(b"%").replace(b"_", b"").isalpha()) or len(set(bare)) == 1


def word(before: bytes, value: bytes) -> bool:
    """Beside placeholders: nothing but letters and joints, as names have them, or a call of something."""
    return placeholder(before, value) or (len(value) < 24 and _WORD.issuperset(value.strip(b".,:;?!"))) or b"(" in value


def scheme(before: bytes, value: bytes) -> bool:
    """Beside words: the name of a way to authorize that has digits in it."""
    return word(before, value) or value.lower().startswith(b"aws4-")


def name(before: bytes, value: bytes) -> bool:
    """Beside words: numbers and what is short."""
    return word(before, value) or len(value) < 6 or _DIGITS.issuperset(value.strip(b".,:;"))


def code(before: bytes, value: bytes) -> bool:
    """Beside placeholders: a call, a path of attributes, the word it is assigned to."""
    if placeholder(before, value) or b"(" in value:
        return True
    bare = value.strip(b".,:;)]}")
    dotted = b"." in bare and _WORD.issuperset(bare)
    return dotted or (bool(bare) and bare.lower() in before.lower())


def prose(before: bytes, value: bytes) -> bool:
    """Beside code: a word of a sentence, after a colon and a blank; a type; a name assigned with blanks around the sign."""
    return code(before, value) or (before[-1:] in b" \t" and _LETTERS.issuperset(value.strip(b".,:;?!_)]}")))


def port(before: bytes, value: bytes) -> bool:
    """In an address: a placeholder, or a port and a path up to a later `@`."""
    digits = value.partition(b"/")[0]
    return placeholder(before, value) or (b"/" in value and _DIGITS.issuperset(digits))


def user(before: bytes, value: bytes) -> bool:
    """After a user's name and a colon: a number (user and group), or the same name again."""
    account = before.rstrip(b":").replace(b'"', b" ").replace(b"'", b" ").replace(b"=", b" ").split(b" ")[-1]
    return placeholder(before, value) or _DIGITS.issuperset(value) or value == account


def undigited(before: bytes, value: bytes) -> bool:
    """No digit in it: words joined by signs."""
    return placeholder(before, value) or not _DIGITS.intersection(value)
