"""Options by a program's table: what is not in it is denied, shortened long options too.

-v          a flag                         --all        a flag
-n:         takes a value                  --max=       takes a value, attached or as the next word
-o:w        its value is written           --output=w   its value is written; `r`: it is read
-C:?        takes a value when attached    --color=?    the same
-#          a number: -20                  *            any other option is harmless too
+           options end at the first word that is none (what follows is another program's)
"""

from agent_connector.worker.guard.values import No
from agent_connector.worker.guard.words import UNKNOWN, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_compiled: "dict[str, dict[str, str]]" = {}


class Read:
    """The options that were given, each with its value, and the other words."""

    __slots__ = ("given", "operands")

    def __init__(self) -> None:
        self.given: list[tuple[str, Word | None, str]] = []  # name, value, what the table says of it
        self.operands: list[Word] = []

    def has(self, *names: str) -> bool:
        return any(name in names for name, _, _ in self.given)

    def value(self, *names: str) -> "Word | None":
        return next((value for name, value, _ in self.given if name in names), None)


def table(spec: str) -> "dict[str, str]":
    """Name -> "": a flag; ":" and what is done with the value; "?"."""
    found = _compiled.get(spec)
    if found is None:
        found = _compiled[spec] = {}
        for word in spec.split():
            name, mark, kind = word.partition("=")
            if mark:
                found[name] = ":" + kind
            elif word[:1] == "-" and word[2:3] == ":":
                found[word[:2]] = word[2:]
            else:
                found[word] = ""
    return found


def read(program: str, words: "Sequence[Word]", spec: str) -> Read:
    """The words of `program` after its name."""
    known, got = table(spec), Read()
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if word.text == "--" and not word.glob:
            got.operands += rest
            break
        if not _is_option(program, word, known):
            got.operands.append(word)
            if "+" in known:
                got.operands += rest
                break
        elif word.text[:2] == "--":
            _long(program, word, rest, known, got)
        else:
            _short(program, word, rest, known, got)
    return got


def _is_option(program: str, word: Word, known: "dict[str, str]") -> bool:
    text = word.text
    if "*" not in known and (text[:1] == UNKNOWN or word.split):
        if "+" in known and text[:1] == UNKNOWN:
            raise No("dynamic-command", f"what {program} runs is only known when it runs")
        raise No(
            "unknown-argument", f"what stands for an argument of {program} is only known when it runs: write it out"
        )
    if "*" not in known and word.glob and text[:1] in ("*", "?", "["):
        raise No("unknown-argument", f"`{text}` may name a file that {program} takes for an option: write `./{text}`")
    return text[:1] == "-" and text != "-"


def _long(program: str, word: Word, rest: "list[Word]", known: "dict[str, str]", got: Read) -> None:
    name, mark, value = word.text.partition("=")
    kind = known.get(name)
    attached = Word(value, glob=word.glob, split=word.split) if mark else None
    if kind is None:
        _unknown(program, name, known)
        got.given.append((name, attached, "r"))
    elif kind[:1] == ":" and kind[1:] != "?" and attached is None:
        got.given.append((name, _next(program, name, rest), kind[1:]))
    else:
        if attached is not None and not kind:
            raise No("unknown-option", f"{program} {name} takes no value")
        got.given.append((name, attached, kind[1:]))


def _short(program: str, word: Word, rest: "list[Word]", known: "dict[str, str]", got: Read) -> None:
    text = word.text[1:]
    if "-#" in known and text.isascii() and text.isdigit():
        got.given.append(("-#", Word(text), ""))
        return
    if len(text) > 1 and "-" + text.partition("=")[0] in known:  # one dash and a whole word: `go test -run=x`
        _long(program, word, rest, known, got)
        return
    for at, letter in enumerate(text):
        name = "-" + letter
        kind = known.get(name)
        if kind is None:
            _unknown(program, name if len(text) < 3 or at else word.text, known)
            got.given.append((name, Word(text[at + 1 :]), "r"))
            return
        if kind[:1] == ":":
            value = Word(text[at + 1 :], glob=word.glob, split=word.split) if text[at + 1 :] else None
            if value is None and kind != ":?":
                value = _next(program, name, rest)
            got.given.append((name, value, kind[1:]))
            return
        got.given.append((name, None, ""))


def _next(program: str, name: str, rest: "list[Word]") -> Word:
    if not rest:
        raise No("syntax", f"{program} {name} lacks its value")
    value = rest.pop(0)
    if value.split:
        raise No("unknown-argument", f"the value of {program} {name} may become several words: put it in double quotes")
    return value


def _unknown(program: str, name: str, known: "dict[str, str]") -> None:
    if "*" not in known:
        raise No("unknown-option", f"{program} {name.replace(UNKNOWN, '?')} is not in the table of what is allowed")
