"""What the pump tells the measuring process: the bytes that went by, or how many of them it had to leave out.

A frame is one letter, the time, the payload's length, and the payload:

    i, o   bytes from the host to the server (i) and from the server to the host (o), as they went
    I, O   bytes of that way that are left out: how many, how many line ends were among them, and whether one was last

On the serve path: imports nothing.
"""

IN, OUT = b"i", b"o"
LEFT_OUT = {IN: b"I", OUT: b"O"}
WAY = {b"i": IN, b"I": IN, b"o": OUT, b"O": OUT}
HEAD = 1 + 8 + 4  # letter, microseconds of the monotonic clock, length
LONGEST_LINE = 4 << 20  # a longer message is not held by anyone: its middle is left out and counted by size
EDGE = 512  # what is kept of such a message's end: the id often stands there


def head(letter: bytes, time: int, size: int) -> bytes:
    """The head of a frame; `time` in microseconds."""
    return letter + time.to_bytes(8, "big") + size.to_bytes(4, "big")


def left_out(way: bytes, time: int, size: int, lines: int, ended: bool) -> bytes:
    """A whole frame: `size` bytes with `lines` line ends went by and are not told; `ended` with a line's end."""
    return head(LEFT_OUT[way], time, 13) + size.to_bytes(8, "big") + lines.to_bytes(4, "big") + bytes((ended,))


def read_head(data: "bytes | bytearray | memoryview") -> "tuple[bytes, int, int]":
    """(letter, time, length) of a frame's head."""
    return bytes(data[:1]), int.from_bytes(data[1:9], "big"), int.from_bytes(data[9:13], "big")


def read_left_out(data: "bytes | bytearray | memoryview") -> "tuple[int, int, bool]":
    """(bytes, line ends, whether the last byte was one) of a left-out frame's payload."""
    return int.from_bytes(data[:8], "big"), int.from_bytes(data[8:12], "big"), bool(data[12])
