"""Messages of the protobuf wire format, read without a schema."""

import pytest
from hypothesis import given
from hypothesis import strategies as some

from agent_connector.hosts.dialects import protobuf_wire as wire


def varint(number: int) -> bytes:
    pieces = []
    while True:
        number, low = number >> 7, number & 0x7F
        pieces.append(low | (0x80 if number else 0))
        if not number:
            return bytes(pieces)


def test_the_fields_of_a_message_by_number():
    data = b"\x08\x96\x01" + b"\x12\x07testing" + b"\x1d\x01\x00\x00\x00" + b"\x21" + (7).to_bytes(8, "little")
    found = wire.fields(data)
    assert found == {1: 150, 2: b"testing", 3: 1, 4: 7}
    assert wire.text(found, 2) == "testing" and wire.whole(found, 1) == 150


def test_of_a_repeated_field_the_last_one_holds():
    assert wire.fields(b"\x08\x01\x08\x02") == {1: 2}


def test_a_message_within_a_message():
    inner = b"\x12\x03abc"
    outer = b"\x0a" + varint(len(inner)) + inner
    assert wire.text(wire.message(wire.fields(outer), 1), 2) == "abc"
    assert wire.message(wire.fields(outer), 1, 2, 3) is None
    assert wire.message(wire.fields(outer), 9) is None


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"\x08", id="a key without its value"),
        pytest.param(b"\x08" + b"\xff" * 10, id="a number that does not end"),
        pytest.param(b"\x12\xff\xff\xff\xff\x0fx", id="a length of 4 GiB over one byte"),
        pytest.param(b"\x0b\x0c", id="a group, which no current program writes"),
        pytest.param(b"\x00\x01", id="field number 0"),
        pytest.param(b"\x08" + varint(2**64), id="a number above 64 bits"),
        pytest.param(b"\x08\x01" * (wire.MOST_FIELDS + 1), id="more fields than any message has"),
    ],
)
def test_what_breaks_off_or_cannot_be_is_no_message(data):
    assert wire.fields(data) is None


def test_what_is_not_there_counts_as_nothing():
    assert wire.fields(b"") == {} and wire.fields(None) is None
    assert wire.whole(None, 1) == 0 and wire.whole({1: 2**63}, 1) == 0 and wire.whole({1: b"7"}, 1) == 0
    assert wire.text({1: 7}, 1) == "" and wire.text({1: b"\xff"}, 1) == ""


@given(some.binary(max_size=200))
def test_no_bytes_make_it_raise(data):
    found = wire.fields(data)
    wire.text(found, 1)
    wire.whole(wire.message(found, 1, 4), 2)
