"""Programs about files whose words have a language of their own: rm, find, xargs, tar and their like."""

from agent_connector.worker.guard import options
from agent_connector.worker.guard.values import No
from agent_connector.worker.guard.words import UNKNOWN, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from agent_connector.worker.guard.grammar import Judge

_TREE = "delete-tree"
_FIND_FLAGS = (
    "-print", "-print0", "-ls", "-prune", "-quit", "-depth", "-daystart", "-empty", "-executable", "-readable", "-writable",
    "-true", "-false", "-nouser", "-nogroup", "-mount", "-xdev", "-follow", "-noleaf", "-a", "-and", "-o", "-or", "-not", "!",
    "(", ")", ",", "-H", "-L", "-P", "-E", "-X", "-s", "-d", "-warn", "-nowarn", "-ignore_readdir_race",
)  # fmt: skip
_FIND_VALUES = (
    "-name", "-iname", "-path", "-ipath", "-wholename", "-iwholename", "-regex", "-iregex", "-regextype", "-type", "-xtype",
    "-size", "-mtime", "-mmin", "-ctime", "-cmin", "-atime", "-amin", "-perm", "-user", "-group", "-uid", "-gid", "-links",
    "-inum", "-maxdepth", "-mindepth", "-printf", "-fstype", "-used", "-lname", "-ilname", "-context", "-newermt",
)  # fmt: skip
_FIND_FILES = ("-newer", "-anewer", "-cnewer", "-samefile")


def _rm(judge: "Judge", name: str, arguments: "list[Word]", piped: bool) -> None:
    """Plain files by name."""
    if any(word.glob and word.text[:1] in ("*", "?", "[") for word in arguments):
        raise No(_TREE, "rm of a pattern may delete everything in a folder, and takes names for options")
    got = options.read(
        name, arguments, "-f -v -i -I -r -R -d --force --verbose --recursive --dir --interactive=? --one-file-system"
    )
    if got.has("-r", "-R", "--recursive"):
        raise No(_TREE, "rm -r deletes whole folders: remove single files, or let a person do it")
    for word in got.operands:
        if word.glob and word.text.rpartition("/")[2][:1] in ("*", "?", "[", "."):
            raise No(_TREE, f"rm {word.text} may delete everything in a folder")
        judge.writes(word)


def _find(judge: "Judge", name: str, arguments: "list[Word]", piped: bool) -> None:
    """Looks; what it runs for each file is judged as a command of its own."""
    words = list(arguments)
    while words:
        word = words.pop(0)
        text = word.text
        if text in ("-delete", "-fprint", "-fprintf", "-fprint0", "-fls"):
            raise No(
                _TREE if text == "-delete" else "outside-write", f"find {text} deletes or overwrites what it finds"
            )
        if text in ("-exec", "-execdir", "-ok", "-okdir"):
            _exec(judge, words)
        elif text in _FIND_FLAGS or (text[:1] in ("-", "+") and text[1:].isdigit()):
            continue
        elif text in _FIND_VALUES and words:
            words.pop(0)
        elif text in _FIND_FILES and words:
            judge.reads(words.pop(0))
        elif text[:1] in ("-", UNKNOWN) or word.split:
            raise No("unknown-option", f"find {text.replace(UNKNOWN, '?')} is not in the table")
        else:
            judge.reads(word)


def _exec(judge: "Judge", words: "list[Word]") -> None:
    inner: list[Word] = []
    while words and words[0].text not in (";", "+"):
        word = words.pop(0)
        inner.append(Word(word.text.replace("{}", UNKNOWN)) if "{}" in word.text else word)
    if words:
        words.pop(0)
    if not inner:
        raise No("syntax", "find -exec lacks its command")
    _over_files(judge, inner, [word for word in inner if UNKNOWN in word.text])


def _over_files(judge: "Judge", inner: "list[Word]", found: "list[Word]") -> None:
    """A command over files of the workspace that are found while it runs: it may only read them.

    Their names stand behind the command's own words, so the command is judged with a name of a plain file.
    """
    name = inner[0].text
    if inner[0] in found:
        raise No("dynamic-command", "it runs what it finds")
    if name not in READERS:
        if inner[0].known:
            _name_rule(judge, [Word("./found") if word in found else word for word in inner])
        raise No("wrapper", f"{name or 'it'} over files that are found while it runs is not in the table")
    judge.command([Word("./found") if word in found else word for word in inner])


def _name_rule(judge: "Judge", inner: "list[Word]") -> None:
    """A program that is forbidden anyway is denied by its own rule."""
    try:
        judge.command(inner)
    except No as no:
        if no.verdict.rule not in ("unknown-argument", "dynamic-command", "unknown-option"):
            raise


# Programs that do the same to any file of the workspace and change none.
READERS = frozenset(
    [
        "cat",
        "head",
        "tail",
        "wc",
        "grep",
        "egrep",
        "fgrep",
        "rg",
        "ls",
        "stat",
        "file",
        "du",
        "md5sum",
        "sha1sum",
        "sha256sum",
        "basename",
        "dirname",
        "echo",
        "printf",
        "cut",
        "nl",
        "sort",
        "uniq",
        "python3.pyflakes",
        "ruff",
        "black",
        "prettier",
        "eslint",
        "gofmt",
        "rustfmt",
        "mypy",
        "flake8",
        "test",
        "realpath",
        "readlink",
    ]
)


def xargs(judge: "Judge", name: str, arguments: "list[Word]", piped: bool) -> None:
    """The words that it adds come from its input: only for programs that read."""
    got = options.read(
        name, arguments,
        "+ -0 -r -t -n: -P: -L: -I: -d: -s: -x --null --no-run-if-empty --max-args= --max-procs= --delimiter= --max-lines=?",
    )  # fmt: skip
    inner, place = list(got.operands), got.value("-I")
    if not inner:
        return  # echo
    if not inner[0].known:
        raise No("dynamic-command", "which program xargs runs is only known when it runs")
    if inner[0].text not in READERS:
        _name_rule(judge, [*inner, Word(UNKNOWN)])
        raise No("wrapper", f"{inner[0].text} with words from xargs is not in the table")
    mark = place.text if place else None
    judge.command([Word("./found") if mark and mark in word.text else word for word in inner])


def _tar(judge: "Judge", name: str, arguments: "list[Word]", piped: bool) -> None:
    words = list(arguments)
    if words and words[0].text[:1] not in ("-", UNKNOWN, "") and "/" not in words[0].text:
        if "C" in words[0].text or "f" in words[0].text[:-1]:
            raise No(
                "unknown-option", f"tar {words[0].text}: write the options with a dash, each with its value behind it"
            )
        words[0] = Word("-" + words[0].text)  # tar xf is tar -xf
    got = options.read(
        name, words,
        "-c -x -t -v -z -j -J -p -k -m -O -f: -C:w -r -u -h --create --extract --list --verbose --gzip --bzip2 --xz --file="
        " --directory=w --strip-components= --exclude= --no-same-owner --keep-old-files --zstd --to-stdout --wildcards --auto-compress -a",
    )  # fmt: skip
    archive, makes = got.value("-f", "--file"), got.has("-c", "-r", "-u", "--create")
    if archive is not None and archive.text != "-":
        judge.writes(archive) if makes else judge.reads(archive)
    for folder in (value for _, value, use in got.given if use == "w" and value is not None):
        judge.writes(folder, into=True)
    for word in got.operands if makes else ():
        judge.reads(word)


def _chmod(judge: "Judge", name: str, arguments: "list[Word]", piped: bool) -> None:
    if any(word.text in ("-R", "--recursive") for word in arguments):
        raise No("delete-tree", "chmod -R changes whole folders")
    words = [word for word in arguments if word.text not in ("-v", "-c", "-f", "--verbose", "--")]
    mode = words[0].text if words else ""
    if mode[:2] == "--" or any(word.text[:1] == "-" for word in words[1:]):
        raise No("unknown-option", f"chmod {mode} is not in the table")
    if not mode or UNKNOWN in mode or "s" in mode or (mode.isdigit() and len(mode) > 3 and mode[0] != "0"):
        raise No("privilege", f"chmod {mode.replace(UNKNOWN, '?')} may let a program run as another user")
    for word in words[1:]:
        judge.writes(word)


def _ln(judge: "Judge", name: str, arguments: "list[Word]", piped: bool) -> None:
    """Both ends stay in the workspace: a link must lead nowhere that could not be read without it."""
    got = options.read(name, arguments, "-s -r -v -n -T --symbolic --relative --verbose --no-dereference")
    if not got.operands:
        return
    for word in got.operands[:-1] or got.operands:
        judge.writes(word)
    judge.writes(got.operands[-1])


def _read(judge: "Judge", name: str, arguments: "list[Word]", piped: bool) -> None:
    """The shell's own: names of variables."""
    got = options.read(name, arguments, "-r -s -d: -n: -N: -t: -p:")
    for word in got.operands:
        if not word.known:
            raise No("variable", "which variable is read is only known when it runs")
        judge.sets(word.text)


def _cd(judge: "Judge", name: str, arguments: "list[Word]", piped: bool) -> None:
    words = [word for word in arguments if word.text not in ("--", "-P", "-L")]
    if len(words) != 1 or words[0].text[:1] == "-":
        raise No("outside-read", "`cd` without a folder leads out of the workspace")
    judge.enters(words[0])


def _only(spec: str, why: str) -> "Callable[[Judge, str, list[Word], bool], None]":
    def special(judge: "Judge", name: str, arguments: "list[Word]", piped: bool) -> None:
        for word in options.read(name, arguments, spec).operands:
            judge.reads(word)

    special.__doc__ = why
    return special


SPECIAL = {
    "rm": _rm,
    "find": _find,
    "xargs": xargs,
    "tar": _tar,
    "chmod": _chmod,
    "ln": _ln,
    "read": _read,
    "cd": _cd,
    "fd": _only(
        "-H -I -t: -e: -d: -g -p -a -l -s -i -F -E: -0 --hidden --no-ignore --type= --extension= --max-depth= --glob --full-path --absolute-path"
        " --exclude= --fixed-strings",
        "It may run programs with -x, which is not in the table.",
    ),
}
