"""The page of all patterns, made from the table: `docs/reference/redaction.md`."""

from itertools import groupby

from agent_connector.redaction import providers, shapes
from agent_connector.redaction.model import UNDECIDED, Pattern
from agent_connector.redaction.redactor import TABLE, scanner

HEAD = """\
# What is hidden

Everything that leaves the worker (a line of a log, a comment, a result) goes through the redactor. A secret becomes `[redacted:<kind>]`; what
stands around it stays, so a log can still be read. This page is made from the table of patterns by `make docs`.

```python
from agent_connector.redaction import Redactor

redactor = Redactor(["correct horse battery"])  # credentials that are in use right now
assert redactor.text("key: correct%20horse%20battery") == "key: [redacted:credential]"
assert redactor.value({{"password": "tr0ub4dor"}}) == {{"password": "[redacted:password]"}}

stream = redactor.stream()  # pieces, cut anywhere
assert stream.feed("sent xoxb-12345") + stream.feed("67890-abc ok") + stream.close() == "sent [redacted:slack] ok"
```

## What it promises

- **Any cut.** A stream in pieces gives what the whole text gives, wherever the cuts fall.
- **Little is held back.** Only what could still become a secret waits for what comes next: at most {bound} bytes, and the longest form of the
  credentials given. A line without anything like that goes out at once. A secret whose end does not come (a key block without its last line, a
  token of a megabyte) is marked when it is known to be one, and swallowed from there on without being kept.
- **Linear time**, whatever the text: one pass of `google-re2` finds the next secret of any kind. Without that module (extra `worker`) the
  redactor refuses to start.
- **Credentials in use** are hidden as they are, in addresses (`%20`, `+`), in JSON (also JSON inside JSON), in HTML, quoted for a shell, in hex,
  and in base64 at each offset that they can have inside a longer value. Each long line of a value of several lines counts alone. Values below
  {shortest} characters are not looked for (`Redactor.unwatched` counts them): they stand in every text.
- **A mark is final.** What was redacted once comes out of a second pass unchanged.

## What it does not

It knows formats and names. A secret without either (a word in a sentence, a password that stands alone) is hidden only when it was given.
Placeholders (`${{X}}`, `<token>`, `***`), words of languages (`true`, `string`) and references in code (`get_token()`, `config.key`) are left
alone; so is a value of a token's key that is shorter than six characters, is a number, or is made of letters alone and short. Nothing longer than
{undecided} characters is ever left alone for how it looks. Text in which a key stands encrypted, compressed or in pieces on purpose is not seen through.

When one match covers several patterns, the one that starts first counts: `GITHUB_TOKEN=ghp_...` is hidden as the value of a key that names a token.

## Patterns

A secret is what the plain parentheses hold, together with all that goes on like the last column. The dialect is that of
`redaction/grammar.py`: no `*`, no `+`, so every pattern has a longest match. First come key blocks, then the keys that are told by their own form,
then what is told by where it stands; of two that start at one place the upper one counts. A `\\b` at the start also holds behind a line's end as
JSON writes it (`\\n`), behind a colour of a terminal, and behind a coded character of an address (`%3D`).
"""


def page() -> str:
    """The whole page."""
    from agent_connector.redaction.live import SHORTEST

    parts = [HEAD.format(bound=scanner().bound, shortest=SHORTEST, undecided=UNDECIDED)]
    for title, rows in groupby(TABLE, _title):
        parts.append(f"### {title}\n\n| kind | what | pattern | goes on as | source |\n| --- | --- | --- | --- | --- |")
        parts += [_row(pattern) for pattern in rows]
        parts.append("")
    return "\n".join(parts)


def _title(pattern: Pattern) -> str:
    titles = (
        ("Key blocks", shapes.BLOCKS),
        ("Our own", providers.OWN),
        ("Model providers", providers.MODELS),
        ("Clouds", providers.CLOUDS),
        ("Code, packages, operations", providers.CODE),
        ("Messages and offices", providers.TALK),
        ("Money and trade", providers.MONEY),
        ("Headers", shapes.HEADERS),
        ("Addresses and command lines", shapes.ADDRESSES),
        ("Keys that name a secret", shapes.ASSIGNED),
    )
    return next(title for title, rows in titles if pattern in rows)


def _row(pattern: Pattern) -> str:
    tail = _code(pattern.tail) if pattern.tail else ""
    return f"| {pattern.kind} | {pattern.what} | {_code(pattern.head)} | {tail} | {pattern.source} |"


def _code(text: str) -> str:
    """As code in a cell of a table: backticks doubled where it has some, bars escaped."""
    fence = "``" if "`" in text else "`"
    gap = " " if fence == "``" else ""
    return f"{fence}{gap}{text.replace('|', chr(92) + '|')}{gap}{fence}"
