"""The three strictnesses of JSON as tables of patterns: strict, with comments (JSONC), and JSON5.

Every repetition is possessive: a hostile text costs linear time and no backtracking.
"""

import re
from dataclasses import dataclass

_STRING = r'"(?:[^"\\]++|\\.)*+"'
_SINGLE = r"'(?:[^'\\]++|\\.)*+'"
_BLOCK = r"/\*(?:[^*]++|\*(?!/))*+\*/"
_SPACE = r"\t\n\r "
_SPACE5 = _SPACE + "\x0b\x0c\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"


@dataclass(frozen=True, slots=True)
class Syntax:
    """How one strictness is scanned. The text is known to parse, so the patterns need not find faults."""

    title: str
    comment: re.Pattern[str] | None
    trivia: re.Pattern[str]  # blanks and comments
    string: re.Pattern[str]
    to_bracket: re.Pattern[str]  # everything up to the next bracket outside strings and comments
    scalar: re.Pattern[str]  # a value or key that is neither bracketed nor quoted
    json5: bool = False


def _syntax(title: str, *, strings: str, space: str, comment: str, json5: bool = False) -> Syntax:
    rest = f"|{comment}|/" if comment else ""
    trivia = rf"(?:[{space}]++|{comment})*+" if comment else rf"[{space}]*+"
    quotes = "\"'" if json5 else '"'
    return Syntax(
        title,
        re.compile(comment, re.DOTALL) if comment else None,
        re.compile(trivia, re.DOTALL),
        re.compile(strings, re.DOTALL),
        re.compile(rf"(?:[^{quotes}/{{}}\[\]]++|{strings}{rest or '|/'})*+", re.DOTALL),
        re.compile(rf"[^{space},:/{{}}\[\]]++"),
        json5,
    )


STRICT = _syntax("JSON", strings=_STRING, space=_SPACE, comment="")
JSONC = _syntax("JSON with comments", strings=_STRING, space=_SPACE, comment=rf"//[^\r\n]*+|{_BLOCK}")
JSON5 = _syntax(
    "JSON5",
    strings=f"{_STRING}|{_SINGLE}",
    space=_SPACE5,
    comment=rf"//[^\r\n\u2028\u2029]*+|{_BLOCK}",
    json5=True,
)
