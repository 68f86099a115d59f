"""What is read out of logs that may hold anything."""

import math
from typing import Any

import msgspec
import pytest

from agent_connector.hosts.dialects import usage_values as values


class Line(msgspec.Struct):
    a: Any = None


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (b'{"a": 1}', {"a": 1}),
        (b'\xef\xbb\xbf{"a": 1}', {"a": 1}),
        (rb'{"a": "\ud83d"}', {"a": "\ud83d"}),
        ('{"a": "\ud83d"}', {"a": "\ud83d"}),
        ("\ud83d", None),
        (7, None),
        (b'{"a": ', None),
        (b"[" * 100_000, None),
        (b"\x00\xff\xfe", None),
        (b"", None),
        (None, None),
    ],
)
def test_json_that_is_none_is_none(text, found):
    assert values.decode(text) == found


def test_lines_that_are_no_objects_are_passed_over():
    lines = (
        b'{"a":1,"x":[]}\nnonsense\n[1]\n"a"\n{"a":2,"b":"\\ud83d"}\r\n\n{"a":NaN}\n{"a":3'
        + b"\n"
        + b'{"x":'
        + b"[" * 100_000
    )
    assert [line.a for line in values.decode_lines(lines, Line)][:2] == [1, 2]
    assert len(list(values.decode_lines(lines, Line))) == 3
    assert [line.a for line in values.decode_lines(lines, Line, b'"b"')] == [2]


def test_lines_that_ran_into_each_other_are_told_apart():
    lines = b'{"a":1}{"a":2} {"a":3}{"a":\n{"a":4}\n{"a":5}nonsense{"a":6}\n'
    assert [line.a for line in values.decode_lines(lines, Line)] == [1, 2, 3, 4, 5]


@pytest.mark.parametrize(
    ("value", "found"),
    [
        (7, 7),
        (7.9, 7),
        ("12", 12),
        (-1, 0),
        (math.nan, 0),
        (math.inf, 0),
        (10**30, 0),
        ("1e999", 0),
        (True, 0),
        (None, 0),
        ([1], 0),
        ({"a": 1}, 0),
        ("many", 0),
    ],
)
def test_a_count_is_a_count_or_nothing(value, found):
    assert values.count(value) == found


@pytest.mark.parametrize(
    ("value", "found"), [(0, 0), (0.25, 0.25), ("0.25", 0.25), (None, None), (-1, None), ("x", None), (True, None)]
)
def test_an_amount_that_is_not_there_is_not_zero(value, found):
    assert values.money(value) == found


@pytest.mark.parametrize(
    "value",
    [
        1_796_055_074,
        1_796_055_074.0,
        1_796_055_074_000,
        1_796_055_074_000_000,
        "1796055074",
        "1796055074000",
        "2026-11-30T16:11:14Z",
        "2026-11-30T16:11:14.000Z",
        "2026-11-30T17:11:14+01:00",
        "2026-11-30 16:11:14",
    ],
)
def test_a_time_is_known_in_every_spelling(value):
    assert values.moment(value) == 1_796_055_074_000


@pytest.mark.parametrize("value", [None, "", "soon", -5, 10**20, math.nan, [], "9999-99-99", "0001-01-01T00:00:00"])
def test_a_time_that_is_none_is_zero(value):
    assert values.moment(value) == 0


def test_a_name_can_be_stored_and_is_short():
    assert values.name("a\ud83d") == "a?"
    assert values.name("x" * 10_000) == "x" * values.NAME_LENGTH
    assert values.name(3) == ""
