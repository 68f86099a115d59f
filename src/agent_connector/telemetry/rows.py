"""From counts to rows: the one place that knows what a row of a call or of a definition looks like."""

import os
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from agent_connector.telemetry import append, content
from agent_connector.telemetry.origin import Origin
from agent_connector.telemetry.tokenizer import Count, Counter

INSTRUCTIONS = "(instructions)"  # the server's text for the system prompt, in the place of a tool's name
UNKNOWN = "(unknown)"  # traffic that went by too fast to be told apart

Row = dict[str, object]


@dataclass
class Rows:
    """Writes rows of one origin."""

    origin: Origin
    write: Callable[[Row], object]
    definitions: bool = True

    def call(
        self,
        tool: str,
        given: Count,
        brought: Count,
        ms: float,
        *,
        error: bool = False,
        client: str = "",
        family: str = "",
        session: str = "",
        number: int = 1,
        when: int = 0,
    ) -> None:
        """A tool was called: what the model wrote and what it read."""
        row = self._base(client, family, session, when)
        total = given + brought
        row |= {"scope": "call", "tool": tool, "in": given.tokens, "out": brought.tokens, "source": total.source}
        row |= {"ms": ms, "error": int(error)}
        if number != 1:
            row["n"] = number
        self.write(row)

    def tools(
        self, counter: Counter, listed: Iterable[Mapping[str, Any]], *, client: str, family: str, when: int = 0
    ) -> None:
        """Tools were listed: what each definition costs whenever it is put before the model."""
        for tool in listed if self.definitions else ():
            self.read(str(tool.get("name", "")), content.definition(counter, family, tool), client, family, when)

    def instructions(self, counter: Counter, text: Any, *, client: str, family: str, when: int = 0) -> None:
        """The server told its instructions."""
        if self.definitions and isinstance(text, str) and text:
            self.read(INSTRUCTIONS, counter.text(text, family), client, family, when)

    def read(self, name: str, count: Count, client: str, family: str, when: int = 0) -> None:
        """One definition of `count` tokens."""
        row = self._base(client, family, "", when)
        self.write(row | {"scope": "tool_defs", "tool": name, "out": count.tokens, "source": count.source, "error": 0})

    def _base(self, client: str, family: str, session: str, when: int) -> Row:
        origin = self.origin
        row: Row = {
            "connector": origin.connector,
            "host": origin.host(client),
            "surface": "server",
            "session": session or origin.session,
            "project": origin.project,
            "project_name": origin.project_name,
            "family": family,
        }
        if when:
            row["t"] = when
        return row


def writer(root: str, connector: str, layer: str, book: str = "") -> Callable[[Row], object]:
    """Appends rows while counting is on; switching it off needs no restart."""
    return lambda row: append.enabled(root, connector, layer) and append.append(root, row, book)


def project_book(folder: str) -> str:
    """The book inside the project around `folder`, for connectors that keep their counts there."""
    return os.path.join(append.repository(folder)[0], ".agent-connector")


def calendar() -> Callable[[int], int]:
    """Turns microseconds of the monotonic clock into milliseconds of the calendar."""
    ahead = (time.time_ns() - time.monotonic_ns()) // 1000
    return lambda moment: (moment + ahead) // 1000
