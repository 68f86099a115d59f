"""From the text of connector.yml to a Config: every problem is found, and said with its line."""

import os
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Any, cast

from agent_connector.errors import WorkerError
from agent_connector.worker import places, providers
from agent_connector.worker.config import Allow, Config, Ergonomics, Guard, Hitl, Log, Sandbox
from agent_connector.worker.config_rules import GUARD_ROW, OPTIONAL, SECTIONS, NotAllowed, Rule, attribute, section

LARGEST = 256 * 1024
SETUP = "agent-connector worker setup"
_CLASSES = {"sandbox": Sandbox, "guard": Guard, "hitl": Hitl, "log": Log}
_LONG = 60  # characters of a value that are shown


def read(path: str, variables: Mapping[str, str], home: str) -> Config:
    path = os.path.abspath(path)
    reader = _Reader(path, variables, home)
    found = reader.read(_text(path))
    if reader.problems or found is None:
        said = [sentence for _, sentence in sorted(reader.problems, key=lambda problem: problem[0])]
        what = "one thing is wrong" if len(said) == 1 else f"{len(said)} things are wrong"
        raise WorkerError(f"{what} in the configuration", where=path, remedy="\n  ".join(said))
    return found


def _text(path: str) -> str:
    try:
        with open(path, "rb") as stream:
            held = stream.read(LARGEST + 1)
    except FileNotFoundError:
        raise WorkerError("there is no configuration", where=path, remedy=f"Make one: {SETUP}") from None
    except OSError as error:
        raise WorkerError(f"it cannot be read: {error.strerror}", where=path) from None
    if len(held) > LARGEST:
        raise WorkerError(f"it is larger than {LARGEST} bytes", where=path, remedy="Is it the right file?")
    try:
        return held.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = held[: error.start].count(b"\n") + 1
        raise WorkerError("it is not UTF-8", where=f"{path}:{line}", remedy="Save it as UTF-8.") from None


def _parsed(text: str, path: str) -> Any:
    from ruamel.yaml import YAML  # late: it takes longer to import than most verbs take to run
    from ruamel.yaml.error import MarkedYAMLError, YAMLError

    parser: Any = YAML(typ="rt", pure=True)
    try:
        return parser.load(text)
    except MarkedYAMLError as fault:
        error: Any = fault  # ruamel's errors carry no types
        mark = error.problem_mark or error.context_mark
        why = str(error.problem or error.context or "a fault").strip().split("\n")[0]
        where = f"{path}:{int(mark.line) + 1}" if mark else path
        raise WorkerError(f"not valid YAML: {why}", where=where, remedy="Mend that line.") from None
    except (YAMLError, ValueError, RecursionError) as error:
        why = " ".join(str(error).split())[:200] or type(error).__name__
        raise WorkerError(f"not valid YAML: {why}", where=path, remedy="Mend the file.") from None


class _Reader:
    """One reading of one file; `problems` are pairs of a line and a sentence."""

    def __init__(self, path: str, variables: Mapping[str, str], home: str) -> None:
        self.path = path
        self.variables = variables
        self.home = home
        self.problems: list[tuple[int, str]] = []
        self.lines: dict[str, int] = {}

    def read(self, text: str) -> Config | None:
        parsed = _parsed(text, self.path)
        if parsed is not None and not isinstance(parsed, Mapping):
            self.problem("", 1, f"found {_shown(parsed)}; allowed: keys with values, such as `sandboxDir: ~/work`")
            return None
        top = cast("Mapping[Any, Any]", parsed or {})
        given = self.keys("", top)
        parts = {name: self.keys(name, top.get(name)) for name in SECTIONS}
        if "sandboxDir" not in top:
            self.problem("sandboxDir", 1, f"it is missing: the folder that agents work in. {SETUP} asks for it")
        if "sandbox_dir" not in given:
            return None
        made = self.made(given, parts)
        self.agree(made)
        return made

    def keys(self, part: str, table: Any) -> dict[str, Any]:
        """The values of one section by attribute; what is wrong is noted and left out."""
        rules, found = section(part), dict[str, Any]()
        if table is None:
            return found
        if not isinstance(table, Mapping):
            self.problem(part, self.lines.get(part, 1), f"found {_shown(table)}; allowed: keys with values")
            return found
        names = (*rules, *SECTIONS) if not part else tuple(rules)
        for key, value in cast("Mapping[Any, Any]", table).items():
            whole, line = f"{part}.{key}" if part else str(key), _line(table, key)
            self.lines[whole] = line
            if key in rules:
                self.value(whole, rules[key], value, line, found)
            elif key not in names:
                self.problem(whole, line, _unknown(str(key), names))
        return found

    def value(self, whole: str, rule: Rule, value: Any, line: int, found: dict[str, Any]) -> None:
        if value is None and whole in OPTIONAL:
            return
        try:
            read = rule.read(value)
        except NotAllowed as refused:
            self.problem(whole, line, str(refused) or f"found {_shown(value)}; allowed: {_allowed(whole, rule, value)}")
            return
        name = attribute(whole.rpartition(".")[2])
        found[name] = self.rows(whole, read) if whole == "guard.allow" else read

    def rows(self, whole: str, given: Any) -> tuple[Allow, ...]:
        made: list[Allow] = []
        for number, row in enumerate(given):
            held = dict[str, Any]()
            for key, value in row.items():
                name, line = f"{whole}[{number}].{key}", _line(row, key)
                if key in GUARD_ROW:
                    self.value(name, GUARD_ROW[key], value, line, held)
                else:
                    self.problem(name, line, _unknown(str(key), tuple(GUARD_ROW)))
            for key in GUARD_ROW:
                if key not in row:
                    self.problem(f"{whole}[{number}].{key}", self.lines[whole], "it is missing")
            if len(held) == len(GUARD_ROW):
                made.append(Allow(**held))
                self.never(f"{whole}[{number}].command", _line(row, "command"), held["command"])
        return tuple(made)

    def never(self, name: str, line: int, command: str) -> None:
        """What no line of `guard.allow` may unlock is said at once, not when the first run is guarded."""
        from agent_connector.worker.guard.policy import allowed_words  # late: most files have no such line

        try:
            allowed_words(command)
        except WorkerError as error:
            self.problem(name, line, f"{error.what}; {error.remedy}" if error.remedy else error.what)

    def made(self, given: dict[str, Any], parts: dict[str, dict[str, Any]]) -> Config:
        beside = os.path.dirname(self.path)

        def file(named: str | None, default: str) -> str:
            return places.absolute(named or default, self.home, beside)

        given["sandbox_dir"] = os.path.realpath(file(given["sandbox_dir"], ""))
        given["state_path"] = file(given.get("state_path"), places.STATE)
        held = parts["ergonomics"]
        held["kill_switch_file"] = file(held.get("kill_switch_file"), places.KILL_SWITCH)
        sections = {name: make(**parts[name]) for name, make in _CLASSES.items()}
        return Config(path=self.path, ergonomics=Ergonomics(**held), **sections, **given)

    def agree(self, made: Config) -> None:
        """What is right by itself, but not together or not on this machine."""
        self.folder(made)
        own = made.ergonomics
        if made.sandbox.allow_hosts and made.sandbox.network != "hosts":
            self.at("sandbox.allowHosts", f"it counts only with `network: hosts`, and that is `{made.sandbox.network}`")
        if made.kill_grace_ms >= made.lease_seconds * 1000 * 2 // 3:
            self.at("killGraceMs", "it must be less than two thirds of leaseSeconds, or a run outlives its lease")
        for name in ("spendCapUsd", "spendCapPerDayUsd", "spendCapPerBoardUsd"):
            cap = getattr(own, attribute(name))
            if cap is not None and cap < own.run_reserve_usd:
                self.at(
                    f"ergonomics.{name}", f"it is less than runReserveUsd ({own.run_reserve_usd:g}): no run could start"
                )
        self.statuses(made)

    def folder(self, made: Config) -> None:
        """The rules for sandboxDir, against what lies on this machine."""
        name, folder = "sandboxDir", made.sandbox_dir
        secret = places.clash(folder, places.secret_folders(self.variables, self.home))
        own = (
            made.path,
            made.state_path,
            made.ergonomics.kill_switch_file,
            places.credentials_file(self.variables, self.home),
        )
        held = next((file for file in own if places.within(file, folder)), None)
        if secret:
            self.at(name, f"{folder} is in, or holds, {secret}, where keys are kept; choose a folder apart from it")
        elif held:
            self.at(name, f"{folder} holds {held}, which an agent could then change; choose a folder apart from it")
        elif not os.path.isdir(folder):
            self.at(name, f"there is no folder {folder}; make it, or let {SETUP} make it")
        elif made.ergonomics.max_concurrency > 1 and not is_repository(folder):
            self.at(
                "ergonomics.maxConcurrency",
                f"found {made.ergonomics.max_concurrency}, but {folder} is no git repository and runs share it: "
                "allowed is 1. In a repository (git init) each run gets a clone of its own",
            )

    def statuses(self, made: Config) -> None:
        mine = {
            "doneStatus": made.done_status,
            "failedStatus": made.failed_status,
            "hitl.blockedStatus": made.hitl.blocked_status,
        }
        for name, status in mine.items():
            if status is not None and status in made.poll_status:
                self.at(name, f"{status!r} is one of pollStatus: such a task would wait to be taken again")
        if made.hitl.resume_status == made.hitl.blocked_status:
            self.at("hitl.resumeStatus", "it is the same as blockedStatus: nobody could say that a task is to go on")

    def at(self, name: str, sentence: str) -> None:
        self.problem(name, self.lines.get(name, self.lines.get(name.partition(".")[0], 1)), sentence)

    def problem(self, name: str, line: int, sentence: str) -> None:
        self.problems.append(
            (line, f"{os.path.basename(self.path)}:{line}: " + (f"{name}: " if name else "") + sentence)
        )


def is_repository(folder: str) -> bool:
    """True when `folder` is the top of a git work tree. A part of a larger one is not: a run would get a clone of all."""
    return os.path.exists(os.path.join(folder, ".git"))


def _line(table: Any, key: Any) -> int:
    try:
        return int(table.lc.key(key)[0]) + 1
    except (AttributeError, KeyError, TypeError):  # merged in from elsewhere
        return int(getattr(getattr(table, "lc", None), "line", None) or 0) + 1


def _unknown(key: str, known: Iterable[str]) -> str:
    known = tuple(known)
    near = {name.casefold(): name for name in known}
    close = get_close_matches(attribute(key).replace("_", "").casefold(), near, 1, 0.5)
    hint = f"did you mean {near[close[0]]}?" if close else f"one of {', '.join(known)}"
    return f"there is no such key; {hint}"


def _allowed(whole: str, rule: Rule, value: object) -> str:
    if whole == "adapter":
        return "one of " + ", ".join(providers.meant(value))
    return rule.allowed


def _shown(value: Any) -> str:
    if value is None:
        return "nothing (null)"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        return "keys with values"
    if isinstance(value, list):
        return "an empty list" if not value else "a list"
    if isinstance(value, int | float):
        return f"the number {value}"
    text = str(value)
    return f"the text {text[:_LONG]!r}" + ("..." if len(text) > _LONG else "")
