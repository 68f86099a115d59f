"""The shell command that a host stores for a hook or a status line: it runs the launcher, or answers for it.

Hosts hand such a command to a shell. When the launcher is gone, or the whole home with it, the shell itself gives the
neutral answer and ends well, because some hosts take any failing hook as "no". The payload is read to its end also
then: a host that still writes must not meet a closed pipe. Nothing versioned stands in it: some hosts ask for trust
again when one letter of a command changes.
"""

import shlex
from collections.abc import Sequence


def guarded(launcher: str, args: Sequence[str], neutral: str, platform: str) -> str:
    """The command that runs `launcher` with `args`, or prints `neutral` when there is no launcher."""
    return _windows(launcher, args, neutral) if platform == "win32" else _posix(launcher, args, neutral)


def plain(launcher: str, args: Sequence[str], platform: str) -> str:
    """The command that runs `launcher` with `args` and nothing else: where it is gone, the shell says so."""
    return f'"{launcher}" {_words(args)}' if platform == "win32" else shlex.join([launcher, *args])


def _posix(launcher: str, args: Sequence[str], neutral: str) -> str:
    """Read alike by sh, bash, zsh and fish."""
    program = shlex.quote(launcher)
    answer = f" printf %s {shlex.quote(neutral)};" if neutral else ""
    return f"test -x {program} && exec {program} {shlex.join(args)}; cat >/dev/null 2>&1;{answer} exit 0"


_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:\\=,@+")


def _windows(launcher: str, args: Sequence[str], neutral: str) -> str:
    """`exit` and `echo` are of cmd itself; `/d` keeps out what a person has put into every cmd."""
    program = f'"{launcher}"'
    words = _words(args)
    answer = f"echo {_escaped(neutral)}" if neutral else "exit /b 0"
    return f"cmd /d /c if exist {program} ({program} {words}) else ({answer})"


def _words(args: Sequence[str]) -> str:
    return " ".join(word if word and set(word) <= _PLAIN else _quoted(word) for word in args)


def _quoted(word: str) -> str:
    """As the C runtime of the launcher reads it: a quote and the backslashes before it are escaped."""
    out, slashes = "", 0
    for letter in word:
        if letter == "\\":
            slashes += 1
            continue
        out += "\\" * (slashes * 2 + 1 if letter == '"' else slashes) + letter
        slashes = 0
    return f'"{out}{chr(92) * slashes * 2}"'


def _escaped(text: str) -> str:
    return "".join("^" + letter if letter in "^&|<>()" else letter for letter in text)
