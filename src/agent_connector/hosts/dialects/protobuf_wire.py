"""The wire format of Protocol Buffers, read without a schema: the fields of one message, by number.

A host keeps its counts in messages whose schema is nowhere published, so generated classes have nothing to be generated
from, and the official runtime is a compiled package for what are three rules: a key is `number << 3 | type`; a varint
carries seven bits a byte; the other types say their length. The bytes may come from anywhere, so nothing here raises,
recurses or takes memory for a length that is not there: a message that breaks off is None as a whole.
"""

VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5
MOST_FIELDS = 100_000  # of one message; a host writes a few dozen
LARGEST_NUMBER = 2**29 - 1

Fields = dict[int, int | bytes]


def fields(data: bytes | None) -> Fields | None:
    """The last value of each field (as a reader of the format keeps it), None when this is no message.

    Numbers come as unsigned ints; what is a message, a text or bytes stays bytes for the caller, who knows which.
    """
    if data is None:
        return None
    found: Fields = {}
    position, seen = 0, 0
    while position < len(data):
        seen += 1
        key, position = _varint(data, position)
        number, kind = key >> 3, key & 7
        if position < 0 or seen > MOST_FIELDS or not 0 < number <= LARGEST_NUMBER:
            return None
        value, position = _value(data, position, kind)
        if value is None:
            return None
        found[number] = value
    return found


def _value(data: bytes, position: int, kind: int) -> tuple[int | bytes | None, int]:
    if kind == VARINT:
        number, after = _varint(data, position)
        return (number if after >= 0 else None), after
    length = {FIXED64: 8, FIXED32: 4}.get(kind, -1)
    if kind == BYTES:
        length, position = _varint(data, position)
    if position < 0 or not 0 <= length <= len(data) - position:
        return None, -1
    piece = data[position : position + length]
    return (piece if kind == BYTES else int.from_bytes(piece, "little")), position + length


def _varint(data: bytes, position: int) -> tuple[int, int]:
    """The number and where it ends; a position of -1 says that there is none."""
    value = 0
    for index, byte in enumerate(data[position : position + 10]):
        value |= (byte & 0x7F) << (7 * index)
        if byte < 0x80:
            return (value, position + index + 1) if value < 2**64 else (0, -1)
    return 0, -1


def message(found: Fields | None, *path: int) -> Fields | None:
    """The message at `path`; None where it, or one above it, is missing or is none."""
    for number in path:
        value = (found or {}).get(number)
        found = fields(value) if isinstance(value, bytes) else None
    return found


def whole(found: Fields | None, number: int) -> int:
    """A number field; 0 (what the format leaves out) when it is not there, or above what a signed number holds."""
    value = (found or {}).get(number)
    return value if isinstance(value, int) and value < 2**63 else 0


def text(found: Fields | None, number: int) -> str:
    """A text field; "" when it is not there or no text."""
    value = (found or {}).get(number)
    if not isinstance(value, bytes):
        return ""
    try:
        return value.decode("utf-8").strip()
    except UnicodeDecodeError:
        return ""
