"""Is a shell command allowed? Everything in it must be in a table; what is not understood is denied.

judge(command, rules) parses the text (see `tree`), goes through every command in it, also those in substitutions, in
here-documents and behind programs that run others, and asks the tables. It never raises and looks at a bounded number of
parts, whatever the text.

A variable counts as known only where one plain assignment is sure to come before its use; a folder that is entered counts
for all that comes behind, and the one before it too unless `&&` stands between.
"""

from agent_connector.worker.guard import paths, programs, tree
from agent_connector.worker.guard.tree import text_of
from agent_connector.worker.guard.values import No, Rules, Verdict, allowed
from agent_connector.worker.guard.variables import LATER, LOOP, surely
from agent_connector.worker.guard.words import UNKNOWN, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from tree_sitter import Node

MOST_COMMANDS = 500  # that one text may come to, those in loops and scripts counted each time
DEEPEST = 5  # texts within texts: `bash -c`, scripts
_MOST_FOLDERS = 8
_PLAIN = frozenset(
    ("program", "subshell", "compound_statement", "if_statement", "while_statement", "elif_clause", "else_clause",
     "do_group", "negated_command", "case_statement", "case_item", "test_command", "binary_expression",
     "unary_expression", "parenthesized_expression", "c_style_for_statement", "variable_assignments")
)  # fmt: skip
_LEAVES = frozenset(("comment", "test_operator", "regex", "variable_name", "extglob_pattern", "special_variable_name"))
_COMPARES = frozenset(("-eq", "-ne", "-lt", "-le", "-gt", "-ge"))


def judge(command: str, rules: Rules) -> Verdict:
    """The verdict on a command line as it is handed to a shell."""
    try:
        Judge(rules).text(command)
    except No as no:
        return no.verdict
    except RecursionError:
        return Verdict(False, "too-long", "it is nested too deep")
    return allowed()


def judge_words(words: "Sequence[str]", rules: Rules) -> Verdict:
    """The verdict on a command that no shell reads: each word is what it is."""
    try:
        if not words or sum(map(len, words)) > tree.LONGEST:
            raise No("too-long", "it has no words, or too many")
        Judge(rules).command([Word(word) for word in words])
    except No as no:
        return no.verdict
    except RecursionError:
        return Verdict(False, "too-long", "it is nested too deep")
    return allowed()


class Judge:
    """Goes through one command. The tables call `command`, `text`, `reads` and `writes` back."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.cwds = [rules.cwd]
        self.depth = 0
        self.left = MOST_COMMANDS
        self.written: list[str] = []  # files that this very command fills: their text is not known
        self._known: dict[str, str | None] = {}
        self._words = tree.Words(lambda: rules.home, self._value, self._apart, lambda name: name in self._known)

    # ---- what the tables need

    def text(self, command: str) -> None:
        """Judge a whole text."""
        self.depth += 1
        if self.depth > DEEPEST:
            raise No("too-long", "commands stand in commands too deep")
        root, known = tree.parse(command), self._known
        self._known = surely(root)
        self._visit(root)
        self._known = known
        self.depth -= 1

    def command(self, words: "Sequence[Word]", piped: bool = False) -> None:
        """Judge one command by its words; `piped`: it gets its input from another one or from a text."""
        self.left -= 1
        if self.left < 0:
            raise No("too-long", "it comes to too many commands")
        programs.judge(self, words, piped)

    def reads(self, word: Word) -> None:
        if word.text:
            paths.readable(word.text, self.cwds, self.rules)

    def writes(self, word: Word, *, into: bool = False) -> None:
        """`into`: something is put into it, if it is a folder."""
        if word.split:
            raise No("unknown-argument", "which file is written is only known when it runs: write the path out")
        paths.writable(word.text, self.cwds, self.rules, into=into)
        self.written += [paths.absolute(word.text, cwd) for cwd in self.cwds]

    def stays(self, word: Word) -> None:
        """A path that a tool of the project may read or write."""
        paths.inside(word.text, self.cwds, self.rules)

    def runs(self, word: Word) -> None:
        """A file or folder of the workspace whose programs are run."""
        paths.executable(word.text, self.cwds, self.rules)

    def enters(self, word: Word) -> None:
        """`cd`: the folder has to be one of the workspace's."""
        if not word.known:
            raise No("unknown-argument", "which folder is entered is only known when it runs: write the path out")
        self.reads(word)
        self._moved = [paths.absolute(word.text, cwd) for cwd in self.cwds]
        self.cwds = list(dict.fromkeys([*self.cwds, *self._moved]))
        if len(self.cwds) > _MOST_FOLDERS:
            raise No("too-long", "it enters too many folders")

    def sets(self, name: str) -> None:
        """A program sets a variable to what is not known: then nothing else may have set it."""
        programs.settable(name)
        if name in self._known:
            raise No("unknown-argument", f"{name} is set in two ways")

    # ---- nodes

    def _visit(self, node: "Node", piped: bool = False) -> None:
        kind = node.type
        special = _VISITS.get(kind)
        if special is not None:
            special(self, node, piped)
        elif kind in _PLAIN:
            before = self.cwds
            for child in node.named_children:
                self._visit(child, piped)
            if kind == "subshell":
                self.cwds = before
        elif kind in _LEAVES:
            return
        elif kind in tree.KINDS:
            self._words.of(node)
        else:
            raise No("syntax", f"{kind.replace('_', ' ')} is not understood")

    def _apart(self, node: "Node") -> None:
        """In a substitution: what it enters stays in there."""
        before = self.cwds
        self._visit(node)
        self.cwds = before

    _moved: "list[str] | None" = None

    def at_list(self, node: "Node", piped: bool, tail: "Sequence[Node]" = ()) -> None:
        """`tail`: redirections of the last command, which the parser hangs on the whole list."""
        left, right = node.named_children[0], node.named_children[-1]
        self._moved = None
        self._visit(left, piped)
        moved, after = self._moved, self.cwds
        if moved and any(child.type == "&&" for child in node.children):
            self.cwds = moved
        self._moved = None
        self._redirected_to(right, tail, piped)
        self._moved = self._moved or moved
        self.cwds = list(dict.fromkeys([*after, *self.cwds]))

    def at_pipeline(self, node: "Node", piped: bool) -> None:
        before = self.cwds
        for at, child in enumerate(node.named_children):
            self._visit(child, piped or at > 0)
            self.cwds = before

    def at_command(self, node: "Node", piped: bool) -> None:
        words: list[Word] = []
        for child in node.children:
            if child.type == "variable_assignment" and not _is_separator(node, child):
                self.at_assigns(child, before=True)
            elif child.type == "variable_assignment":
                for value in child.named_children[1:]:
                    self._words.of(value)
            elif child.type == "command_name":
                words += self._words.of(child.children[0])
            elif child.type == "herestring_redirect":
                piped = True
                self._words.of(child.named_children[-1])
            elif child.type in ("file_redirect", "heredoc_redirect"):
                piped = self._redirect(child) or piped
            elif child.is_named:
                words += self._words.of(child)
            elif child.type in ("==", "=~", "="):
                words.append(Word(text_of(child)))
            else:
                raise No("syntax", f"`{child.type}` in a command is not understood")
        if words:
            self.command(words, piped)

    def at_redirected(self, node: "Node", piped: bool) -> None:
        body, *others = node.named_children
        if body.type in ("file_redirect", "heredoc_redirect", "herestring_redirect"):
            body, others = None, [body, *others]
        if body is not None and body.type == "list":
            self.at_list(body, piped, others)
        else:
            self._redirected_to(body, others, piped)

    def _redirected_to(self, body: "Node | None", redirects: "Sequence[Node]", piped: bool) -> None:
        for redirect in redirects:
            piped = self._redirect(redirect) or piped
        if body is not None:
            self._visit(body, piped)

    def _redirect(self, node: "Node") -> bool:
        """True when it is where the command's input comes from."""
        if node.type == "herestring_redirect":
            self._words.of(node.named_children[-1])
            return True
        if node.type == "heredoc_redirect":
            self._document(node)
            return True
        operator = next(child.type for child in node.children if child.type not in ("file_descriptor",))
        if sum(child.is_named and child.type != "file_descriptor" for child in node.children) > 1:
            raise No("syntax", "write redirections behind all words of a command")
        targets = [
            word for child in node.named_children if child.type != "file_descriptor" for word in self._words.of(child)
        ]
        for target in targets:
            if operator in (">&", "<&") and (target.text.isdigit() or target.text == "-"):
                continue
            if operator == "<":
                if not target.known:
                    raise No("unknown-argument", "what is read is only known when it runs: write the path out")
                self.reads(target)
            elif target.text[:8] != "/dev/fd/" or not target.known:
                if not target.known:
                    raise No("unknown-argument", "which file is written is only known when it runs: write the path out")
                self.writes(target)
        return operator == "<"

    def _document(self, node: "Node") -> None:
        """A here-document; what stands behind its mark on the same line hangs below it."""
        start = next(child for child in node.children if child.type == "heredoc_start")
        quoted = any(mark in text_of(start) for mark in "'\"\\")
        for child in node.named_children:
            if child.type == "heredoc_body" and not quoted:
                self._words.document(child)
                if "`" in text_of(child):
                    raise No("syntax", "backquotes in a here-document: quote its end mark")
            elif child.type in ("file_redirect", "heredoc_redirect", "herestring_redirect"):
                self._redirect(child)
            elif child.type in tree.KINDS:
                raise No("syntax", "write redirections behind all words of a command")
            elif child.type not in ("heredoc_start", "heredoc_body", "heredoc_end", "file_descriptor"):
                self._visit(child, True)

    def at_for(self, node: "Node", piped: bool) -> None:
        """A loop over known words is gone through once for each: they are what the variable holds."""
        name = text_of(next(child for child in node.named_children if child.type == "variable_name"))
        self._settable(name)
        values = [
            child
            for child in node.named_children
            if child.type not in ("variable_name", "do_group", "compound_statement")
        ]
        body = node.named_children[-1]
        made = [word for value in values for word in self._words.of(value)]
        is_sure = self._known.get(name, "") == LOOP
        for word in made or [Word(UNKNOWN, split=True)]:
            held = tree.Pattern(word.text) if word.glob else word.text
            self._known[name] = held if is_sure and UNKNOWN not in word.text else None
            self._visit(body, piped)
        self._known[name] = LOOP if is_sure else None

    def at_assigns(self, node: "Node", piped: bool = False, *, before: bool = False) -> None:
        """`x=1`: alone, behind `export`, or `before` a command, whose own words do not know of it."""
        name = node.named_children[0]
        if name.type != "variable_name":
            raise No("syntax", "the index of an array can run a command")
        self._settable(text_of(name))
        value = node.named_children[1] if node.named_child_count > 1 else None
        if value is not None and value.type == "array":
            for item in value.named_children:
                self._words.of(item)
        elif value is not None:
            made = self._words.pieces(value)
            text = "".join(piece for piece, _ in made)
            programs.assigned(self, text_of(name), text)
            if not before and self._known.get(text_of(name)) == LATER:
                is_number = value.type == "arithmetic_expansion"
                known = UNKNOWN not in text and not any(letter in text for letter in "~{")
                self._known[text_of(name)] = text if known else UNKNOWN if is_number else None

    def _settable(self, name: str) -> None:
        programs.settable(name)

    def at_declares(self, node: "Node", piped: bool) -> None:
        word = node.children[0].type
        assigned = [child for child in node.named_children if child.type == "variable_assignment"]
        if not assigned or len(assigned) != node.named_child_count or word not in ("export", "local", "readonly"):
            raise No("environment-dump", f"`{word}` with anything but plain assignments may print variables")
        for child in assigned:
            self.at_assigns(child)

    def at_compares(self, node: "Node", piped: bool) -> None:
        """`[[ ]]`, `[ ]` and `(( ))`. A comparison of numbers runs what its sides hold, `-v` what a name holds."""
        operators = {text_of(child) for child in node.children if child.type == "test_operator"}
        if "-v" in operators or "-R" in operators:
            raise No("syntax", "a test of a variable's name can run a command")
        for child in node.named_children:
            if _is_counting(node) and operators & _COMPARES and child.type != "test_operator":
                self._words.number(child)
            else:
                self._visit(child)

    def at_arithmetic(self, node: "Node", piped: bool) -> None:
        if node.children[0].type == "((":
            for child in node.named_children:
                self._words.number(child)
            return
        for child in node.named_children:
            self._visit(child, piped)

    def at_counts(self, node: "Node", piped: bool) -> None:
        """`for ((...))`"""
        for child in node.named_children:
            if child.type in ("do_group", "compound_statement"):
                self._visit(child, piped)
            elif child.type == "variable_assignment":
                self._settable(text_of(child.named_children[0]))
                self._words.number(child.named_children[-1])
            else:
                self._words.number(child)

    def at_unsets(self, node: "Node", piped: bool) -> None:
        for child in node.named_children:
            if child.type != "variable_name":
                raise No("syntax", "`unset` of anything but a plain name is not understood")
            self._settable(text_of(child))
            self._known[text_of(child)] = None

    def at_function(self, node: "Node", piped: bool) -> None:
        raise No("function", "a function gives a name another meaning: write the commands out")

    # ---- variables

    def _value(self, name: str) -> "str | None":
        value = self._known.get(name)
        if value is not None and value not in (LATER, LOOP):
            return value
        if name in self._known:
            return None
        return {"HOME": self.rules.home, "PWD": self.cwds[0] if len(self.cwds) == 1 else None}.get(name)


def _is_separator(node: "Node", assignment: "Node") -> bool:
    """`IFS= read -r line`: it holds for `read` alone, which is the shell's own."""
    name = next((text_of(child) for child in node.children if child.type == "command_name"), "")
    return name == "read" and text_of(assignment.named_children[0]) == "IFS"


def _is_counting(node: "Node") -> bool:
    """In `[[ ]]`: the sides of a comparison are arithmetic there, in `[ ]` they are not."""
    above = node.parent
    while above is not None and above.type != "test_command":
        above = above.parent
    return above is None or above.children[0].type != "["


_VISITS = {
    "list": Judge.at_list,
    "pipeline": Judge.at_pipeline,
    "command": Judge.at_command,
    "redirected_statement": Judge.at_redirected,
    "for_statement": Judge.at_for,
    "variable_assignment": Judge.at_assigns,
    "declaration_command": Judge.at_declares,
    "binary_expression": Judge.at_compares,
    "unary_expression": Judge.at_compares,
    "compound_statement": Judge.at_arithmetic,
    "c_style_for_statement": Judge.at_counts,
    "unset_command": Judge.at_unsets,
    "function_definition": Judge.at_function,
}
