"""Hiding secrets beside one `re` pass per pattern of the same table; `python -m bench.redaction`. Ratios; the peer runs in the same rounds."""

import re
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

from agent_connector.redaction import Redactor, grammar
from agent_connector.redaction.redactor import TABLE

HERE = Path(__file__).parent.parent
ROUNDS = 5
AT_LEAST = 8.0  # times as fast as the peer, on a log
AT_MOST = 12.0  # times as long per byte as on a log, on the worst text below
# as such a pattern is mostly written: it tries every place of a long name, and there every way to share it out
COMMON = re.compile(r"(?i)[\w.-]*(?:secret|token|password)[\w.-]*\s*[:=]\s*\S+")
BACKTRACK = "secret_" * 400
HOSTILE = {
    "addresses without an end": "://a:" + "b" * 195,
    "one long name": "secret_key_value_prod_",
    "options": "--a-b-c-",
    "assignments": "password=",
    "dots and words": "a" * 30 + ".",
    "half a token": "eyJ" + "a" * 60 + ".",
    "backslashes": 'token\\": \\\\',
    "digits": "0123456789",
}


def peer() -> Callable[[str], str]:
    """What most programs do: a list of compiled patterns, each substituted in its turn."""
    several = [
        re.compile(_python(pattern.head) + (f"(?:{pattern.tail})*" if pattern.tail else "")) for pattern in TABLE
    ]

    def text(text: str) -> str:
        for pattern in several:
            text = pattern.sub("[redacted]", text)
        return text

    return text


def _python(head: str) -> str:
    return f"(?:{grammar.plain(grammar.read(head))})".replace(r"\z", r"\Z")


def log(size: int) -> str:
    """Lines as an agent's run has them: code that it read, programs' output, a secret now and then."""
    code = "".join(path.read_text("utf-8") for path in sorted((HERE / "src").rglob("*.py"))[:150])
    lines = code.splitlines(keepends=True)
    for place in range(0, len(lines), 200):
        lines[place] = f"2026-12-01T10:00:00Z INFO request {place} Authorization: Bearer {place:032x} took 12 ms\n"
    text = "".join(lines)
    return (text * (size // len(text) + 1))[:size]


def seconds(what: Callable[[str], str], text: str) -> float:
    """Of one call."""
    start = time.perf_counter()
    what(text)
    return time.perf_counter() - start


def main() -> int:
    """Print the table; 1 where a promise is missed."""
    naive, redactor, ordinary = peer(), Redactor(), log(1_000_000)
    redactor.text(ordinary)
    pairs = [(seconds(naive, ordinary), seconds(redactor.text, ordinary)) for _ in range(ROUNDS)]
    ratio = statistics.median(one / ours for one, ours in pairs)
    per_byte = statistics.median(ours for _, ours in pairs) / len(ordinary)
    naive_per_byte = statistics.median(one for one, _ in pairs) / len(ordinary)
    print(
        f"a log of 1 MB: {ratio:.0f} times as fast as one `re` pass per pattern ({len(TABLE)} patterns; promised {AT_LEAST:.0f})"
    )
    print(f"{'hostile text, per byte of the log':36}{'ours':>8}{'the peer':>10}{'peer over ours':>16}")
    worst = 0.0
    for name, piece in HOSTILE.items():
        text = piece * (60_000 // len(piece))
        redactor.text(text)
        ours = statistics.median(seconds(redactor.text, text) for _ in range(3))
        theirs = seconds(naive, text)
        worst = max(worst, ours / len(text) / per_byte)
        print(
            f"  {name:34}{ours / len(text) / per_byte:>8.1f}{theirs / len(text) / naive_per_byte:>10.1f}{theirs / ours:>16.0f}"
        )
    print(f"worst for us: {worst:.1f} (promised {AT_MOST:.0f})")
    grown = seconds(redactor.text, "password=" * 200_000) / seconds(redactor.text, "password=" * 20_000)
    print(f"ten times as much of the worst takes {grown:.1f} times as long (promised 15)")
    backtracked = seconds(lambda text: COMMON.sub("", text), BACKTRACK) / seconds(redactor.text, BACKTRACK)
    print(
        f"a name of {len(BACKTRACK)} characters without a value, over one common `re` pattern for KEY=value: {backtracked:.0f} times as fast"
    )
    return int(ratio < AT_LEAST or worst > AT_MOST or grown > 15)


if __name__ == "__main__":
    sys.exit(main())
