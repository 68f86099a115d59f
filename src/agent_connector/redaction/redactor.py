"""The door: hide secrets in a text, in a value of JSON, or in a stream that comes in pieces."""

from collections.abc import Iterable
from functools import cache

from agent_connector.redaction import keys, providers, shapes
from agent_connector.redaction.live import SHORTEST, LiveFilter, forms
from agent_connector.redaction.model import Pattern
from agent_connector.redaction.scanner import Scanner
from agent_connector.redaction.stream import Filter

TABLE: tuple[Pattern, ...] = shapes.BLOCKS + providers.TABLE + shapes.HEADERS + shapes.ADDRESSES + shapes.ASSIGNED


@cache
def scanner() -> Scanner:
    """The table, compiled once per process."""
    return Scanner(TABLE)


class Redactor:
    """Hides the credentials that it is given, and everything that has the form of one. `unwatched` counts given values that are too short.

    One may be used by several threads; a stream belongs to one.
    """

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        values = {value for value in (secret.strip() for secret in secrets) if value}
        self.unwatched = sum(len(value) < SHORTEST for value in values)
        live = {form for value in values if len(value) >= SHORTEST for form in forms(value)}
        self._live = LiveFilter(live) if live else None
        self._scanner = scanner()

    @property
    def bound(self) -> int:
        """The most bytes that a stream holds back."""
        return self._scanner.bound + (self._live.bound if self._live else 0)

    def text(self, text: str) -> str:
        """The text with a mark in the place of each secret."""
        stream = self.stream()
        return stream.feed(text) + stream.close()

    def value(self, value: object) -> object:
        """The same value of JSON with every string redacted, also by the key that it stands under. Keys that become alike stay apart."""
        return keys.redacted(value, self.text)

    def stream(self) -> "Stream":
        """A new stream; several of them share nothing but the table."""
        return Stream(Filter(self._scanner), self._live.fresh() if self._live else None)


class Stream:
    """Text in pieces. Whatever the cuts, what comes out is what `Redactor.text` makes of the whole."""

    def __init__(self, patterns: Filter, live: LiveFilter | None) -> None:
        self._patterns = patterns
        self._live = live

    @property
    def held(self) -> int:
        """Bytes that wait for what comes next."""
        return self._patterns.held + (self._live.held if self._live else 0)

    def feed(self, text: str) -> str:
        """What can go out, now that `text` has come."""
        data = text.encode("utf-8", "surrogatepass")
        return self._patterns.feed(self._live.feed(data) if self._live else data).decode("utf-8", "surrogatepass")

    def close(self) -> str:
        """All the rest; the stream is done."""
        rest = self._patterns.feed(self._live.close()) if self._live else b""
        return (rest + self._patterns.close()).decode("utf-8", "surrogatepass")
