"""Text of others, made safe to show in a terminal and to send as UTF-8."""

KEPT = "\n\t"
BIDI = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def clean(text: str) -> str:
    """An app's text without control, bidi and half characters; line breaks become plain ones."""
    if text.isascii() and text.isprintable():
        return text
    plain = text.replace("\r\n", "\n").replace("\r", "\n").encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return "".join(letter for letter in plain if letter in KEPT or not _control(letter))


def _control(letter: str) -> bool:
    return letter < " " or "\x7f" <= letter <= "\x9f" or letter in BIDI or letter in "\u2028\u2029"


def whole(text: str) -> str:
    """`text` with halves of surrogate pairs joined where they meet and replaced where they stand alone."""
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
