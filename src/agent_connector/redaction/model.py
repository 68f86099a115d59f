"""What a row of the table of patterns says."""

from collections.abc import Callable
from dataclasses import dataclass

MARK = "[redacted:{}]"
UNDECIDED = 64  # bytes: a value longer than this is a secret without another look


@dataclass(frozen=True, slots=True)
class Pattern:
    """One format of a secret.

    A match is `head`, then any number of `tail`. The secret is what stands in the plain parentheses of the head, up to their end, or
    up to the end of the tail where there is one; without parentheses it is all of the match. `spared` sees what stands before the
    secret and the secret, and says whether it is none after all; a secret longer than UNDECIDED is not asked about.
    """

    kind: str
    what: str
    head: str
    source: str
    tail: str = ""
    spared: Callable[[bytes, bytes], bool] | None = None


def mark(kind: str) -> bytes:
    """What stands in the place of a secret."""
    return MARK.format(kind).encode()
