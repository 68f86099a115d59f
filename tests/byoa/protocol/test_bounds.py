"""Sizes are checked before parsing, and each field has its bound (section 1)."""

import json
from typing import Any

import pytest
from tests.byoa.protocol.samples import SAMPLES

from agent_connector.byoa import protocol as wire
from agent_connector.byoa.protocol import limits, mcp

BODY = {
    **dict.fromkeys(("discovery", "pair_start", "grant", "pair_poll", "paired", "policy"), limits.PAIRING_BODY),
    **dict.fromkeys(("register", "registered", "poll", "messages", "batch", "taken"), limits.DOOR_BODY),
    **dict.fromkeys(("credential", "tool_cache"), limits.FILE_BODY),
}


@pytest.mark.parametrize("name", SAMPLES)
def test_section_1_a_body_that_is_larger_than_allowed_is_refused_unread(name: str) -> None:
    value, parser = SAMPLES[name]
    whole: bytes = value.dump()
    assert parser(whole.ljust(BODY[name])) == value
    with pytest.raises(wire.ProtocolError, match="larger than"):
        parser(whole.ljust(BODY[name] + 1))


@pytest.mark.parametrize("size", [limits.CHAT_BYTES, limits.CHAT_BYTES + 1])
@pytest.mark.parametrize("letter", ["a", "é"])
def test_section_5_chat_text_is_counted_in_bytes(size: int, letter: str) -> None:
    text = (letter * size)[: size // len(letter.encode())] + "a" * (size % len(letter.encode()))
    data = wire.Messages("1", (wire.Chat("m", text, "Ada"),)).dump()
    if size > limits.CHAT_BYTES:
        with pytest.raises(wire.ProtocolError, match="text"):
            wire.parse_messages(data)
    else:
        assert wire.parse_messages(data).messages


def test_section_1_a_poll_answers_at_most_512_kib() -> None:
    chats = tuple(wire.Chat(f"m{number}", "x" * (200 * 1024), "Ada") for number in range(3))
    with pytest.raises(wire.ProtocolError, match="messages"):
        wire.parse_messages(wire.Messages("1", chats).dump())


BAD_FIELDS: list[tuple[str, tuple[Any, ...], Any]] = [
    ("discovery", ("app", "id"), "Notes"),
    ("discovery", ("app", "id"), "n" * 65),
    ("discovery", ("app", "name"), "n" * 81),
    ("discovery", ("app", "name"), "No\u202etes"),
    ("discovery", ("app", "name"), "No\x1b[2Jtes"),
    ("discovery", ("app", "name"), " "),
    ("discovery", ("byoa",), "1.0"),
    ("discovery", ("poll_hold_seconds",), 26),
    ("discovery", ("poll_hold_seconds",), True),
    ("discovery", ("poll_interval_seconds",), 0),
    ("discovery", ("endpoints", "poll"), "https://other.example/poll"),
    ("discovery", ("endpoints", "mcp"), "//other.example/mcp"),
    ("discovery", ("endpoints", "revoke"), "revoke"),
    ("grant", ("verification_uri",), "https://notes.example@other.example/pair"),
    ("grant", ("verification_uri_complete",), "https://notes.example.other.example/"),
    ("grant", ("user_code",), "BCDFGHJK"),
    ("grant", ("user_code",), "ABCD-EFGH"),
    ("grant", ("expires_in",), 901),
    ("grant", ("interval",), 0),
    ("paired", ("token",), "short"),
    ("paired", ("token",), "t" * 20 + "\r\nX-Evil: 1"),
    ("paired", ("account", "name"), "A\nda"),
    ("register", ("session", "key"), "k" * 42),
    ("register", ("holding",), ["m1", "m1"]),
    ("registered", ("session_id",), "s 1"),
    ("poll", ("state",), "free"),
    ("poll", ("cursor",), 1.5),
    ("messages", ("messages", 0, "id"), ""),
    ("messages", ("messages", 0, "from"), "Ada"),
    ("messages", ("messages", 0, "text"), "\ud800"),
    ("batch", ("seq",), -1),
    ("batch", ("events", 3, "outcome"), "fine"),
    ("batch", ("events", 3, "reason"), "boredom"),
    ("credential", ("origin",), "https://other.example"),
    ("credential", ("discovery", "endpoints", "poll"), "https://other.example/poll"),
    ("tool_cache", ("origin",), "https://other.example"),
    ("policy", ("share", "*"), "path"),
]


@pytest.mark.parametrize(("name", "path", "bad"), BAD_FIELDS)
def test_a_field_out_of_bounds_is_refused_and_named(name: str, path: tuple[Any, ...], bad: Any) -> None:
    value, parser = SAMPLES[name]
    whole = json.loads(value.dump())
    node = whole
    for step in path[:-1]:
        node = node[step]
    node[path[-1]] = bad
    with pytest.raises(wire.ProtocolError) as refused:
        parser(json.dumps(whole).encode())
    assert any(step in refused.value.where for step in path if isinstance(step, str))


def test_a_token_shows_in_no_repr() -> None:
    for name in ("paired", "credential"):
        value, _ = SAMPLES[name]
        assert value.token not in repr(value)


def test_section_7_a_tool_with_a_bad_name_is_left_out_and_counted() -> None:
    tools = [{"name": name, "inputSchema": {}} for name in ("good", "bad name", "x" * 129, "")]
    page = mcp.read_tools(wire.Fields({"tools": [*tools, {"name": "no-schema"}]}))
    assert ([tool.name for tool in page.tools], page.refused) == (["good"], 4)


def test_section_7_descriptions_lose_control_characters_and_are_cut() -> None:
    said = "a\x1b[31m\u202eb\r\nc" + "d" * 3000
    tool = mcp.read_tools(wire.Fields({"tools": [{"name": "t", "description": said, "inputSchema": {}}]})).tools[0]
    assert tool.description.startswith("a[31mb\ncd")
    assert len(tool.description) == 2000
