"""Words by which an agent asks for a person, and words that make a text risky. Pure.

An agent asks on a line of its own that begins with a marker ("NEEDS HUMAN: which region?"), whatever stands around it in
Markdown, or with a JSON object that holds `needsHuman`. Words are compared without case, and as whole words only.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, cast

_DECORATION = " \t>*_#`-•"
_FIELDS = ("needsHuman", "needs_human")
_LONGEST = 1_000  # characters of what was asked that a person is shown


def asked(text: str, markers: Iterable[str]) -> str | None:
    """What the agent asks a person, None when it asks nothing. "" when it asks without saying what."""
    words = [marker.casefold() for marker in markers if marker.strip()]
    for line in text.splitlines():
        plain = line.strip(_DECORATION)
        folded = plain.casefold()
        for word in words:
            if folded.startswith(word) and not folded[len(word) : len(word) + 1].isalnum():
                return plain[len(word) :].strip(_DECORATION + ":.!").strip()[:_LONGEST]
    return _asked_in_json(text)


def _asked_in_json(text: str) -> str | None:
    for value in _objects(text):
        for field in _FIELDS:
            found = value.get(field)
            if found and found is not True:
                return str(found)[:_LONGEST]
            if found:
                return str(value.get("reason") or value.get("question") or "")[:_LONGEST]
    return None


def _objects(text: str) -> Iterator[Mapping[str, Any]]:
    """JSON objects that are a whole line, or the whole text; a fence around them does not matter."""
    for part in (text, *text.splitlines()):
        part = part.strip().strip("`").removeprefix("json").strip()
        if not (part.startswith("{") and part.endswith("}") and any(field in part for field in _FIELDS)):
            continue
        try:
            value: object = json.loads(part)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            yield cast("Mapping[str, Any]", value)


def all_risky(text: str, markers: Iterable[str]) -> Iterator[str]:
    """Those of `markers` that stand in `text` as words of their own, in their order."""
    folded = text.casefold()
    for marker in markers:
        word = marker.strip().casefold()
        if word and word in folded and re.search(rf"(?<!\w){re.escape(word)}(?!\w)", folded):
            yield marker


def risky(text: str, markers: Iterable[str]) -> str | None:
    """The first of them."""
    return next(all_risky(text, markers), None)
