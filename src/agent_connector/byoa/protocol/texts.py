"""Text of others, made safe to show in a terminal and to send as UTF-8."""

KEPT = "\n\t"
BIDI = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
CONTROLS = (*map(chr, range(0x20)), *map(chr, range(0x7F, 0xA0)), *BIDI, "\u2028", "\u2029")
# a table, since an app may send megabytes of it
REMOVED = {ord(letter): None for letter in CONTROLS if letter not in KEPT}


def clean(text: str) -> str:
    """An app's text without control, bidi and half characters; line breaks become plain ones."""
    if text.isascii() and text.isprintable():
        return text
    plain = text.replace("\r\n", "\n").replace("\r", "\n").encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return plain.translate(REMOVED)


def whole(text: str) -> str:
    """`text` with halves of surrogate pairs joined where they meet and replaced where they stand alone."""
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
