"""References to the environment in a declaration: `${env:NAME}` and `${env:NAME:-default}`.

`parse` cuts a text into literal pieces and references; `render` puts it together again in a host's own words.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

_REFERENCE = re.compile(r"\$\{env:([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}")


@dataclass(frozen=True, slots=True)
class Reference:
    """One `${env:name}`; `default` is None when none was written."""

    name: str
    default: str | None

    def __str__(self) -> str:
        return "${env:" + self.name + ("" if self.default is None else ":-" + self.default) + "}"


def parse(text: str) -> list[str | Reference]:
    """The pieces of `text`; joined by `str` they are `text` again."""
    pieces: list[str | Reference] = []
    end = 0
    for found in _REFERENCE.finditer(text):
        if found.start() > end:
            pieces.append(text[end : found.start()])
        pieces.append(Reference(found[1], found[2]))
        end = found.end()
    if end < len(text):
        pieces.append(text[end:])
    return pieces


def broken(text: str) -> str | None:
    """The first `${env:` in `text` that is no reference, None when all are."""
    for piece in parse(text):
        if isinstance(piece, str) and "${env:" in piece:
            start = piece.index("${env:")
            return piece[start : start + 40]
    return None


def render(text: str, say: Callable[[str, str | None], str | None]) -> str | None:
    """`text` with each reference as `say(name, default)` spells it; None when `say` cannot for one of them."""
    out: list[str] = []
    for piece in parse(text):
        said = piece if isinstance(piece, str) else say(piece.name, piece.default)
        if said is None:
            return None
        out.append(said)
    return "".join(out)


def resolve(text: str, variables: Mapping[str, str]) -> str:
    """`text` with the values of `variables`; a missing one without a default is empty, as in a shell."""
    return "".join(p if isinstance(p, str) else variables.get(p.name, p.default or "") for p in parse(text))


def references(value: Any) -> list[tuple[str, str | None]]:
    """Every reference in a value of texts, lists and mappings, in order, each pair once."""
    found: dict[tuple[str, str | None], None] = {}
    for text in _texts(value):
        for piece in parse(text):
            if isinstance(piece, Reference):
                found[(piece.name, piece.default)] = None
    return list(found)


def _texts(value: Any) -> Iterable[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for inner in value.values():  # pyright: ignore[reportUnknownVariableType]
            yield from _texts(inner)
    elif isinstance(value, list | tuple):
        for inner in value:  # pyright: ignore[reportUnknownVariableType]
            yield from _texts(inner)
