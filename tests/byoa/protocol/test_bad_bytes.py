"""Nothing but `ProtocolError` comes out of bytes that others wrote."""

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.byoa.protocol.samples import OTHER_PARSERS, SAMPLES

from agent_connector.byoa.protocol import ProtocolError

PARSERS = {name: parser for name, (_, parser) in SAMPLES.items()} | OTHER_PARSERS
JSON_TEXT = st.text(st.characters(), max_size=12)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | JSON_TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(JSON_TEXT, inner, max_size=4),
    max_leaves=8,
)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The path of every node below the root."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [found for key, item in inner for found in ((*path, key), *places(item, (*path, key)))]


@pytest.mark.parametrize("name", PARSERS)
@given(data=st.binary(max_size=200) | VALUES.map(lambda value: json.dumps(value).encode()))
def test_any_bytes(name: str, data: bytes) -> None:
    with suppress(ProtocolError):
        PARSERS[name](data)


@pytest.mark.parametrize("name", SAMPLES)
@given(data=st.data())
def test_a_message_with_one_node_replaced(name: str, data: st.DataObject) -> None:
    value, parser = SAMPLES[name]
    whole = json.loads(value.dump())
    *path, last = data.draw(st.sampled_from(places(whole)))
    node = whole
    for step in path:
        node = node[step]
    node[last] = data.draw(VALUES)
    with suppress(ProtocolError):
        parser(json.dumps(whole).encode())


@pytest.mark.parametrize("name", SAMPLES)
@given(data=st.data())
def test_a_message_cut_or_with_a_byte_changed(name: str, data: st.DataObject) -> None:
    value, parser = SAMPLES[name]
    whole = bytearray(value.dump())
    whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    with suppress(ProtocolError):
        parser(bytes(whole[: data.draw(st.integers(0, len(whole)))]))


@pytest.mark.parametrize("name", PARSERS)
@pytest.mark.parametrize(
    "data",
    [b"[" * 100_000, b'{"a":' * 50_000, b"1" * 10_000, b"\xff\xfe{}", b'{"a":1e999}', b"NaN", b'{"a":1,"a":2}', b""],
    ids=["deep list", "deep object", "digits", "utf-16", "infinite", "nan", "twice", "empty"],
)
def test_known_traps(name: str, data: bytes) -> None:
    if name in ("origin", "path", "header"):
        with suppress(ProtocolError):
            PARSERS[name](data)
    else:
        with pytest.raises(ProtocolError):
            PARSERS[name](data)
