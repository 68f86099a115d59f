"""The kill switch: a file. While it is there no task is begun and running ones are ended; nothing else is needed to stop."""

import json
import os
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, cast

from agent_connector.home import private

_LARGEST = 4096


@dataclass(frozen=True, slots=True)
class Engaged:
    """Since when, and why, where whoever made the file said so; a file made by hand (`touch STOP`) says nothing."""

    since: str | None = None
    reason: str | None = None


def engage(path: str, reason: str | None = None) -> None:
    """Stop; one that is engaged already keeps what it says."""
    if engaged(path) is None:
        held = {"since": datetime.now(UTC).isoformat(timespec="seconds"), "reason": reason}
        private.write(path, json.dumps(held) + "\n")


def engaged(path: str) -> Engaged | None:
    """None when work may go on. Whatever stands there, even what cannot be read, means stop."""
    if not os.path.lexists(path):
        return None
    try:
        with open(path, encoding="utf-8") as stream:
            value: object = json.loads(stream.read(_LARGEST))
    except (OSError, ValueError, RecursionError):
        return Engaged()
    held = cast("dict[str, Any]", value) if isinstance(value, dict) else {}
    since, reason = held.get("since"), held.get("reason")
    return Engaged(since if isinstance(since, str) else None, reason if isinstance(reason, str) else None)


def release(path: str) -> bool:
    """Go on; False when it was not engaged."""
    there = os.path.lexists(path)
    private.remove(path)
    return there
