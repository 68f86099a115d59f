"""sed, awk and jq: their programs may only do what is plain to see, never run a command, write a file, show the environment."""

from agent_connector.worker.guard import options
from agent_connector.worker.guard.values import No
from agent_connector.worker.guard.words import UNKNOWN, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from agent_connector.worker.guard.grammar import Judge


def _sed(judge: "Judge", name: str, arguments: "list[Word]", piped: bool) -> None:
    got = options.read(
        name, arguments,
        "-n -e: -E -r -i:? -s -u -z -l: --quiet --silent --expression= --regexp-extended --in-place=? --separate --null-data"
        " --line-length= --posix --debug",
    )  # fmt: skip
    scripts = [value for option, value, _ in got.given if option in ("-e", "--expression") and value is not None]
    operands = list(got.operands)
    if not scripts and operands:
        scripts = [operands.pop(0)]
    for script in scripts:
        if script.split or UNKNOWN in script.text:
            raise No("unknown-argument", "what sed does is only known when it runs: write it out")
        if not _plain_sed(script.text):
            raise No(
                "inline-code",
                "sed may run commands and write files: only s///, p, d, q and line numbers are in the table",
            )
    for word in operands:
        judge.reads(word)
        if got.has("-i", "--in-place"):
            judge.writes(word)


def _plain_sed(script: str) -> bool:
    """Addresses, and of the commands `p d q = s y` and blocks without them. Never `e`, `w`, `r`."""
    at, size = 0, len(script)
    while at < size:
        at = _address(script, at)
        if at < 0:
            return False
        letter = script[at : at + 1]
        if letter in ("s", "y"):
            at = _substitute(script, at + 1)
            if at < 0:
                return False
        elif letter and letter in "pdqnNgGhHxDP=;\n{} \t":
            at += 1
        elif letter and letter in ":btT":  # a label, or a jump to one
            at += 1
            while at < size and script[at] not in ";\n} ":
                at += 1
        elif letter in ("a", "i", "c"):  # a text, to the end of the line
            end = script.find("\n", at)
            while end > 0 and script[end - 1] == "\\":
                end = script.find("\n", end + 1)
            at = size if end < 0 else end
        else:
            return at >= size
    return True


def _address(script: str, at: int) -> int:
    """Where the command behind an address begins; -1: it is not understood."""
    while at < len(script) and script[at] in " \t;\n,!$~+0123456789/\\":
        if script[at] == "\\":
            return -1
        if script[at] == "/":
            at = _until(script, at + 1, "/")
            if at < 0:
                return -1
            if script[at : at + 1] in ("I", "M"):
                at += 1
            continue
        at += 1
    return at


def _until(script: str, at: int, mark: str) -> int:
    """Behind the next `mark` that has no backslash before it and is not in a bracket; -1: there is none."""
    while at < len(script):
        if script[at] == "\\":
            at += 2
            continue
        if script[at] == mark:
            return at + 1
        if script[at] == "\n":
            return -1
        at += 1
    return -1


def _substitute(script: str, at: int) -> int:
    mark = script[at : at + 1]
    if not mark or mark.isalnum() or mark in "\\\n ;":
        return -1
    for _ in range(2):
        at = _until(script, at + 1 if _ == 0 else at, mark)
        if at < 0:
            return -1
    while at < len(script) and script[at] in "gpIi0123456789":
        at += 1
    return at if at >= len(script) or script[at] in ";\n} \t" else -1


def _awk(judge: "Judge", name: str, arguments: "list[Word]", piped: bool) -> None:
    got = options.read(name, arguments, "-F: -v: --field-separator= --assign= --posix --traditional")
    operands = list(got.operands)
    program = operands.pop(0) if operands else Word("")
    if program.split or UNKNOWN in program.text:
        raise No("unknown-argument", "what awk does is only known when it runs: write it out")
    bad = next(
        (
            word
            for word in ("system", "getline", "ENVIRON", "PROCINFO", "|", ">", "@", "close", "load")
            if word in program.text
        ),
        None,
    )
    if bad in (">", "|") and not _pipes(program.text):
        bad = None
    if bad == "ENVIRON":
        raise No("environment-dump", "awk's ENVIRON holds the environment")
    if bad is not None:
        raise No("inline-code", f"awk with `{bad}` may run commands, or write files")
    for word in operands:
        if "=" not in word.text:
            judge.reads(word)


def _pipes(program: str) -> bool:
    """Is there a `|` that is no `||`, a `>` that is no comparison within parentheses or a condition?"""
    rest = program.replace("||", "").replace(">=", "")
    if any(word in rest for word in ("system", "getline", "ENVIRON", "PROCINFO", "@", "load")) or "|" in rest:
        return True
    inside = 0
    for letter in rest:
        inside += {"{": 1, "}": -1}.get(letter, 0)
        if letter == ">" and inside > 0:
            return True
    return False


def _jq(judge: "Judge", name: str, arguments: "list[Word]", piped: bool) -> None:
    spec = (
        "-r -c -n -s -e -S -M -C -a -j -R -f:r --raw-output --compact-output --null-input --slurp --exit-status --sort-keys"
        " --tab --indent= --raw-input --join-output --stream --seq -P -o: -p: --output-format= --input-format="
    )
    words: list[Word] = []
    names = 0
    for word in arguments:  # `--arg name value` takes two
        if word.text in ("--arg", "--argjson"):
            names = 2
        elif names:
            names -= 1
        else:
            words.append(word)
    got = options.read(name, words, spec)
    for _, value, use in got.given:
        if use == "r" and value is not None:
            judge.reads(value)
    for word in got.operands[:1]:
        if UNKNOWN in word.text or word.split:
            raise No("unknown-argument", f"what {name} does is only known when it runs: write it out")
        if "$ENV" in word.text or _names_env(word.text):
            raise No("environment-dump", f"{name}'s `env` holds the environment")
        if (
            any(form in word.text for form in ("input_filename", "import", "include", "load", "system"))
            and name != "jq"
        ):
            raise No("inline-code", f"{name} may read other files")
    for word in got.operands[1:]:
        judge.reads(word)


def _names_env(program: str) -> bool:
    """Is there an `env` that is no part of another name and no field (`.env`)?"""
    at = program.find("env")
    while at >= 0:
        before, after = program[at - 1 : at] if at else "", program[at + 3 : at + 4]
        if before not in (".", "_", "$", '"') and not before.isalnum() and not (after.isalnum() or after == "_"):
            return True
        at = program.find("env", at + 1)
    return False


SPECIAL = {
    "sed": _sed,
    "gsed": _sed,
    **dict.fromkeys(("awk", "gawk", "mawk", "nawk"), _awk),
    "jq": _jq,
    "yq": _jq,
}
