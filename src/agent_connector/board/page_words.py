"""How the page writes things: times, money, states, and texts of anybody. Pure; the filters of its templates."""

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime

MARKS = {  # of a status: how it is coloured
    "todo": "open",
    "queued": "open",
    "running": "busy",
    "in_progress": "busy",
    "doing": "busy",
    "blocked": "asks",
    "awaiting_human": "asks",
    "done": "good",
    "succeeded": "good",
    "failed": "bad",
    "timed_out": "bad",
    "cancelled": "over",
}
_CONTROLS = [code for code in (*range(0x20), *range(0x7F, 0xA0)) if chr(code) not in "\n\t"]
_DIRECTIONS = [0x61C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)]
_UNSEEN = dict.fromkeys((*_CONTROLS, *_DIRECTIONS), "\ufffd")  # what steers a text instead of being read in it
_MARK = re.compile(r"\s*<!-- agent-connector [^>]{1,500} -->\s*\Z")
_NONE = "\N{EN DASH}"
_UNITS = ((86_400, "day"), (3_600, "hour"), (60, "minute"), (1, "second"))


def readable(value: object) -> object:
    """Each value on its way into a page: control and direction characters are shown as what they are, nothing."""
    return plain(value) if type(value) is str else value


def plain(text: str) -> str:
    """A text of anybody, with its line ends."""
    return text.replace("\r\n", "\n").translate(_UNSEEN)


def comment(text: str) -> str:
    """Without the mark that a worker's comment ends with, which is for workers."""
    return _MARK.sub("", text)


def pretty(value: object) -> str:
    """JSON to be read."""
    return json.dumps(value, ensure_ascii=False, indent=2, default=str)


def words(status: str) -> str:
    """`awaiting_human` as people write it."""
    return status.replace("_", " ")


def mark(status: str) -> str:
    """The class of a status; `other` for one that we do not know."""
    return MARKS.get(status, "other")


def money(amount: float | None) -> str:
    """Dollars; more digits below a cent."""
    if amount is None:
        return _NONE
    return f"${amount:,.4f}" if 0 < amount < 0.01 else f"${amount:,.2f}"


def at(iso: str | None) -> str:
    """`2026-12-01 02:48` of an ISO time, in UTC."""
    return iso[:16].replace("T", " ") if iso else _NONE


def clock(iso: str) -> str:
    """`02:48:07`, for a line of a log."""
    return iso[11:19] if len(iso) > 18 else iso


def between(start: str | None, end: str | None) -> str:
    """How long it was from one time to another: `3 minutes`."""
    if not start or not end:
        return _NONE
    return span((moment(end) - moment(start)).total_seconds())


def span(seconds: float) -> str:
    """In its largest unit."""
    for size, unit in _UNITS:
        if seconds >= size:
            count = int(seconds // size)
            return f"{count} {unit}{'' if count == 1 else 's'}"
    return "0 seconds"


def ago(now: Callable[[], float]) -> Callable[[str], str]:
    """How long ago a time was."""
    return lambda iso: span(max(0.0, now() - moment(iso).timestamp()))


def moment(iso: str) -> datetime:
    """Of an ISO time; one that is none counts as the beginning of time."""
    try:
        read = datetime.fromisoformat(iso)
    except ValueError:
        return datetime.fromtimestamp(0, UTC)
    return read if read.tzinfo else read.replace(tzinfo=UTC)
