"""Text of others without what steers instead of being read: escapes, direction marks, characters that are not seen. Pure."""

import re
import unicodedata

# Escape sequences whole (CSI, strings such as OSC with their end, two-character ones), so that no "[31m" stays behind.
_ESCAPES = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?"
    r"|(?:\x1b[P\]X^_]|[\x90\x9d\x98\x9e\x9f])[^\x07\x1b\x9c\n]{0,4096}(?:\x07|\x1b\\|\x9c)?"
    r"|\x1b[ -/]*[0-~]?"
)
_LINES = re.compile(
    "\r\n?|[\x0b\x0c\x85\u2028\u2029]|(?:\x1c|\x1d|\x1e)"
)  # whatever some program takes for a line's end
_SELECTORS = re.compile("(?<![\ufe0e\ufe0f])[\ufe0e\ufe0f]")  # one after a character is how emoji are written
_UNSEEN = {  # shown as nothing although they are letters or marks
    *"\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180e\u180f\u2800\u3164\uffa0\ufff9\ufffa\ufffb",
    *map(chr, range(0xFE00, 0xFE10)),
    *map(chr, range(0xE0000, 0xE1000)),
}


def plain(text: str) -> tuple[str, int]:
    """`text` with line breaks as `\\n` and nothing unseen in it, and how many characters were taken out."""
    text = _LINES.sub("\n", text)
    if text.isascii() and text.replace("\n", " ").replace("\t", " ").isprintable():
        return text, 0
    shown = _ESCAPES.sub("", text)
    kept = "".join(map(_shown, shown, (False, *map(_selects, shown))))
    return kept, len(text) - len(kept)


def _selects(character: str) -> bool:
    return character in "\ufe0e\ufe0f"


def _shown(character: str, after_selector: bool) -> str:
    if character in "\n\t":
        return character
    if _selects(character):
        return "" if after_selector else character
    if character in _UNSEEN:
        return ""
    kind = unicodedata.category(character)
    if kind == "Cs":
        return "\ufffd"  # half a character: no program can be given it
    return "" if kind in ("Cc", "Cf") else character
