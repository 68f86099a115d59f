r"""Reads the small dialect that patterns are written in, and says what every beginning of a match looks like.

The dialect: literals, `\` escapes, classes, `(?:...)`, `(?i:...)`, one plain group, `|`, `?`, `{m,n}`, `\b`, `\z`. There is no `*` and
no `+`: a pattern has a longest match, so a stream knows how much it has to hold back, and `beginnings` can say whether what was
held could still become one.
"""

from dataclasses import dataclass

MOST = 1000  # RE2 repeats nothing more often


@dataclass(frozen=True, slots=True)
class Atom:
    """One character: a literal, an escape or a class, as written."""

    text: str


@dataclass(frozen=True, slots=True)
class Edge:
    """A place between two characters."""

    text: str


@dataclass(frozen=True, slots=True)
class Row:
    """One after the other."""

    parts: tuple["Node", ...]


@dataclass(frozen=True, slots=True)
class Either:
    """One of these, the first that fits."""

    options: tuple["Node", ...]


@dataclass(frozen=True, slots=True)
class Times:
    """`least` to `most` of the same."""

    node: "Node"
    least: int
    most: int


@dataclass(frozen=True, slots=True)
class Group:
    """Parentheses: `opening` is `(` for the secret itself, else `(?:` or `(?i:`."""

    opening: str
    node: "Node"


Node = Atom | Edge | Row | Either | Times | Group


def read(pattern: str) -> Node:
    """The tree of a pattern; ValueError where it leaves the dialect."""
    node, end = _either(pattern, 0)
    if end != len(pattern):
        raise ValueError(f"unmatched ')' at {end} of {pattern!r}")
    return node


def _either(text: str, at: int) -> tuple[Node, int]:
    options: list[Node] = []
    parts: list[Node] = []
    while at < len(text) and text[at] != ")":
        if text[at] == "|":
            options.append(Row(tuple(parts)))
            parts, at = [], at + 1
            continue
        node, at = _one(text, at)
        node, at = _counted(text, at, node)
        parts.append(node)
    last = Row(tuple(parts))
    return (Either((*options, last)) if options else last), at


def _one(text: str, at: int) -> tuple[Node, int]:
    if text[at] == "(":
        opening = next(mark for mark in ("(?i:", "(?:", "(") if text.startswith(mark, at))
        node, end = _either(text, at + len(opening))
        if text[end : end + 1] != ")":
            raise ValueError(f"unmatched '(' at {at} of {text!r}")
        return Group(opening, node), end + 1
    if text[at] == "[":
        end = text.index("]", at + (3 if text[at + 1] == "^" else 2))
        while _escaped(text, end):
            end = text.index("]", end + 1)
        return Atom(text[at : end + 1]), end + 1
    if text[at] == "\\":
        size = 4 if text[at + 1] == "x" else 2
        piece = text[at : at + size]
        return (Edge(piece) if piece in (r"\b", r"\z") else Atom(piece)), at + size
    if text[at] in "*+?{^$.":
        raise ValueError(f"{text[at]!r} at {at} of {text!r} is not in the dialect")
    return Atom(text[at]), at + 1


def _escaped(text: str, at: int) -> bool:
    slashes = len(text[:at]) - len(text[:at].rstrip("\\"))
    return slashes % 2 == 1


def _counted(text: str, at: int, node: Node) -> tuple[Node, int]:
    if text[at : at + 1] == "?":
        return Times(node, 0, 1), at + 1
    if text[at : at + 1] != "{":
        return node, at
    end = text.index("}", at)
    least, comma, most = text[at + 1 : end].partition(",")
    return Times(node, int(least), int(most) if comma else int(least)), end + 1


def plain(node: Node) -> str:
    """The pattern again, its group no longer remembered."""
    match node:
        case Atom(text) | Edge(text):
            return text
        case Row(parts):
            return "".join(plain(part) for part in parts)
        case Either(options):
            return "|".join(plain(option) for option in options)
        case Times(inner, least, most):
            return f"{_whole(inner)}{{{least},{most}}}"
        case Group(opening, inner):
            return f"{'(?:' if opening == '(' else opening}{plain(inner)})"


def _whole(node: Node) -> str:
    return plain(node) if isinstance(node, Atom | Group) else f"(?:{plain(node)})"


def width(node: Node) -> int:
    """Characters of the longest match."""
    match node:
        case Atom():
            return 1
        case Edge():
            return 0
        case Row(parts):
            return sum(width(part) for part in parts)
        case Either(options):
            return max(width(option) for option in options)
        case Times(inner, _, most):
            return width(inner) * most
        case Group(_, inner):
            return width(inner)


def opening(node: Node, length: int) -> tuple[str, int]:
    """A pattern that fits the first characters of every match, at most `length` of them; and of these, how many it left open.

    It goes on only as long as every match has the same number of characters; 0 are left open where it stopped before that.
    """
    match node:
        case Atom(text):
            return (text, length - 1) if length else ("", 0)
        case Edge(text):
            return text, length
        case Row(parts):
            out = ""
            for part in parts:
                piece, length = opening(part, length)
                out += piece
                if not length:
                    break
            return out, length
        case Either(options):
            several = [opening(option, length) for option in options]
            left = {open_ for _, open_ in several}
            return "|".join(piece for piece, _ in several), left.pop() if len(left) == 1 else 0
        case Times(Atom(text), least, most):
            some = min(least, length)
            return f"{text}{{{some}}}", length - some if least == most else 0
        case Times(inner, least, most):
            out = ""
            for _ in range(min(least, length)):
                piece, length = opening(inner, length)
                out += f"(?:{piece})"
            return out, length if least == most else 0
        case Group(kind, inner):
            piece, left_open = opening(inner, length)
            return f"{'(?:' if kind == '(' else kind}{piece})", left_open


def beginnings(node: Node) -> str:
    """A pattern of everything that a match can begin with: nothing, each part of it, and all of it.

    An edge at the end of a beginning is left open, since what follows is not known yet.
    """
    match node:
        case Atom(text):
            return f"{text}?"
        case Edge():
            return ""
        case Row(parts):
            return _row(parts)
        case Either(options):
            return f"(?:{'|'.join(beginnings(option) for option in options)})"
        case Times(Atom(text), _, most):
            return f"{text}{{0,{most}}}"
        case Times(inner, _, most):
            return f"{_whole(inner)}{{0,{most - 1}}}{beginnings(inner)}"
        case Group(opening, inner):
            return f"{'(?:' if opening == '(' else opening}{beginnings(inner)})"


def _row(parts: tuple[Node, ...]) -> str:
    rest = ""
    for part in reversed(parts):
        match part:
            case Atom(text):
                rest = f"(?:{text}{rest})?"
            case Edge(text):
                rest = f"(?:{text}{rest})?" if rest else ""
            case _:
                rest = f"(?:{beginnings(part)}|{_whole(part)}{rest})" if rest else beginnings(part)
    return rest
