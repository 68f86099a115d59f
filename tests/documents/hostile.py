"""Strategies for files as people leave them: comments everywhere, mixed line ends, tabs, marks, odd but legal writing."""

import json
import re
from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

KEYS = ("a", "b", "mcpServers", "x y", "é", "n")
BOMS = st.sampled_from(("", "", "", "\ufeff"))

# what we put
_scalars = st.one_of(
    st.booleans(),
    st.integers(-(2**53), 2**53),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(st.characters(exclude_categories=("Cs",)), max_size=12),
    st.sampled_from(("yes", "1e3", "# c", "a: b", "-", "'", '"', "\\", "\n", "{", "//", "*/", "0o7", "~", "\ufeff")),
)
_keys = st.one_of(st.sampled_from(KEYS), st.text(st.characters(exclude_categories=("Cs",)), max_size=5))


def values(nulls: bool = True) -> st.SearchStrategy[Any]:
    """What a connector writes: nested maps and lists of scalars."""
    leaves = st.one_of(st.none(), _scalars) if nulls else _scalars
    return st.recursive(
        leaves,
        lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(_keys, inner, max_size=3)),
        max_leaves=6,
    )


@st.composite
def paths(draw: st.DrawFn, value: Any, end: Any) -> tuple[Any, ...]:
    """A path into `value` or a bit beyond it, through maps and lists that are there."""
    path: list[Any] = []
    for _ in range(draw(st.integers(1, 4))):
        if isinstance(value, list):
            step = draw(st.sampled_from((*range(len(value)), end)))
            value = value[step] if step is not end else None
        elif isinstance(value, dict) or value is None:
            step = draw(st.sampled_from((*KEYS, *(value or ()))))
            value = value.get(step) if value else None
        else:
            break
        path.append(step)
        if step is end:
            break
    if value is None and path and path[-1] is not end and draw(st.integers(0, 3)) == 0:
        path.append(end)
    return tuple(path)


# JSON, JSONC, JSON5

_STRICT_BLANKS = ("", "", " ", "  ", "\t", "\n", "\r\n", "\n  ", "\n\n", "\r", "\n\t\t")
_COMMENTS = (
    "/* c */",
    "// c\n",
    "/**/",
    '// "a": 1, }\r\n',
    '/* } ] " */',
    "\n  // https://x\n  ",
    "// */\n",
    "/* // */",
)
_BLANKS5 = ("\xa0", "\u2028", "// x\u2028", "\u3000", "\ufeff", "\v")
_STRICT_SCALARS = ("1", "-0.5e+3", "true", "null", '"x"', '"\\u0041"', '"}]"', '"//"', '"\\""', '"\\ud83d\\ude00"')
_SCALARS5 = (
    "'x'",
    "'\"'",
    "'it\\'s'",
    "0x1F",
    "+1",
    ".5",
    "5.",
    "-Infinity",
    "NaN",
    "+.5e1",
    "'a\\\nb'",
    "'\\x41\\v'",
    "-0xa",
)


@st.composite
def json_texts(draw: st.DrawFn, dialect: str, root: str = "object") -> str:
    """A text that holds one value in this dialect ("json", "jsonc", "json5"), with trivia wherever it may stand."""
    blanks: tuple[str, ...] = _STRICT_BLANKS
    scalars: tuple[str, ...] = _STRICT_SCALARS if dialect != "json" else (*_STRICT_SCALARS, '"\u2028"')
    if dialect != "json":
        blanks = (*blanks, *_COMMENTS)
    if dialect == "json5":
        blanks, scalars = (*blanks, *_BLANKS5), (*scalars, *_SCALARS5)
    tidy = draw(st.booleans())  # half of the files are as a program writes them

    gaps = st.sampled_from(("", "", *blanks, *(one + other for one in blanks for other in blanks)))

    def gap(plain: str = "") -> str:
        return plain if tidy else draw(gaps)

    def key(name: str) -> str:
        forms = [
            json.dumps(name),
            json.dumps(name, ensure_ascii=False),
            '"' + "".join(f"\\u{ord(c):04x}" for c in name) + '"',
        ]
        if dialect == "json5":
            forms += [f"'{name}'", *([name, name.replace("a", "\\u0061")] if name.isidentifier() else [])]
        return draw(st.sampled_from(forms))

    def value(depth: int, kind: str = "") -> str:
        kind = kind or draw(st.sampled_from(("object", "list", "scalar", "scalar") if depth else ("scalar",)))
        if kind == "scalar":
            return draw(st.sampled_from(scalars))
        names = draw(st.lists(st.sampled_from(KEYS), max_size=3, unique=True))
        lead = draw(st.sampled_from(("", "\n" + "  " * (4 - depth)))) if tidy else ""
        parts = [
            (f"{gap(lead)}{key(name)}{gap()}:{gap(' ')}" if kind == "object" else gap(lead)) + value(depth - 1) + gap()
            for name in names
        ]
        comma = "," + gap() if parts and dialect != "json" and draw(st.booleans()) else ""
        close = gap(lead[:-2]) if parts else gap()
        inside = ",".join(parts) + comma + close
        return f"{{{inside}}}" if kind == "object" else f"[{inside}]"

    body = value(3, root) if root else ""
    return draw(BOMS) + gap() + body + gap(draw(st.sampled_from(("", "\n"))))


_JSON_TOKENS = re.compile(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'|(//[^\r\n\u2028\u2029]*|/\*.*?\*/)', re.DOTALL)


def json_comments(text: str) -> list[str]:
    """Every comment of a JSON text."""
    return sorted(found[1] for found in _JSON_TOKENS.finditer(text) if found[1])


def with_plain_blanks(text: str) -> str:
    """A JSON text for a reader that does not know all of JSON5's blanks and line ends."""
    pieces: list[str] = []
    at = 0
    for found in (*_JSON_TOKENS.finditer(text), None):
        gap = text[at : found.start() if found else len(text)]
        pieces += (
            gap.translate(dict.fromkeys(map(ord, "\u3000\v\ufeff\u2028\r"), "\n")),
            found.group() if found else "",
        )
        at = found.end() if found else at
    return "".join(pieces)


# TOML

_TOML_SCALARS = (
    *(
        "1",
        "0x1F",
        "1_000",
        "-0.5e+3",
        "inf",
        "true",
        '"x"',
        '"\\u0041 # no"',
        "'C:\\x'",
        "1979-05-27T07:32:00Z",
        "07:32:00",
    ),
    *('"""a\n"quoted"\n[no]\n"""', "'''\n''x\n# no'''", '""""x""""', '"""\\\n  y"""'),
)
_TOML_KEYS = {"a": ("a", '"a"', "'a'", '"\\u0061"'), "b": ("b",), "n": ("n",), "mcpServers": ("mcpServers",)}
_TOML_BLANKS = ("", "", " ", "\t")


@st.composite
def toml_texts(draw: st.DrawFn) -> str:
    """A TOML text; now and then one that repeats a table: callers keep what `tomllib` reads."""
    newline = draw(st.sampled_from(("\n", "\n", "\r\n")))

    def blank() -> str:
        return draw(st.sampled_from(_TOML_BLANKS))

    def key(name: str) -> str:
        return draw(st.sampled_from(_TOML_KEYS.get(name, (f'"{name}"',))))

    def dotted(longest: int) -> str:
        names = draw(st.lists(st.sampled_from(KEYS[:5]), min_size=1, max_size=longest))
        return f"{blank()}.{blank()}".join(map(key, names))

    def value(depth: int) -> str:
        kind = draw(st.sampled_from(("scalar", "scalar", "list", "table") if depth else ("scalar",)))
        if kind == "scalar":
            return draw(st.sampled_from(_TOML_SCALARS))
        count = draw(st.integers(0, 2))
        if kind == "table":
            names = draw(st.permutations(KEYS))[:count]
            return (
                "{" + ",".join(f"{blank()}{key(n)}{blank()}={blank()}{value(depth - 1)}{blank()}" for n in names) + "}"
            )
        gap = draw(st.sampled_from(("", " ", "\n  ", " # c ]\n", "\n")))
        comma = draw(st.sampled_from(("", ","))) if count else ""
        return f"[{gap}" + ",".join(gap + value(depth - 1) + gap for _ in range(count)) + comma + gap + "]"

    def filler() -> str:
        return draw(st.sampled_from(("", "", "", "# c\n", "\n", "  # [no]\n", "\n# c\n\n", "\t\n")))

    def pairs() -> str:
        lines = draw(st.integers(0, 3))
        return "".join(
            f"{filler()}{blank()}{dotted(2)}{blank()}={blank()}{value(2)}{blank()}{end()}" for _ in range(lines)
        )

    def end() -> str:
        return draw(st.sampled_from(("\n", "\n", " # c\n")))

    text = pairs()
    for _ in range(draw(st.integers(0, 4))):
        opening, closing = draw(st.sampled_from((("[", "]"), ("[", "]"), ("[[", "]]"))))
        text += f"{filler()}{blank()}{opening}{blank()}{dotted(3)}{blank()}{closing}{blank()}{end()}{pairs()}"
    text += filler()
    if draw(st.booleans()):
        text = text.removesuffix("\n")
    return draw(BOMS) + text.replace("\n", newline)


# YAML

_YAML_SCALARS = (
    "1",
    "x",
    "true",
    "~",
    "",
    "'q: # no'",
    '"d\\n"',
    "plain words",
    "-1.5",
    "0o7",
    "https://x/y",
    "!!str 5",
    "!own z",
)
_YAML_FLOWS = (
    "{}",
    "[]",
    "{a: 1, b: [x, 'y']}",
    "[1, {n: 2}]",
    "{ a: 1 , }",
    "[ # c\n  1,\n  2 # d\n  ]",
    "{a: ,\n  b}",
    "[a: b]",
)


@st.composite
def yaml_texts(draw: st.DrawFn) -> str:
    """A YAML text of one document, block style with inline parts; callers keep what ruamel reads."""
    newline = draw(st.sampled_from(("\n", "\n", "\r\n")))
    dash_in = draw(st.sampled_from((0, 2)))
    unit = draw(st.sampled_from((1, 2, 4)))
    anchors: list[str] = []

    def note(indent: int) -> str:
        choices = ("", "", "", "\n", "# c\n", " " * indent + "# c: d\n", "\n" + " " * indent + "# - c\n\n")
        return draw(st.sampled_from(choices))

    def tail() -> str:
        return draw(st.sampled_from(("\n", "\n", "\n", " # c\n", "  \n")))

    def scalar(indent: int) -> str:
        kind = draw(st.sampled_from(("plain", "plain", "plain", "flow", "block", "folded", "anchor", "alias")))
        inner = " " * indent
        if kind == "flow":
            return draw(st.sampled_from(_YAML_FLOWS)).replace("\n", "\n" + inner) + tail()
        if kind == "block":
            head = draw(st.sampled_from(("|", "|-", "|+", ">", ">-")))
            return f"{head}\n{inner}text\n{inner}# no\n" + draw(
                st.sampled_from(("", "\n", f"{inner}  more\n", f"\n{inner}x\n\n"))
            )
        if kind == "folded":
            return f"one\n{inner}two" + tail()
        if kind == "alias" and anchors:
            return "*" + draw(st.sampled_from(anchors)) + tail()
        if kind == "anchor":
            anchors.append(f"k{len(anchors)}")
            return f"&{anchors[-1]} {draw(st.sampled_from(('x', '{a: 1}', '')))}".rstrip() + tail()
        return draw(st.sampled_from(_YAML_SCALARS)) + tail()

    def map_of(indent: int, depth: int, first: str = "") -> str:
        names = draw(st.lists(st.sampled_from(KEYS), min_size=1, max_size=3, unique=True))
        text = ""
        for number, name in enumerate(names):
            lead = first if first and not number else note(indent) + " " * indent
            shown = draw(st.sampled_from((name, f"'{name}'", f'"{name}"', name))) if name != "n" else '"n"'
            text += f"{lead}{shown}:" + child(indent, depth, in_map=True)
        return text

    def list_of(indent: int, depth: int, first: str = "") -> str:
        text = ""
        for number in range(draw(st.integers(1, 3))):
            lead = first if first and not number else note(indent) + " " * indent
            text += f"{lead}-" + child(indent, depth, in_map=False)
        return text

    def child(indent: int, depth: int, in_map: bool) -> str:
        kind = draw(st.sampled_from(("scalar", "scalar", "map", "list") if depth else ("scalar",)))
        if kind == "scalar":
            return (" " + scalar(indent + max(unit, 1))).replace(" \n", "\n", 1)
        grow: Callable[..., str] = map_of if kind == "map" else list_of
        if in_map:
            deeper = indent + (unit if kind == "map" else dash_in)
            return tail() + grow(deeper, depth - 1)
        return grow(indent + 2, depth - 1, first=" ")

    root = draw(st.sampled_from((map_of, map_of, map_of, None)))
    text = draw(st.sampled_from(("", "", "# head\n", "---\n", "%YAML 1.2\n---\n", "\n")))
    text += root(0, 2) if root else draw(st.sampled_from(("", "{}\n", "{a: 1}\n", "{\n  a: 1,\n}\n", "# c\n")))
    text += draw(st.sampled_from(("", "", "# foot\n", "\n", "...\n")))
    if draw(st.booleans()):
        text = text.removesuffix("\n")
    return draw(BOMS) + text.replace("\n", newline)


_HASHES = re.compile(r"(?:^|[ \t])(#[^\r\n]*)", re.MULTILINE)


def hash_comments(text: str) -> list[str]:
    """Every `#` comment of a text that these strategies made: `# no` is what stands in its strings."""
    return sorted(found for found in _HASHES.findall(text) if not found.startswith("# no"))


# Markdown

MARKDOWN_LINES = (
    *("# Title", "", "", "text", "- item", "  ```", "```", "```python", "~~~", "````", "    code", "> quote", "---"),
    *("<!-- agent-connector:begin acme/guide hash=0123456789ab -->", "<!-- agent-connector:end acme/guide -->"),
    *("<!-- agent-connector:begin other/x hash=e3b0c44298fc -->", "<!-- agent-connector:end other/x -->", "<!-- c -->"),
)


@st.composite
def markdown_texts(draw: st.DrawFn) -> str:
    """A Markdown text with fences open and closed, and with markers, whole, lone and in fences."""
    newline = draw(st.sampled_from(("\n", "\n", "\r\n", "\r")))
    text = newline.join(draw(st.lists(st.sampled_from(MARKDOWN_LINES), max_size=8)))
    return draw(BOMS) + text + draw(st.sampled_from(("", newline)))


@st.composite
def damaged(draw: st.DrawFn, texts: st.SearchStrategy[str]) -> str:
    """A text with a piece cut out of it or put into it: mostly no longer one of its format."""
    text = draw(texts)
    at = draw(st.integers(0, len(text)))
    cut = draw(st.integers(0, 3))
    piece = draw(
        st.sampled_from(
            ("", '"', "'", "{", "}", "[", "]", ",", ":", "/*", "\\", "#", "\t", "\r", "\0", "- ", "&a ", "|")
        )
    )
    return text[:at] + piece + text[at + cut :]
