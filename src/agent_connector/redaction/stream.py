"""Hides secrets in a stream as if it were one text: what could still become a secret is held back until it is known.

A match whose end is open (a token that goes on, a key block without its end) is marked at once and swallowed from there on, so
nothing longer than `Scanner.bound` is ever held. One byte of what went out before is kept, since a word's edge depends on it.
"""

from agent_connector.redaction.scanner import Found, Scanner, Tail


class Filter:
    """Bytes in, bytes out."""

    def __init__(self, scanner: Scanner) -> None:
        self._scanner = scanner
        self._data = b""
        self._at = 0  # 1 where the first byte of `_data` has gone out already
        self._tail: Tail | None = None  # of the secret that is being swallowed

    @property
    def held(self) -> int:
        """Bytes that wait for what comes next."""
        return len(self._data) - self._at

    def feed(self, data: bytes) -> bytes:
        """What can go out, now that `data` has come."""
        return self._run(data, last=False)

    def close(self) -> bytes:
        """All the rest."""
        return self._run(b"", last=True)

    def _run(self, data: bytes, *, last: bool) -> bytes:
        data = self._data + data
        at, out = self._swallowed(data, self._at, last), list[bytes]()
        held = self._held(data, at, last)
        while self._tail is None and at < held:
            found = self._scanner.next(data, at)
            if found is None or found.start >= held:
                out.append(data[at:held])
                at = held
                break
            if self._waits(found, data, last):
                out.append(data[at : found.start])
                at = found.start
                break
            spared = found.spared(data)
            out.append(data[at : found.start] + self._before(data, found) + (b"" if spared else found.mark))
            at = found.secret if spared else found.secret_end
            if not spared and found.tail is not None:
                self._tail = found.tail
                at = self._swallowed(data, at, last)
            elif not spared:
                out.append(data[found.secret_end : found.end])
                at = found.end
            held = held if at <= held else self._held(data, at, last)
        self._keep(data, at)
        return b"".join(out)

    def _held(self, data: bytes, at: int, last: bool) -> int:
        return len(data) if last else self._scanner.begun(data, at)

    def _swallowed(self, data: bytes, at: int, last: bool) -> int:
        """Past what belongs to the secret that is open; closes it where it is seen to end."""
        if self._tail is not None:
            at = self._tail.end(data, at)
            if last or not self._tail.undecided(data, at):
                self._tail = None
        return at

    def _waits(self, found: Found, data: bytes, last: bool) -> bool:
        """It may be spared, and its value has not ended yet."""
        if last or found.pattern.spared is None or found.tail is None:
            return False
        return not found.long and found.tail.undecided(data, found.secret_end)

    def _before(self, data: bytes, found: Found) -> bytes:
        """What stands before the secret in its match, which may hold another secret."""
        piece = data[found.start : found.secret]
        return Filter(self._scanner)._run(piece, last=True) if piece else b""

    def _keep(self, data: bytes, at: int) -> None:
        self._data = data[max(0, at - 1) :]
        self._at = min(at, 1)
