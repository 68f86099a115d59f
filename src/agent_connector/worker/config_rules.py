"""The keys of connector.yml: what each takes, in words too, and what it means. The defaults are those of `config`."""

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from agent_connector.worker import providers

KINDS = ("auto", "bubblewrap", "landlock", "seatbelt", "srt", "container", "none")
NETWORKS = ("model", "hosts", "open")
LONGEST = 500  # characters of a text
DAY_MS = 86_400_000
SECTIONS = {
    "sandbox": "How a run is shut in.",
    "guard": "What an agent may run beyond the guard's own rules.",
    "hitl": "When a person is asked, and how the answer comes back.",
    "ergonomics": "How much at once, for how much money, and how to stop it all.",
    "log": "How a run's log goes to the board.",
}
NO_PUSH = (
    "the worker never pushes: what an agent did is looked at by a person first. "
    "Take the line out; the branch is in sandboxDir, and a wanted push is asked of a person"
)


class NotAllowed(Exception):
    """A value that a rule does not take; with a sentence where "found ...; allowed: ..." does not say enough."""


@dataclass(frozen=True, slots=True)
class Rule:
    """`read` gives the value as it is kept, or raises NotAllowed; `allowed` says in words what it takes."""

    read: Callable[[Any], Any]
    allowed: str
    meaning: str


def _text(value: Any) -> str:
    if not isinstance(value, str) or not value.strip() or len(value) > LONGEST or not value.isprintable():
        raise NotAllowed
    return value.strip()


def _texts(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise NotAllowed
    return tuple(dict.fromkeys(map(_text, cast("list[Any]", value))))


def _some_texts(value: Any) -> tuple[str, ...]:
    found = _texts(value)
    if not found:
        raise NotAllowed
    return found


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise NotAllowed
    return value


def _never(value: Any) -> bool:
    if value not in (False, None, 0, "", "false", "no", "off", "n", "0"):
        raise NotAllowed(NO_PUSH)
    return _flag(value)


def _whole(least: int, most: int) -> Callable[[Any], int]:
    def read(value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise NotAllowed
        return int(value)

    return read


def _money(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not (value > 0 and math.isfinite(value)):
        raise NotAllowed
    return float(value)


def _one_of(*words: str) -> Callable[[Any], str]:
    def read(value: Any) -> str:
        if value not in words:
            raise NotAllowed
        return str(value)

    return read


def _adapter(value: Any) -> str:
    host = providers.host_of(value) if isinstance(value, str) else None
    if host is None:
        raise NotAllowed
    return host


_HOST = re.compile(r"(\*\.)?([a-z0-9_]([a-z0-9_-]*[a-z0-9_])?\.)*[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(:\d{1,5})?")


def _hosts(value: Any) -> tuple[str, ...]:
    found = tuple(name.casefold() for name in _texts(value))
    if not all(map(_HOST.fullmatch, found)):
        raise NotAllowed
    return found


def _rows(value: Any) -> Any:
    """A list of tables; `config_read` goes on with each by the rules of GUARD_ROW."""
    rows = cast("list[Any]", value) if isinstance(value, list) else [None]
    if not all(isinstance(row, Mapping) for row in rows):
        raise NotAllowed
    return rows


_A_TEXT, _TEXTS, _FLAG, _USD = "a text on one line", "a list of texts", "true or false", "a number of USD above 0"
_SOME = "a list of at least one text"


def _ms(least: int, meaning: str, most: int = DAY_MS) -> Rule:
    return Rule(_whole(least, most), f"a whole number of milliseconds, {least} to {most}", meaning)


def _number(least: int, most: int, meaning: str) -> Rule:
    return Rule(_whole(least, most), f"a whole number, {least} to {most}", meaning)


GUARD_ROW: Mapping[str, Rule] = {
    "repo": Rule(_text, _A_TEXT, "The repository."),
    "command": Rule(_text, _A_TEXT, "The command."),
}

RULES: Mapping[str, Rule] = {
    "sandboxDir": Rule(_text, "a folder", "The folder that agents work in. The one key without a default."),
    "connectorId": Rule(_text, _A_TEXT, "This worker's name at the board. Unset: the machine's name."),
    "bundleName": Rule(_text, _A_TEXT, "The bundle of files that the board serves to this worker."),
    "board": Rule(_text, _A_TEXT, "Take tasks of this board only. Unset: of all that the key may see."),
    "pollStatus": Rule(_some_texts, _SOME, "Tasks in one of these are taken."),
    "runningStatus": Rule(_text, _A_TEXT, "What a task becomes while its run lasts. Unset: it is left alone."),
    "doneStatus": Rule(_text, _A_TEXT, "What a task becomes when its run succeeded. Unset: it is left alone."),
    "failedStatus": Rule(_text, _A_TEXT, "What a task becomes when its run failed. Unset: it is left alone."),
    "pollIntervalMs": _ms(10, "How often the board is asked."),
    "pollLimit": _number(1, 200, "Tasks in one answer of the board; every page is read."),
    "runTimeoutMs": _ms(1, "A run that lasts longer is ended.", 7 * DAY_MS),
    "stallTimeoutMs": _ms(1, "A run that says nothing for so long is ended.", 7 * DAY_MS),
    "leaseSeconds": _number(1, 86_400, "How long a task stays ours without a sign of life; prolonged at each third."),
    "killGraceMs": _ms(0, "Between asking a run to end and ending it.", 600_000),
    "adapter": Rule(
        _adapter, "a host, or `acp:` and one", "The host that works where no role names a provider that is known here."
    ),
    "statePath": Rule(_text, "a file", "What the worker remembers. Unset: `worker-state.db` beside this file."),
    "allowInsecure": Rule(_flag, _FLAG, "Speak to a board over plain http that is not on this machine."),
    "inheritHome": Rule(_flag, _FLAG, "Give runs copies of your hooks, memory and servers of their host."),
    "sandbox.kind": Rule(
        _one_of(*KINDS), ", ".join(KINDS), "What shuts a run in; `auto` is the first that works here."
    ),
    "sandbox.network": Rule(
        _one_of(*NETWORKS),
        ", ".join(NETWORKS),
        "What a run can reach: `model` its model's endpoint alone, `hosts` that and `allowHosts`, `open` everything.",
    ),
    "sandbox.allowHosts": Rule(
        _hosts,
        "a list of host names, each `name`, `*.name` or `name:port`",
        "Reached beside the model, with `network: hosts`.",
    ),
    "guard.allow": Rule(_rows, "a list of {repo, command}", "Commands that the guard lets pass, by repository."),
    "guard.allowUnguarded": Rule(_flag, _FLAG, "Use hosts that cannot be shown to deny a forbidden command."),
    "hitl.blockedStatus": Rule(_text, _A_TEXT, "What a task becomes when a person is asked."),
    "hitl.resumeStatus": Rule(_text, _A_TEXT, "Where a person puts a task back to have it go on."),
    "hitl.answerers": Rule(
        _texts, _TEXTS, "Whose comments count as answers. Empty: of whoever set the status, where the board tells it."
    ),
    "hitl.adapterHumanMarkers": Rule(_some_texts, _SOME, "A line of the agent that begins so asks for a person."),
    "hitl.riskMarkers": Rule(
        _texts, _TEXTS, "Words in a task, or in what the agent says, for which a person is asked."
    ),
    "ergonomics.killSwitchFile": Rule(
        _text, "a file", "While it exists no task is begun and running ones are ended. Unset: `STOP` beside this file."
    ),
    "ergonomics.maxConcurrency": _number(1, 64, "Runs at once; above 1 only where sandboxDir is a git repository."),
    "ergonomics.spendCapUsd": Rule(_money, _USD, "What one start of the worker may spend. Unset: no cap."),
    "ergonomics.spendCapPerDayUsd": Rule(_money, _USD, "What a day may cost. Unset: no cap."),
    "ergonomics.spendCapPerBoardUsd": Rule(_money, _USD, "What one board may cost. Unset: no cap."),
    "ergonomics.runReserveUsd": Rule(_money, _USD, "Set aside for a run before it starts; a run beyond it is stopped."),
    "ergonomics.autoPush": Rule(_never, "false", "Always false: the worker never pushes."),
    "log.batchSize": _number(1, 200, "Events that go to the board at once."),
    "log.flushIntervalMs": _ms(10, "How long an event waits for others at most.", 3_600_000),
    "log.maxEvents": _number(1, 10_000_000, "Events of one run; what comes after them is dropped, and that is said."),
}
OPTIONAL = frozenset(  # whose `null` means the same as leaving them out: they have no value of their own
    name
    for name in RULES
    if name in ("connectorId", "board", "runningStatus", "doneStatus", "failedStatus", "statePath")
    or name.startswith("ergonomics.spendCap")
    or name == "ergonomics.killSwitchFile"
)


def section(name: str) -> dict[str, Rule]:
    """The rules of one section by the key's own name; "" is the top."""
    if not name:
        return {key: rule for key, rule in RULES.items() if "." not in key}
    return {key.partition(".")[2]: rule for key, rule in RULES.items() if key.startswith(name + ".")}


def attribute(key: str) -> str:
    """`spendCapUsd` is `spend_cap_usd` in Python."""
    return re.sub(r"[A-Z]", lambda found: "_" + found[0].lower(), key)
