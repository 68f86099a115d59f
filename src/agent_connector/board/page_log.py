"""A run's events as lines that a person reads: what happened, and its text. Pure; the page and the live stream share it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from agent_connector.board import page_words
from agent_connector.board.readers import Event

LONGEST = 20_000  # characters of one line; the whole is in the board's database
# Types of which `text` is all that is to be said, and what stands before it.
HEADS = {"said": "", "thought": "", "line": "", "status": "", "log-capped": "", "noticed": ""}


@dataclass(frozen=True, slots=True)
class Line:
    """`seq` is also the id of the live stream. `kind` is the style: the event's type, or `error`."""

    seq: int
    ts: str
    time: str
    type: str
    channel: str
    kind: str
    head: str
    text: str


def line(event: Event) -> Line:
    """One event."""
    head, text = _told(event.type, event.payload)
    kind = "error" if event.payload.get("failed") is True or event.channel == "stderr" else event.type
    seen = page_words.plain(text)
    cut = seen if len(seen) <= LONGEST else f"{seen[:LONGEST]}\n[{len(seen) - LONGEST} more characters]"
    return Line(
        event.seq,
        event.ts,
        page_words.clock(event.ts),
        page_words.plain(event.type),
        page_words.plain(event.channel),
        kind if kind in KINDS else "other",
        page_words.plain(head),
        cut,
    )


KINDS = frozenset((*HEADS, "called", "returned", "started", "spent", "finished", "error"))


def _told(type: str, payload: Mapping[str, Any]) -> tuple[str, str]:
    """What happened in a word or two, and the text of it."""
    match type:
        case "called":
            return _first(payload, "name", "tool", "title", "kind"), _arguments(payload.get("arguments"))
        case "returned":
            return ("failed" if payload.get("failed") is True else ""), _output(payload.get("output"))
        case "started":
            return _first(payload, "model", "session"), ""
        case "spent":
            return _money(payload), ""
        case "finished":
            return _money(payload), _first(payload, "reason", "text")
        case "noticed":
            return _first(payload, "kind"), _first(payload, "text")
        case _ if set(payload) == {"text"} or type in HEADS:
            return "", _first(payload, "text") or _shown(payload)
        case _:
            return "", _shown(payload)


def _first(payload: Mapping[str, Any], *names: str) -> str:
    """The first of these that is a text."""
    return next((value for name in names if isinstance(value := payload.get(name), str) and value), "")


def _arguments(given: object) -> str:
    """A command as it is typed; else every argument on a line of its own."""
    if not isinstance(given, Mapping):
        return "" if given is None else _shown(given)
    held = cast("Mapping[str, object]", given)
    command = held.get("command")
    if isinstance(command, str):
        return command
    if isinstance(command, list):
        return " ".join(map(str, cast("list[object]", command)))
    return "\n".join(f"{name}: {_shown(value)}" for name, value in held.items())


def _output(given: object) -> str:
    """The text of a result, out of the shapes that hosts wrap it in."""
    match given:
        case str():
            return given
        case {"text": str(text)}:
            return text
        case dict() if "content" in (held := cast("dict[str, object]", given)):
            return _output(held["content"])
        case list():
            return "\n".join(_output(item) for item in cast("list[object]", given))
        case None:
            return ""
        case _:
            return _shown(given)


def _money(payload: Mapping[str, Any]) -> str:
    cost = payload.get("cost_usd")
    return page_words.money(float(cost)) if isinstance(cost, int | float) and not isinstance(cost, bool) else ""


def _shown(value: object) -> str:
    return value if isinstance(value, str) else page_words.pretty(value)
