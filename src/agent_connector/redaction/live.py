"""The credentials that are in use right now, hidden in every form in which a program may print them."""

import base64
import html
import json
import shlex
from collections.abc import Iterable, Iterator
from urllib.parse import quote, quote_plus

from agent_connector.redaction import engine
from agent_connector.redaction.model import mark

SHORTEST = 4  # characters of a value; shorter ones stand in every text
SHORTEST_CODED = 8  # characters of a coded form, of which the edges are lost
LINE = 20  # characters of a line that is looked for alone, for values of several lines
OPENING = 4  # bytes that tell whether it is worth looking for the beginning of a form
MARK = mark("credential")


def forms(value: str) -> frozenset[bytes]:
    """The value as it is, in addresses, in JSON (once and twice), in HTML, quoted for a shell, in hex and in base64 at each offset."""
    value = value.strip()
    lines = [line.strip() for line in value.splitlines()]
    several = [line for line in lines if len(line) >= LINE] if len(lines) > 1 else []
    return frozenset(form for one in (value, *several) for form in _forms(one) if len(form) >= SHORTEST)


def _forms(value: str) -> Iterator[bytes]:
    raw = value.encode("utf-8", "surrogatepass")
    texts = {
        value,
        html.escape(value),
        html.escape(value, quote=False),
        shlex.quote(value).removeprefix("'").removesuffix("'"),
    }
    for ascii_only in (True, False):
        once = json.dumps(value, ensure_ascii=ascii_only)[1:-1]
        texts |= {once, once.replace("/", "\\/"), json.dumps(once, ensure_ascii=ascii_only)[1:-1]}
    yield from (text.encode("utf-8", "surrogatepass") for text in texts)
    for coded in (quote(raw, safe=""), quote(raw), quote_plus(raw)):
        yield from (coded.encode(), _lower(coded).encode())
    yield from (
        form for form in (raw.hex().encode(), raw.hex().upper().encode(), *_base64(raw)) if len(form) >= SHORTEST_CODED
    )


def _lower(coded: str) -> str:
    """`%2F` as `%2f`, the rest as it is."""
    first, *rest = coded.split("%")
    return first + "".join(f"%{piece[:2].lower()}{piece[2:]}" for piece in rest)


def _base64(raw: bytes) -> Iterator[bytes]:
    """What is sure to stand in the code of a longer text, at each of the three offsets that the value can have in it."""
    for offset in range(3):
        coded = base64.b64encode(b"\0" * offset + raw)
        skipped = (0, 2, 3)[offset]
        sure = (offset + len(raw)) * 8 // 6  # the last characters mix with what follows
        yield coded[skipped:sure]
        yield coded[skipped:sure].replace(b"+", b"-").replace(b"/", b"_")


class LiveFilter:
    """Bytes in, bytes out; holds back at most the longest form."""

    def __init__(self, values: Iterable[bytes]) -> None:
        self._forms = sorted(values, key=len, reverse=True)
        self._search = engine.search("|".join(_literal(form) for form in self._forms))
        self._opening = engine.search("|".join(sorted({_literal(form[:OPENING]) for form in self._forms})))
        self._data = b""

    def fresh(self) -> "LiveFilter":
        """The same for another stream."""
        other = LiveFilter.__new__(LiveFilter)
        other._forms, other._search, other._opening, other._data = self._forms, self._search, self._opening, b""
        return other

    @property
    def bound(self) -> int:
        """The most bytes that are held back."""
        return len(self._forms[0])

    @property
    def held(self) -> int:
        """Bytes that wait for what comes next."""
        return len(self._data)

    def feed(self, data: bytes) -> bytes:
        """What can go out, now that `data` has come."""
        return self._run(data, last=False)

    def close(self) -> bytes:
        """All the rest."""
        return self._run(b"", last=True)

    def _run(self, data: bytes, *, last: bool) -> bytes:
        data, at, out = self._data + data, 0, list[bytes]()
        held = len(data) if last else self._begun(data, 0)
        while True:
            found = self._search(data, at)
            if found is None or found[0][0] >= held:
                break
            start, end = found[0]
            out += (data[at:start], MARK)
            at = end
            if at > held:
                held = self._begun(data, at)
        self._data = data[held:]
        return b"".join((*out, data[at:held]))

    def _begun(self, data: bytes, at: int) -> int:
        """From where on the end of `data` is the beginning of a form."""
        place = max(at, len(data) - self.bound + 1)
        while found := self._opening(data, place):
            place = found[0][0]
            if self._begins(data[place:]):
                return place
            place += 1
        ends = range(max(at, len(data) - OPENING + 1), len(data))
        return next((place for place in ends if self._begins(data[place:])), len(data))

    def _begins(self, end: bytes) -> bool:
        return any(len(form) > len(end) and form.startswith(end) for form in self._forms)


def _literal(form: bytes) -> str:
    return "".join(chr(byte) if chr(byte).isalnum() and byte < 128 else f"\\x{byte:02x}" for byte in form)
