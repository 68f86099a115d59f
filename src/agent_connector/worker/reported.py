"""A host's run events as events of a run's log: a type, a channel and a payload that is JSON. Pure."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from agent_connector.drive.events import RunEvent

HOST = "host"  # the channel of what the host itself tells; "stdout" and "stderr" have what is no record of it


def reported(event: RunEvent) -> tuple[str, str, dict[str, Any]]:
    """(type, channel, payload) of an event; fields that say nothing are left out."""
    return type(event).__name__.lower(), HOST, _payload(event)


def line(channel: str, text: str) -> tuple[str, str, dict[str, Any]]:
    """The same for a line that is no record of the host."""
    return "line", channel, {"text": text}


def _payload(value: Any) -> dict[str, Any]:
    told = {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    return {name: given for name, given in told.items() if given not in (None, "", (), {}, [])}


def _plain(value: Any) -> Any:
    """A value that JSON has: tuples are lists, what JSON lacks is its text."""
    match value:
        case None | bool() | int() | float() | str():
            return value
        case Mapping():
            return {str(name): _plain(held) for name, held in value.items()}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
        case list() | tuple():
            return [_plain(held) for held in value]  # pyright: ignore[reportUnknownVariableType]
        case _ if is_dataclass(value) and not isinstance(value, type):
            return _payload(value)
        case _:
            return str(value)
