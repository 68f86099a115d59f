"""The parser's tree of a command: bounded, without holes, and the words in it as values.

tree-sitter-bash, and not bashlex: of the honest commands in `tests/worker/guard/corpus.toml` it parses all, bashlex
gives up on one in twenty (here-documents, `[[ ]]`, `case`, arithmetic, `time`), and it takes a twenty-fifth of the time and a tenth of
the start. Its faults are of another kind: it goes on behind an error and can leave letters out, take a substitution for a
plain text, part a word in two, join one over a continued line. All of these can be seen in the tree, and are denied here.
"""

from agent_connector.worker.guard import words
from agent_connector.worker.guard.values import No
from agent_connector.worker.guard.words import UNKNOWN, Piece, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tree_sitter import Language, Node, Parser
    from tree_sitter_bash import language
else:  # the packages themselves take longer to import than all of ours
    from tree_sitter._binding import Language, Parser
    from tree_sitter_bash._binding import language

LONGEST = 64 * 1024  # bytes
DEEPEST, MOST_NODES = 60, 20_000
_SECRET = ("_KEY", "APIKEY", "ACCESSKEY", "TOKEN", "SECRET", "PASSWORD", "PASSWD", "CREDENTIAL", "_DSN")
_NUMBERS = ("?", "#", "$", "!")
_OPAQUE = (
    "string",
    "heredoc_body",
    "raw_string",
    "ansi_c_string",
    "comment",
    "heredoc_content",
    "concatenation",
    "word",
)
_APART = ("command", "for_statement", "array", "file_redirect", "herestring_redirect", "heredoc_redirect", "case_statement",
          "declaration_command", "unset_command", "test_command", "binary_expression", "redirected_statement", "case_item")  # fmt: skip
_LITERAL = ("raw_string", "ansi_c_string", "comment", "string_content", "heredoc_body", "heredoc_content", "heredoc_start",
            "heredoc_end", "$(", "${", "`", "$((", "$[", "$")  # fmt: skip
_OPERATORS = (":-", "-", ":+", "+", "?", ":?", "%", "%%", "#", "##", "/", "//", "/#", "/%", "^", "^^", ",", ",,")
_language: list[Language] = []


def parse(command: str) -> "Node":
    """The tree; No where it is too large or not understood."""
    source = command.encode("utf-8", "surrogatepass")
    if len(source) > LONGEST:
        raise No("too-long", f"it is longer than {LONGEST // 1024} KiB")
    odd = next((letter for letter in command if (letter < " " and letter not in "\n\t") or letter == "\x7f"), None)
    if odd is not None or UNKNOWN in command:
        raise No("syntax", f"it holds the letter {odd or UNKNOWN!r}, which programs read in different ways")
    if not _language:
        _language.append(Language(language()))
    root = Parser(_language[0]).parse(source).root_node
    if root.has_error:
        raise No("syntax", "the parser does not understand it")
    _check(root, source)
    return root


def _check(root: "Node", source: bytes) -> None:
    """Bounds, and every letter in a leaf: what lies between leaves is blank."""
    count, end, stack = 0, 0, [(root, 1)]
    while stack:
        node, depth = stack.pop()
        count += 1
        if depth > DEEPEST or count > MOST_NODES:
            raise No("too-long", "it is nested too deep, or has too many parts")
        if node.is_missing:
            raise No("syntax", "the parser does not understand it")
        if not node.child_count and node.type not in _LITERAL and _is_live(node.text or b""):
            raise No("syntax", "the parser takes a substitution for a plain text")
        if node.type in _OPAQUE or not node.child_count:
            _gap(source[end : node.start_byte])
            end = max(end, node.end_byte)
        if node.type in _APART:
            _apart(node)
        if node.child_count:
            stack += [(child, depth + 1) for child in reversed(node.children)]
    _gap(source[end:])


def _apart(node: "Node") -> None:
    """Words that nothing stands between are one to the shell, whatever the parser makes of them."""
    before = None
    for child in node.children:
        is_word = child.type in KINDS or child.type == "command_name"
        if is_word and before is not None and before.end_byte == child.start_byte:
            raise No("syntax", "the parser parts a word in two: put it in quotes as a whole")
        before = child if is_word else None


def _is_live(text: bytes) -> bool:
    """Is there a `$(`, a `${` or a backquote in it that no backslash stands before?"""
    if not (b"$" in text or b"`" in text):
        return False
    at = 0
    while at < len(text):
        letter = text[at : at + 1]
        if letter == b"`" or (letter == b"$" and text[at + 1 : at + 2] in (b"(", b"{")):
            return True
        at += 2 if letter == b"\\" else 1
    return False


def _gap(between: bytes) -> None:
    rest = between.replace(b"\\\n", b"")
    if rest.strip(b" \t\n") or (not rest and between):
        raise No("syntax", "the parser leaves a part of it out, or a line is continued within a word")


class Pattern(str):
    """What a variable holds that goes through the files which a pattern finds."""

    __slots__ = ()


class Words:
    """Words out of nodes. `value(name)` is what a variable surely holds, or None; `inside(node)` judges a substitution.

    `own(name)`: the text itself sets the variable.
    """

    def __init__(
        self,
        home: "Callable[[], str]",
        value: "Callable[[str], str | None]",
        inside: "Callable[[Node], None]",
        own: "Callable[[str], bool]",
    ) -> None:
        self._home, self._value, self._inside, self._own = home, value, inside, own

    def of(self, node: "Node") -> list[Word]:
        """The words that one unexpanded word becomes."""
        return words.made(self.pieces(node), self._home())

    def one(self, node: "Node") -> Word:
        made = self.of(node)
        if len(made) != 1:
            raise No("syntax", "braces stand where there is one word")
        return made[0]

    def pieces(self, node: "Node", quoted: bool = False) -> list[Piece]:
        reader = KINDS.get(node.type)
        if reader is None:
            raise No("syntax", f"{node.type.replace('_', ' ')} is not understood as a word")
        return reader(self, node, quoted)

    # ---- one kind of node each

    def bare(self, node: "Node", quoted: bool) -> list[Piece]:
        for child in node.named_children:  # `number` may hold an expansion
            self.pieces(child)
        if node.named_child_count:
            return [(UNKNOWN, quoted)]
        return words.unescaped(text_of(node))

    def range_(self, node: "Node", quoted: bool) -> list[Piece]:
        return [(text_of(node), False)]

    def raw(self, node: "Node", quoted: bool) -> list[Piece]:
        return [(text_of(node)[1:-1], True)]

    def ansi(self, node: "Node", quoted: bool) -> list[Piece]:
        return [(words.in_ansi(text_of(node)[2:-1]), True)]

    def string(self, node: "Node", quoted: bool) -> list[Piece]:
        return self._filled(node, 1, 1)

    def _filled(self, node: "Node", before: int, after: int) -> list[Piece]:
        """Text with expansions in it. By bytes: the parser's own pieces of text may lack blanks."""
        source, start = node.text or b"", node.start_byte
        at, pieces = before, [("", True)]
        for child in node.named_children:
            if child.type in ("string_content", "heredoc_content"):
                continue
            pieces.append((_double(_dead(source[at : child.start_byte - start])), True))
            pieces += self.pieces(child, True)
            at = child.end_byte - start
        return [*pieces, (_double(_dead(source[at : len(source) - after])), True)]

    def document(self, node: "Node") -> list[Piece]:
        """The body of a here-document whose end is not quoted."""
        return self._filled(node, 0, 0)

    def joined(self, node: "Node", quoted: bool) -> list[Piece]:
        pieces: list[Piece] = []
        end = node.start_byte
        for child in node.children:
            if child.start_byte != end:
                raise No("syntax", "a word with a hole in it is not understood")
            end = child.end_byte
            pieces += self.pieces(child) if child.is_named else words.unescaped(text_of(child))
            if not child.is_named and text_of(child) == "$":
                raise No("syntax", "a `$` in front of a quote is not understood")
        return pieces

    def variable(self, node: "Node", quoted: bool) -> list[Piece]:
        return [self._held(text_of(node)[1:], quoted)]

    def _held(self, name: str, quoted: bool) -> Piece:
        if not self._own(name) and any(word in name.upper() for word in _SECRET):
            raise No("credential-read", f"${name} sounds like a key or a password")
        if name in _NUMBERS:
            return UNKNOWN, True
        value = self._value(name)
        if isinstance(value, Pattern) and not set(value) & set(" \t\n\\"):
            return value, False
        if (
            value is None
            or isinstance(value, Pattern)
            or (not quoted and (not value or set(value) & set(" \t\n*?[\\")))
        ):
            return UNKNOWN, quoted
        return value, True

    def expansion(self, node: "Node", quoted: bool) -> list[Piece]:
        """`${...}`: some forms run what a variable holds, set another one, or name one that a variable names."""
        inner = [child for child in node.children if child.type not in ("${", "}")]
        if len(inner) == 1 and inner[0].type == "variable_name":
            return [self._held(text_of(inner[0]), quoted)]
        for at, child in enumerate(inner):
            if child.type == "subscript":
                if (
                    text_of(child).partition("[")[2] not in ("@]", "*]")
                    and not text_of(child)[:-1].rpartition("[")[2].isdigit()
                ):
                    raise No("syntax", "the index of an array can run a command")
                self._held(text_of(child).partition("[")[0], quoted)
            elif child.type == "variable_name":
                self._held(text_of(child), quoted)
            elif child.type in ("special_variable_name", "regex") or (child.type == "#" and at == 0):
                continue
            elif child.is_named:
                self.pieces(child, True)
            elif child.type not in _OPERATORS:
                raise No("syntax", f"${{...{child.type}...}} is not understood")
        return [(UNKNOWN, quoted)]

    def substitution(self, node: "Node", quoted: bool) -> list[Piece]:
        if (node.text or b"")[:1] == b"`" and b"\\" in (node.text or b""):
            raise No("syntax", "a backslash within backquotes has a meaning of its own")
        if node.text == b"$(pwd)":
            return [self._held("PWD", quoted)]
        for child in node.named_children:
            self._inside(child)
        return [(UNKNOWN, quoted)]

    def process(self, node: "Node", quoted: bool) -> list[Piece]:
        for child in node.named_children:
            self._inside(child)
        return [("/dev/fd/63", True)]

    def arithmetic(self, node: "Node", quoted: bool) -> list[Piece]:
        for child in node.named_children:
            self.number(child)
        return [(UNKNOWN, True)]

    def number(self, node: "Node") -> None:
        """Arithmetic runs what a variable holds when that looks like an index with a substitution: only numbers may."""
        if node.type in ("variable_name", "word", "simple_expansion"):
            name = text_of(node).lstrip("$")
            value = self._value(name)
            if name.isdigit() or name in _NUMBERS:
                return
            if value is None or not (value == UNKNOWN or value.lstrip("-").isdigit()):
                raise No("unknown-argument", f"${name} in arithmetic is not known to be a number")
        elif node.type in ("subscript", "expansion", "variable_assignment") and node.type != "variable_assignment":
            if (
                node.type == "expansion"
                and [c.type for c in node.named_children] == ["variable_name"]
                and node.child_count == 3
            ):
                self.number(node.named_children[0])
                return
            raise No("syntax", "an index in arithmetic can run a command")
        elif node.type in ("string", "command_substitution", "concatenation", "raw_string"):
            raise No("unknown-argument", "a text in arithmetic is not known to be a number")
        else:
            for child in node.named_children:
                self.number(child)


def _dead(source: bytes) -> bytes:
    """What lies between the substitutions that the parser saw; No when there is another one in it."""
    at = 0
    while at < len(source):
        letter = source[at : at + 1]
        if letter == b"`" or (letter == b"$" and source[at + 1 : at + 2] in (b"(", b"{", b"[")):
            raise No("syntax", "the parser takes a substitution for a plain text")
        at += 2 if letter == b"\\" else 1
    return source


def _double(source: bytes) -> str:
    return words.in_double(source.decode("utf-8", "surrogateescape"))


def text_of(node: "Node") -> str:
    return (node.text or b"").decode("utf-8", "surrogateescape")


def walk(root: "Node") -> "Iterator[Node]":
    stack = [root]
    while stack:
        node = stack.pop()
        yield node
        stack += node.children


KINDS: "dict[str, Callable[[Words, Node, bool], list[Piece]]]" = {
    "word": Words.bare,
    "number": Words.bare,
    "test_operator": Words.bare,
    "extglob_pattern": Words.bare,
    "brace_expression": Words.range_,
    "raw_string": Words.raw,
    "ansi_c_string": Words.ansi,
    "string": Words.string,
    "concatenation": Words.joined,
    "simple_expansion": Words.variable,
    "expansion": Words.expansion,
    "command_substitution": Words.substitution,
    "process_substitution": Words.process,
    "arithmetic_expansion": Words.arithmetic,
}
