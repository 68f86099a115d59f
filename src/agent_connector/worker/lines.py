"""What the worker says while it works: one line for each event on stderr, for people or, as JSON, for programs.

Whatever is said has passed the redactor, and cannot steer a terminal: titles and errors come from anybody.
"""

import json
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from typing import TextIO

from agent_connector.worker.plain_text import plain

LONGEST = 2_000  # characters of a line
_DIM, _OFF = "\033[2m", "\033[0m"


class Lines:
    """`lines(text)` says one line, from any thread. `hide` takes the secrets out of a text."""

    def __init__(
        self, stream: TextIO, hide: Callable[[str], str], *, as_json: bool = False, colour: bool = False
    ) -> None:
        self._stream = stream
        self._hide = hide
        self._as_json = as_json
        self._colour = colour
        self._lock = threading.Lock()

    def __call__(self, text: str) -> None:
        said = " ".join(plain(self._hide(text))[0].split())
        said = said if len(said) <= LONGEST else said[:LONGEST] + " ..."
        now = datetime.now(UTC)
        if self._as_json:
            line = json.dumps({"time": now.isoformat(timespec="milliseconds"), "text": said})
        else:
            clock = now.astimezone().strftime("%Y-%m-%d %H:%M:%S")
            line = f"{_DIM}{clock}{_OFF} {said}" if self._colour else f"{clock} {said}"
        encoding = self._stream.encoding or "utf-8"  # what it cannot hold becomes a question mark
        with self._lock:
            try:
                self._stream.write(line.encode(encoding, "replace").decode(encoding) + "\n")
                self._stream.flush()
            except (OSError, ValueError):  # nobody reads any more: work goes on
                return
