"""Settings that would turn a host's hooks off: in the project, which others write, and in a run's home, which agents write.

Where what `arm` registers wins over them, the canary plants them and proves it. Where it does not, nothing may say so:
`look` is asked before each run. A file that cannot be read as its host would read it may say so too.
"""

import os
import stat
from collections.abc import Iterator, Mapping
from typing import Any, cast

from agent_connector.documents.formats import FORMATS
from agent_connector.errors import DocumentError, GuardError
from agent_connector.hosts import query
from agent_connector.worker.guard.ways import SWITCHES, Switch, Switches

MOST = 1 << 20  # bytes of a file of settings


def look(host: str, workspace: str, home: str) -> None:
    """GuardError that says file and key, when a switch which wins over the guard is there."""
    known = SWITCHES.get(host)
    if known is None:
        return
    for file in files(known, workspace, home):
        for key in _off(file, [one for one in known.switches if not one.loses]):
            raise GuardError(
                f"{query.facts(host).NAME} would run without its guard: {key}",
                where=file,
                remedy="Take it out of that file, or use another adapter.",
            )


def plant(host: str, workspace: str, home: str) -> None:
    """Turn the hooks off in every file where the guard is said to win: for a proof, in folders made for it."""
    known = SWITCHES.get(host)
    losing = [one for one in known.switches if one.loses] if known else []
    for file in files(known, workspace, home) if known and losing else ():
        text = ""
        if os.path.exists(file):
            with open(file, encoding="utf-8") as stream:
                text = stream.read()
        form = FORMATS[_format(file)]
        for one in losing:
            text = form.put(text, tuple(one.key.split(".")), one.off)
        os.makedirs(os.path.dirname(file), exist_ok=True)
        with open(file, "w", encoding="utf-8") as stream:
            stream.write(text)


def files(known: Switches, workspace: str, home: str) -> Iterator[str]:
    for folder, names in ((workspace, known.project), (home, known.home)):
        yield from (os.path.join(folder, *name.split("/")) for name in names)


def _format(file: str) -> str:
    """Hosts allow comments in JSON, some of them more: what more is read than they read does no harm here."""
    return "toml" if file.endswith(".toml") else "json5"


def _off(file: str, switches: list[Switch]) -> Iterator[str]:
    """The switches that are set in the file, or why nobody can say."""
    if not switches:
        return
    try:
        found = text(file)
        value: object = FORMATS[_format(file)].load(found) if found is not None else {}
    except (OSError, ValueError, DocumentError) as error:
        yield f"its settings cannot be read, so they may say anything ({error})"
        return
    if not isinstance(value, dict):
        yield "its settings are no table, so they may say anything"
        return
    for one in switches:
        for found in _at(cast("Mapping[str, Any]", value), one.key.split(".")):
            if found != one.on or type(found) is not type(one.on):
                yield f"`{one.key}` is set in its settings"


def _at(value: object, path: list[str]) -> Iterator[object]:
    """What stands at the path, if anything does."""
    if not path:
        yield value
    elif isinstance(value, dict):
        table = cast("Mapping[str, Any]", value)
        if path[0] in table:
            yield from _at(table[path[0]], path[1:])


def text(file: str) -> str | None:
    """None when it is not there. No pipe is waited for, and nothing is read that has no end."""
    try:
        handle = os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError):
        return None
    with open(handle, "rb") as stream:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise ValueError("it is no file")
        data = stream.read(MOST + 1)
    if len(data) > MOST:
        raise ValueError(f"it is longer than {MOST} bytes")
    return data.decode("utf-8")
