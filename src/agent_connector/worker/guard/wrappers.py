"""Programs that run another one: what they run is judged as if it stood alone."""

from agent_connector.worker.guard import options
from agent_connector.worker.guard.values import No
from agent_connector.worker.guard.words import UNKNOWN, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from agent_connector.worker.guard.grammar import Judge

# name -> (its own options, how many words of its own come before the program's name)
TABLE = {
    "nohup": ("+", 0),
    "setsid": ("+ -w -f -c --wait --fork", 0),
    "time": ("+ -p -v", 0),
    "timeout": ("+ -k: -s: -v --kill-after= --signal= --preserve-status --foreground", 1),
    "gtimeout": ("+ -k: -s: --kill-after= --signal= --preserve-status --foreground", 1),
    "nice": ("+ -n: -# --adjustment=", 0),
    "stdbuf": ("+ -i: -o: -e: --input= --output= --error=", 0),
    "exec": ("+", 0),
    "builtin": ("+", 0),
    "command": ("+ -p -v -V", 0),
    "chronic": ("+", 0),
    "caffeinate": ("+ -i -s -d", 0),
}


def _looked_through(judge: "Judge", name: str, arguments: "list[Word]", piped: bool) -> None:
    spec, own = TABLE[name]
    got = options.read(name, arguments, spec)
    if got.has("-v", "-V") and name == "command":
        return
    for word in got.operands[:own]:
        if not word.known:
            raise No("unknown-argument", f"what stands before the program of {name} is only known when it runs")
    inner = got.operands[own:]
    if inner:
        judge.command(inner, piped)


def _env(judge: "Judge", name: str, arguments: "list[Word]", piped: bool) -> None:
    """`env NAME=value program`: without a program it prints everything."""
    from agent_connector.worker.guard.programs import assigned, settable

    got = options.read(name, arguments, "+ -i -u: --ignore-environment --unset=")
    inner = list(got.operands)
    while inner and "=" in inner[0].text and inner[0].text[:1] != "=":
        word = inner.pop(0)
        variable, _, value = word.text.partition("=")
        settable(variable)
        assigned(judge, variable, value)
    if not inner:
        raise No("environment-dump", "env prints the environment, where keys may be")
    for _, value, _ in got.given:
        if value is not None:
            settable(value.text)
    judge.command(inner, piped)


def _set(judge: "Judge", name: str, arguments: "list[Word]", piped: bool) -> None:
    """`set -euo pipefail`; without a word it prints every variable."""
    words = [word.text for word in arguments]
    if not words or words in (["-o"], ["+o"]) or UNKNOWN in "".join(words):
        raise No("environment-dump", "set prints every variable")
    names = ("pipefail", "errexit", "nounset", "noglob", "noclobber")
    for at, word in enumerate(words):
        if word in names and at and words[at - 1][-1:] == "o":
            continue
        if word[:1] not in ("-", "+") or not set(word[1:]) <= set("euxofC"):
            raise No("variable", f"set {word} is not in the table")


SPECIAL = {**dict.fromkeys(TABLE, _looked_through), "env": _env, "set": _set}
