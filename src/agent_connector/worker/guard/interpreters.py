"""Interpreters and shells: a file of the workspace may be run, code on the command line or from a pipe may not.

The text of a shell script is judged like a command. What programs in other languages do is not looked at: that is what
the sandbox is for.
"""

import os

from agent_connector.worker.guard import options, paths
from agent_connector.worker.guard.values import No
from agent_connector.worker.guard.words import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from agent_connector.worker.guard.grammar import Judge

SHELLS = ("sh", "bash", "dash", "zsh", "ksh", "mksh", "ash", "fish", "csh", "tcsh", "rbash", "yash")
PIPED = ("pipe-to-shell", "an interpreter that reads its program from a pipe or a text runs what nobody has looked at")
INLINE = ("inline-code", "a program on the command line of an interpreter: put it into a file of the workspace")
# name -> options before the file; each takes code or a module's name only where the row says so
LANGUAGES = {
    **dict.fromkeys(("python", "python3", "python2", "pypy3"), "+ -u -B -b -O -E -s -S -I -v -V -q -W: -X: -m: --version"),
    "node": "+ --test --test-reporter= --watch --enable-source-maps --experimental-strip-types --experimental-vm-modules --no-warnings"
    " --trace-warnings -v --version --check -c --test-name-pattern= --max-old-space-size= --experimental-test-coverage",
    "ruby": "+ -w -W: -v --version -I:r",
    "perl": "+ -w -v -c -T -I:r",
    "php": "+ -v -l",
    "deno": "+",
    "bun": "+",
    "tsx": "+",
    "ts-node": "+ -T",
    "java": "+ -version --version -ea",
}  # fmt: skip
# what `python -m` may run -> as which program of the tables; "": it is harmless as it is
_MODULES = {
    **dict.fromkeys(["pytest", "mypy", "ruff", "black", "isort", "flake8", "pylint", "pyright", "coverage", "tox", "nox", "pip", "sphinx", "mkdocs"], None),
    **dict.fromkeys(["build", "unittest", "doctest", "compileall", "py_compile", "json.tool", "venv", "tabnanny", "ast", "dis", "tokenize", "this", "calendar"], ""),
}  # fmt: skip


def _shell(judge: "Judge", name: str, arguments: "list[Word]", piped: bool) -> None:
    """`bash -c TEXT` and `bash FILE`: the text is judged."""
    words = list(arguments)
    is_text = False
    while words and words[0].text[:1] in ("-", "+") and words[0].text not in ("-", "--"):
        option = words.pop(0).text
        if option in ("--norc", "--noprofile", "--posix", "--login"):
            continue
        if option[:2] == "--" or not set(option[1:]) <= set("celuxfos") or option[:1] == "+":
            raise No("inline-code", f"{name} {option} is not in the table")
        is_text = is_text or "c" in option
        if "s" in option[1:]:
            raise No(*PIPED)
        if option[-1] == "o" and words:
            words.pop(0)
    words = words[1:] if words and words[0].text == "--" else words
    if not words or words[0].text == "-" or (words[0].text[:8] == "/dev/std"):
        raise No(*PIPED) if piped else No("inline-code", f"{name} without a file takes whatever it is told")
    if words[0].text[:8] == "/dev/fd/":
        raise No(*PIPED)
    if not words[0].known:
        raise No("dynamic-command", f"what {name} runs is only known when it runs")
    if name not in ("sh", "bash", "dash", "ash"):
        raise No("inline-code", f"the language of {name} is not judged: use sh or bash")
    if is_text:
        judge.text(words[0].text)
    else:
        _script(judge, words[0].text)


def _script(judge: "Judge", path: str) -> None:
    """A shell script of the workspace, whose text is judged; one that the same command writes is not known."""
    for found in paths.executable(path, judge.cwds, judge.rules):
        if found in judge.written:
            raise No("script", f"{path} is written by the very command that runs it")
        text = judge.rules.text(found)
        if text is None:
            raise No("script", f"the text of {path} cannot be looked at")
        try:
            judge.text(text)
        except No as no:
            raise No(no.verdict.rule, f"in {path}: {no.verdict.reason}") from None


def _within(judge: "Judge", name: str) -> None:
    """The interpreter of an environment in the workspace: a link, most of the time."""
    for cwd in judge.cwds:
        path = paths.absolute(name, cwd)
        if not path.startswith(judge.rules.workspace.rstrip("/") + "/") or path in judge.written:
            raise No("unknown-program", f"{name} is not in the workspace, and not in the table of programs")
        real = judge.rules.real(path).rpartition("/")[2]
        if (
            not real.startswith(("python", "node", "ruby", "perl", "php", "java", "deno", "bun", "pypy"))
            and real != "cli.js"
        ):
            raise No("unknown-program", f"{name} is {real}, by another name")


def program(judge: "Judge", name: str, arguments: "list[Word]", piped: bool) -> None:
    """A program of the workspace by its path: a script for a shell is judged by its text."""
    known = os.path.basename(name)
    if known in LANGUAGES or known.startswith("python3."):
        _within(judge, name)
        _language(judge, known, arguments, piped)
        return
    if known in ("gradlew", "mvnw"):
        from agent_connector.worker.guard.development import java_build

        java_build(judge, known, arguments, piped)
    for found in paths.executable(name, judge.cwds, judge.rules):
        if found in judge.written:
            raise No("script", f"{name} is written by the very command that runs it")
        text = judge.rules.text(found)
        first = (text or "").partition("\n")[0]
        if (
            text is not None
            and (not first.startswith("#!") or any(_named(first, shell) for shell in SHELLS))
            and "\0" not in text
        ):
            _script(judge, name)
        elif text is None and known.endswith((".sh", ".bash", ".zsh")):
            raise No("script", f"the text of {name} cannot be looked at")
    for word in arguments:
        _argument(judge, word)


def _named(line: str, shell: str) -> bool:
    return any(part.rpartition("/")[2] == shell for part in line[2:].split())


def _argument(judge: "Judge", word: Word) -> None:
    """Whatever a program of the project does with a path: it is none of a key."""
    if word.known and word.text[:1] in ("/", "~", "."):
        judge.reads(word)


def _language(judge: "Judge", name: str, arguments: "list[Word]", piped: bool) -> None:
    spec = LANGUAGES[name if name in LANGUAGES else "python3"]
    at = next(
        (at for at, word in enumerate(arguments) if word.text[:2] == "-m" or word.text[:1] != "-"), len(arguments)
    )
    if "-m:" in spec.split() and arguments[at : at + 1] and arguments[at].text[:2] == "-m":
        _module(judge, name, arguments[at:], piped)
        return
    try:
        got = options.read(name, arguments, spec)
    except No as no:
        if no.verdict.rule == "unknown-option":
            raise No(*INLINE) from None
        raise
    if got.has("-v", "-V", "--version", "-version") or (name == "node" and got.has("--test")):
        return
    if not got.operands or got.operands[0].text == "-" or got.operands[0].text[:5] == "/dev/":
        raise No(*PIPED) if piped else No("inline-code", f"{name} without a file takes whatever it is told")
    _file(judge, name, got.operands)


def _file(judge: "Judge", name: str, words: "list[Word]") -> None:
    first = words[0]
    if name == "bun" and first.text in ("install", "add", "remove", "build"):
        return
    if name == "bun" and first.text not in ("run", "test") and not set("./") & set(first.text):
        raise No("unknown-program", f"bun {first.text} is not in the table")
    if first.text in ("run", "test") and name in ("deno", "bun"):
        words = words[1:]
        if not words and first.text == "test":
            return
        first = words[0] if words else Word("")
        if first.text and "/" not in first.text and "." not in first.text and name == "bun":
            return  # a script of the project's package file
    if not first.known:
        raise No("dynamic-command", f"what {name} runs is only known when it runs")
    if first.text[:1] == "-" or "://" in first.text:
        raise No(*INLINE)
    paths.executable(first.text, judge.cwds, judge.rules)
    judge.reads(first)
    for word in words[1:]:
        _argument(judge, word)


def _module(judge: "Judge", name: str, words: "list[Word]", piped: bool) -> None:
    """`-m NAME`, and what follows is the module's."""
    module = Word(words[0].text[2:]) if len(words[0].text) > 2 else words[1] if len(words) > 1 else Word("")
    rest = words[1:] if len(words[0].text) > 2 else words[2:]
    target = _MODULES.get(module.text, False) if module.known else False
    if target is False:
        raise No("inline-code", f"{name} -m {module.text} is not in the table of modules")
    if target is None:
        judge.command([module, *rest], piped)
        return
    for word in rest:
        _argument(judge, word)


def _source(judge: "Judge", name: str, arguments: "list[Word]", piped: bool) -> None:
    """Only what makes a Python environment the current one."""
    if len(arguments) == 1 and arguments[0].known and arguments[0].text.endswith("/bin/activate"):
        folder = paths.executable(arguments[0].text, judge.cwds, judge.rules)
        if not any(path in judge.written for path in folder):
            return
    raise No("eval", f"{name} runs a text in this very shell")


SPECIAL = {
    **dict.fromkeys(SHELLS, _shell),
    **dict.fromkeys(LANGUAGES, _language),
    **dict.fromkeys((f"python3.{minor}" for minor in range(8, 20)), _language),
    "source": _source,
    ".": _source,
}
