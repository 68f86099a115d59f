"""What a board takes: sizes, words and times. Our server and the board in memory of `testing` judge by the same rules."""

import secrets
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, cast

from agent_connector.board.values import RUN_STATUSES
from agent_connector.errors import BoardRefused

PAGE = 50
MOST_TASKS = 200
COMMENT_BYTES = 64 * 1024
MOST_EVENTS = 200
EVENT_BYTES = 256 * 1024
WORD = 64  # characters of a status or the name of a board
NAME = 200  # characters of an id that somebody else chose, or of a name
TITLE = 500
DESCRIPTION_BYTES = 64 * 1024
ANSWER_BYTES = 4 * 1024 * 1024  # of texts in one answer; what is more comes on the next page
RECORD_BYTES = 256 * 1024  # a run's result, and its metadata
LEASE = (1, 86_400)  # seconds
BIGGEST = 2**53 - 1  # what every reader of JSON takes for a whole number

TOOLS = {  # name: the arguments that a strict server may lack
    "ping": frozenset[str](),
    "tasks_tasks_list": frozenset[str](),
    "tasks_task_get": frozenset[str](),
    "tasks_comment_add": frozenset({"fence", "requestId"}),
    "tasks_task_set_status": frozenset({"fence", "requestId"}),
    "agentops_connect": frozenset[str](),
    "agentops_heartbeat": frozenset[str](),
    "agentops_task_claim": frozenset[str](),
    "agentops_task_release": frozenset[str](),
    "agentops_run_create": frozenset({"fence", "requestId"}),
    "agentops_run_update": frozenset({"provider", "model", "cost", "fence", "requestId"}),
    "agentops_run_log_append": frozenset({"fence", "requestId"}),
}

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_ALPHABET = "abcdefghijklmnopqrstuvwxyz0123456789"


def refuse(code: str, what: str, where: str = "") -> BoardRefused:
    return BoardRefused(what, code=code, where=where)


def new_id() -> str:
    """82 bits in 16 characters that are safe in an address, a branch and a file name."""
    return "".join(secrets.choice(_ALPHABET) for _ in range(16))


# Times: microseconds since 1970 inside, ISO texts outside; both sort alike.


def iso(micros: int) -> str:
    return (_EPOCH + timedelta(microseconds=micros)).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def micros(text: str, where: str) -> int:
    """Of any ISO time; one without a zone is UTC."""
    try:
        read = datetime.fromisoformat(text)
        return ((read if read.tzinfo else read.replace(tzinfo=UTC)) - _EPOCH) // timedelta(microseconds=1)
    except (ValueError, OverflowError):
        raise refuse("invalid", "not an ISO time", where) from None


# Checks: each gives back what it was given, or refuses it as `invalid`.


def word(value: str, where: str, most: int = WORD) -> str:
    """A short name: not empty, on one line, without blanks around it."""
    if not value or len(value) > most or value != value.strip() or not value.isprintable():
        raise refuse("invalid", f"not a name of 1 to {most} printable characters", where)
    return value


def sized(value: str, where: str, most: int) -> str:
    if len(value.encode("utf-8", "surrogatepass")) > most:
        raise refuse("invalid", f"longer than {most} bytes", where)
    return storable(value, where)


def storable(value: str, where: str) -> str:
    """Without what no database keeps: NUL, and halves of characters."""
    if "\0" in value or any("\ud800" <= one <= "\udfff" for one in value):
        raise refuse("invalid", "holds NUL or half a character", where)
    return value


def between(value: int, where: str, least: int, most: int) -> int:
    if not least <= value <= most:
        raise refuse("invalid", f"not between {least} and {most}", where)
    return value


def run_status(value: str) -> str:
    if value not in RUN_STATUSES:
        raise refuse("invalid", f"not one of {', '.join(RUN_STATUSES)}", "status")
    return value


def cost(value: float | None) -> float | None:
    if value is not None and not 0 <= value < 1e9:
        raise refuse("invalid", "not an amount of money", "cost")
    return value


def events(given: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """A batch of log events as they are kept, in order of `seq`."""
    if not 1 <= len(given) <= MOST_EVENTS:
        raise refuse("invalid", f"not 1 to {MOST_EVENTS} events", "events")
    return sorted(map(_event, range(len(given)), given), key=lambda event: event["seq"])


def _event(number: int, given: Mapping[str, Any]) -> dict[str, Any]:
    where = f"events[{number}]"
    seq, payload = given.get("seq"), given.get("payload")
    if isinstance(seq, bool) or not isinstance(seq, int):
        raise refuse("invalid", "not a whole number", f"{where}.seq")
    if not isinstance(payload, Mapping):
        raise refuse("invalid", "not an object", f"{where}.payload")
    words = {name: given.get(name) for name in ("ts", "type", "channel")}
    for name, value in words.items():
        if not isinstance(value, str):
            raise refuse("invalid", "not a text", f"{where}.{name}")
        word(value, f"{where}.{name}")
    between(seq, f"{where}.seq", 0, BIGGEST)
    return {"seq": seq, **words, "payload": dict(cast("Mapping[str, Any]", payload))}


def statuses(given: Iterable[str]) -> list[str]:
    """Without doubles, at most twenty."""
    held = list(dict.fromkeys(given))
    between(len(held), "status", 0, 20)
    return [word(one, "status") for one in held]
