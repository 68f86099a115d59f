"""The table of programs: what may be run with which words. A program that is not in it is denied.

Each row has the options (see `options`) and what becomes of the other words:
`text` nothing, they are not files; `read` they are read; `write` they are written; `copy` the last is written and the
others read; `search` the first is a text, the others are read; `project` they stay in the run's folders; `none` there are none. A row with a function judges itself.
"""

from agent_connector.worker.guard import (
    development,
    files,
    filters,
    git,
    interpreters,
    network,
    options,
    paths,
    wrappers,
)
from agent_connector.worker.guard.refused import REFUSED
from agent_connector.worker.guard.values import No
from agent_connector.worker.guard.words import UNKNOWN, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from agent_connector.worker.guard.grammar import Judge

    Row = tuple[str, str]
    Special = Callable[["Judge", str, list[Word], bool], None]

TABLE: "dict[str, Row]" = {
    **development.TABLE,
    # the shell's own, and what only prints
    **dict.fromkeys(["echo", "true", "false", ":", "pwd", "date", "sleep", "seq", "basename", "dirname", "whoami", "uname", "arch", "nproc", "uptime", "df", "free"], ("*", "text")),
    **dict.fromkeys(["cal", "expr", "getconf", "locale", "test", "[", "exit", "return", "break", "continue", "wait", "yes", "tput"], ("*", "text")),
    "id": ("*", "text"),
    "groups": ("", "text"),
    "printf": ("", "text"),
    "hostname": ("-s -f -i", "none"),
    "which": ("-a", "text"),
    "type": ("-a -t -p -P", "text"),
    "shift": ("", "text"),
    "set": ("-e -u -x -o: -f", "none"),
    "tty": ("*", "none"),
    # reading
    **dict.fromkeys(["cat", "ls", "head", "tail", "wc", "cut", "nl", "tac", "rev", "paste", "join", "comm", "diff", "cmp", "sum", "cksum"], ("*", "read")),
    **dict.fromkeys(["md5sum", "sha1sum", "sha224sum", "sha256sum", "sha384sum", "sha512sum", "b2sum", "od", "hexdump"], ("*", "read")),
    **dict.fromkeys(["stat", "du", "strings", "realpath", "readlink", "column", "fold", "fmt", "expand", "unexpand", "zcat", "bzcat", "xzcat"], ("*", "read")),
    **dict.fromkeys(["nm", "objdump", "readelf", "size", "ldconfig", "lsblk", "pr", "look", "tsort", "diff3", "colordiff", "sdiff", "batcat", "bat", "dir", "vdir"], ("*", "read")),
    "base64": ("-w: --wrap= -i -d -D --decode", "read"),
    "base32": ("-w: -d --decode", "read"),
    "file": ("-b -i -L -z --brief --mime --mime-type --mime-encoding", "read"),
    "tr": ("-c -C -d -s -t --complement --delete --squeeze-repeats", "text"),
    "sort": (
        ("-b -d -f -g -h -i -M -n -R -r -V -c -C -m -s -u -z -k: -t: -S: -o:w --key= --field-separator= --unique --reverse"
        " --numeric-sort --human-numeric-sort --version-sort --stable --output=w --ignore-case --check"), "read"),
    "uniq": ("-c -d -D -u -i -z -f: -s: -w: --count --repeated --unique --ignore-case", "one"),
    "xxd": ("-a -b -c: -e -g: -i -l: -o: -p -ps -r -s: -u -plain", "one"),
    "tree": ("-a -d -f -i -l -L: -P: -I: -h -s -p -u -g -D -F -C -n -J -X --dirsfirst --gitignore --noreport --prune --du", "read"),
    **dict.fromkeys(["grep", "egrep", "fgrep", "zgrep"], ("*", "search")),
    "rg": (
        ("-# -a -A: -B: -C: -c -e: -f:r -F -g: -H -h -i -I -j: -l -L -m: -M: -n -N -o -p -P -q -r: -s -S -t: -T: -u -U -v -V"
        " -w -x -z -0 --after-context= --before-context= --context= --count --count-matches --color= --colors= --column"
        " --crlf --debug --files --files-with-matches --files-without-match --fixed-strings --follow --glob= --iglob="
        " --heading --no-heading --hidden --ignore-case --invert-match --json --line-number --no-line-number"
        " --max-columns= --max-count= --max-depth= --max-filesize= --multiline --multiline-dotall --no-filename"
        " --no-ignore --no-ignore-vcs --no-messages --null --only-matching --passthru --pcre2 --pretty --quiet"
        " --regexp= --replace= --smart-case --sort= --sortr= --stats --text --threads= --trim --type= --type-not="
        " --type-list --unrestricted --version --vimgrep --with-filename --word-regexp --line-regexp --case-sensitive"),
        "search"),
    # writing
    "mkdir": ("-p -v -m: --parents --verbose --mode=", "write"),
    "rmdir": ("-p -v --parents --verbose --ignore-fail-on-non-empty", "write"),
    "touch": ("-a -c -m -h -d: -t: -r:r --no-create --date= --reference=r", "write"),
    "tee": ("-a -i --append", "write"),
    "mktemp": ("-d -q -u -p:w -t --directory --suffix= --tmpdir=w", "write"),
    "cp": (("-a -b -d -f -i -L -n -p -P -r -R -T -u -v -x -t:w --archive --no-clobber --force --recursive --preserve=?"
           " --parents --update=? --verbose --target-directory=w --no-target-directory --dereference --no-dereference"),
           "copy"),
    "mv": ("-f -i -n -u -v -T -t:w --force --no-clobber --update=? --verbose --target-directory=w", "move"),
    "gzip": ("-k -d -c -f -v -# -l -t --keep --decompress --stdout --force --best --fast", "write"),
    "gunzip": ("-k -c -f -v -l -t", "write"),
    "zip": ("-r -q -v -j -# -x: -i: -u --recurse-paths --quiet", "write"),
    "unzip": ("-l -o -q -n -v -t -d:w -p -Z", "read"),
}  # fmt: skip

SPECIAL: "dict[str, Special]" = {
    **files.SPECIAL,
    **filters.SPECIAL,
    **interpreters.SPECIAL,
    **development.SPECIAL,
    **network.SPECIAL,
    **wrappers.SPECIAL,
    "git": git.judge,
}

# Variables that a command may set: they change nothing but what the project's own programs do.
VARIABLES = (
    "CI", "DEBUG", "VERBOSE", "NODE_ENV", "RUST_*", "CARGO_TERM_*", "CARGO_INCREMENTAL", "CGO_ENABLED", "GOOS", "GOARCH",
    "GO111MODULE", "CFLAGS", "CXXFLAGS", "CPPFLAGS", "LDFLAGS", "PYTHONPATH", "PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED",
    "PYTHONHASHSEED", "PYTHONWARNINGS", "PYTHONIOENCODING", "PYTHONUTF8", "PYTHONASYNCIODEBUG", "FORCE_COLOR", "NO_COLOR",
    "CLICOLOR*", "COLUMNS", "LINES", "TERM", "TZ", "LANG", "LC_*", "LOG_*", "LOGLEVEL", "TEST_*", "APP_*", "MY_*", "PORT",
    "HOST", "DJANGO_SETTINGS_MODULE", "FLASK_*", "RAILS_ENV", "RACK_ENV", "MIX_ENV", "SOAK", "COVERAGE_FILE", "TMPDIR", "OUT",
    "DIR", "FILE", "FILES", "NAME", "VERSION", "BRANCH", "COUNT", "RESULT", "STATUS", "I", "N", "X", "Y",
)  # fmt: skip
_LOWER_REFUSED = ("http_proxy", "https_proxy", "ftp_proxy", "all_proxy", "no_proxy", "histchars", "prompt", "path", "cdpath",
                  "fpath", "precmd", "chpwd", "preexec", "auto_resume", "_")  # fmt: skip


def settable(name: str) -> None:
    """Raises No for a variable that changes what other programs do."""
    if not name.isascii() or not name.isidentifier():
        raise No("variable", f"{name} is no plain name of a variable")
    if any(
        name == one or (one[-1:] == "*" and name.startswith(one[:-1]) and not name.startswith("RUST_WRAPPER"))
        for one in VARIABLES
    ):
        return
    if name == name.lower() and name not in _LOWER_REFUSED and not name.startswith(("npm_", "_", "git_", "ld_")):
        return
    raise No("variable", f"{name} may change what other programs do; it is not in the table of variables")


def assigned(judge: "Judge", name: str, text: str) -> None:
    """What a variable is set to: the folders of a search path stay in the workspace."""
    if name in ("PYTHONPATH", "TMPDIR"):
        for part in text.split(":"):
            if part and UNKNOWN not in part:
                judge.reads(Word(part))


def judge(judge: "Judge", words: "Sequence[Word]", piped: bool) -> None:
    """One command by its words, what a person allowed in front of the tables."""
    first = words[0]
    if not first.known or not first.text:
        raise No("dynamic-command", "which program it runs is only known when it runs")
    name = first.text
    if not name.isascii():
        raise No("look-alike", f"{name!r} holds letters that look like others")
    arguments = list(words[1:])
    if _is_allowed(judge, words):
        return
    if "/" in name:
        name = _of_path(judge, name, arguments, piped)
        if name is None:
            return
    lowered = name.lower().removesuffix(".exe")
    refused = REFUSED.get(lowered)
    if refused is not None:
        raise No(*refused)
    special = SPECIAL.get(name)
    if special is not None:
        special(judge, name, arguments, piped)
        return
    row = TABLE.get(name)
    if row is None:
        if lowered in SPECIAL or lowered in TABLE:
            raise No("look-alike", f"{name} is not {lowered}, though some file systems take it for that")
        raise No("unknown-program", f"{name} is not in the table of programs")
    listed(judge, name, arguments, row)


def listed(judge: "Judge", name: str, arguments: "list[Word]", row: "Row") -> None:
    """A program of the table."""
    spec, kind = row
    got = options.read(name, arguments, spec)
    for _, value, use in got.given:
        if value is not None and use == "w":
            judge.writes(value)
        elif value is not None and use == "r" and value.text:
            _reads_if_file(judge, value)
    _OPERANDS[kind](judge, name, got)


def _reads_if_file(judge: "Judge", value: Word) -> None:
    """What an option carries may be a file: then it is one that may be read."""
    if "/" in value.text or value.text[:1] in ("~", "."):
        judge.reads(value)


def _of_path(judge: "Judge", name: str, arguments: "list[Word]", piped: bool) -> "str | None":
    """A program by its path: the system's by its name, one of the workspace by what it is (None: it is judged)."""
    folder, _, last = name.rpartition("/")
    if folder in paths.PROGRAMS and judge.rules.real(name).rpartition("/")[2] in (last, *_also(judge, name)):
        return last
    interpreters.program(judge, name, arguments, piped)
    return None


def _also(judge: "Judge", name: str) -> "tuple[str, ...]":
    """/usr/bin/python3 is a link to python3.11; /usr/bin/awk to mawk."""
    real = judge.rules.real(name)
    return (real.rpartition("/")[2],) if real.rpartition("/")[0] in (*paths.PROGRAMS, "/etc/alternatives") else ()


def _is_allowed(judge: "Judge", words: "Sequence[Word]") -> bool:
    """Did a person allow exactly this? A pattern's words are compared one by one, each known; never a push."""
    texts = [word.text for word in words]
    if not all(word.known for word in words) or any("push" in text or "send-pack" in text for text in texts):
        return False
    for pattern in judge.rules.allow:
        rest = pattern[:-1] if pattern and pattern[-1] == "*" else pattern
        if rest and list(rest) == texts[: len(rest)] and (len(rest) < len(pattern) or len(texts) == len(pattern)):
            return True
    return False


# ---- what becomes of the words that are no options


def _text(judge: "Judge", name: str, got: options.Read) -> None:
    return


def _none(judge: "Judge", name: str, got: options.Read) -> None:
    if got.operands:
        raise No("unknown-argument", f"{name} with {got.operands[0].text!r} is not in the table")


def _read(judge: "Judge", name: str, got: options.Read) -> None:
    for word in got.operands:
        if word.text != "-":
            judge.reads(word)


def _search(judge: "Judge", name: str, got: options.Read) -> None:
    has_text = got.has("-e", "-f", "--regexp", "--file", "--files", "--type-list")
    for word in got.operands if has_text else got.operands[1:]:
        if word.text != "-":
            judge.reads(word)


def _write(judge: "Judge", name: str, got: options.Read) -> None:
    for word in got.operands:
        judge.writes(word)


def _one(judge: "Judge", name: str, got: options.Read) -> None:
    """One file to read; a second one would be written."""
    for word in got.operands[:1]:
        if word.text != "-":
            judge.reads(word)
    for word in got.operands[1:]:
        judge.writes(word)


def _copy(judge: "Judge", name: str, got: options.Read) -> None:
    into = got.has("-t", "--target-directory")
    sources, target = (got.operands, None) if into else (got.operands[:-1], got.operands[-1:])
    for word in sources:
        judge.reads(word)
    _into(judge, sources, target[0] if target else got.value("-t", "--target-directory"))


def _move(judge: "Judge", name: str, got: options.Read) -> None:
    """What is moved away is written too."""
    into = got.value("-t", "--target-directory")
    sources = got.operands if into else got.operands[:-1]
    for word in sources:
        judge.writes(word)
    _into(judge, sources, into or (got.operands[-1] if got.operands else None))


def _into(judge: "Judge", sources: "list[Word]", target: "Word | None") -> None:
    """The target may be a folder: then files of the sources' names are written in it."""
    if target is None:
        return
    judge.writes(target, into=True)
    for word in sources:
        name = word.text.rstrip("/").rpartition("/")[2]
        if name in (".", "..", "") or (word.glob and name[:1] == "."):
            raise No("outside-write", f"{word.text} copies everything in a folder, hidden files too: name the files")
        judge.writes(Word(f"{target.text}/{name}", glob=word.glob))


def _project(judge: "Judge", name: str, got: options.Read) -> None:
    """A tool over the project: whatever it does with a path, it stays in the run's folders."""
    words = [value for option, value, _ in got.given if value is not None and option not in ("-I", "-L")]
    for word in (*got.operands, *words):
        if word.text[:1] in ("/", "~") or word.text.startswith("../"):
            paths.readable(word.text, judge.cwds, judge.rules)
            if word.text != "/dev/null" and not word.glob:
                judge.stays(word)


_OPERANDS: "dict[str, Callable[[Judge, str, options.Read], None]]" = {
    "text": _text,
    "none": _none,
    "read": _read,
    "search": _search,
    "write": _write,
    "one": _one,
    "copy": _copy,
    "project": _project,
    "move": _move,
}
