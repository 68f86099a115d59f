"""What is sent is read back as the same value, and unknown fields change nothing."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.byoa.protocol.samples import SAMPLES

from agent_connector.byoa import protocol as wire

NAMES = st.text(st.characters(codec="utf-8"), min_size=1, max_size=80).filter(wire.printable)
IDS = st.text(st.characters(min_codepoint=0x21, max_codepoint=0x7E), min_size=1, max_size=200)
TEXTS = st.text(st.characters(codec="utf-8"), max_size=300)
MESSAGES = st.one_of(
    st.builds(wire.Chat, IDS, TEXTS, NAMES),
    st.builds(wire.Stop, IDS, IDS),
    st.builds(wire.Change, IDS, st.sampled_from(["model", "reasoning_effort"]), NAMES),
    st.builds(wire.End, IDS),
)
EVENTS = st.one_of(
    st.just(wire.Started()),
    st.builds(wire.Delta, TEXTS),
    st.builds(wire.ToolStep, NAMES, st.none() | NAMES),
    st.builds(wire.Ended, st.sampled_from(wire.Outcome), st.none() | st.sampled_from(wire.Reason)),
)
CURSORS = st.integers(-(2**53), 2**53) | st.just("") | IDS


@pytest.mark.parametrize("name", SAMPLES)
def test_every_message(name: str) -> None:
    value, parser = SAMPLES[name]
    assert parser(value.dump()) == value


@pytest.mark.parametrize("name", [name for name in SAMPLES if name != "policy"])
def test_unknown_fields_are_ignored(name: str) -> None:
    value, parser = SAMPLES[name]
    more = json.loads(value.dump()) | {"unknown": {"deep": [None]}}
    assert parser(json.dumps(more).encode()) == value


@pytest.mark.parametrize("name", [name for name in SAMPLES if name != "policy"])
def test_every_field_of_the_top_is_needed_or_said_to_be_optional(name: str) -> None:
    value, parser = SAMPLES[name]
    whole = json.loads(value.dump())
    optional = {"interval", "verification_uri_complete", "poll_interval_seconds", "newcomer"}
    for field in whole.keys() - optional:
        rest: dict[str, Any] = {key: item for key, item in whole.items() if key != field}
        with pytest.raises(wire.ProtocolError, match=field):
            parser(json.dumps(rest).encode())


@given(st.builds(wire.Messages, CURSORS, st.lists(MESSAGES, max_size=5).map(tuple)))
def test_any_messages(value: wire.Messages) -> None:
    assert wire.parse_messages(value.dump()) == value


@given(st.builds(wire.Batch, IDS, IDS, st.integers(0, 2**53), st.lists(EVENTS, max_size=5).map(tuple)))
def test_any_batch(value: wire.Batch) -> None:
    assert wire.parse_batch(value.dump()) == value


@given(st.builds(wire.Client, NAMES, NAMES, NAMES, NAMES))
def test_any_client(value: wire.Client) -> None:
    assert wire.parse_pair_start(value.dump()) == value


def test_a_message_of_an_unknown_type_is_left_out_and_its_neighbours_stay() -> None:
    data = b'{"cursor":"2","messages":[{"id":"a","type":"steer","to":1},{"id":"b","type":"stop","turn":"t"}]}'
    assert wire.parse_messages(data) == wire.Messages("2", (wire.Stop("b", "t"),))


def test_an_unknown_event_is_left_out() -> None:
    data = b'{"session_id":"s","turn":"t","seq":0,"events":[{"type":"phase"},{"type":"started"}]}'
    assert wire.parse_batch(data).events == (wire.Started(),)
