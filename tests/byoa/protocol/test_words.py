"""Codes, words of refusal, headers, session keys, and answers of an MCP server."""

import base64
import hashlib

import pytest

from agent_connector.byoa import protocol as wire
from agent_connector.byoa.protocol import mcp


@pytest.mark.parametrize("typed", ["BCDF-GHJK", "bcdfghjk", " bcdf ghjk", "BC-DF-GH-JK"])
def test_section_3_codes_are_compared_without_case_dash_or_blank(typed: str) -> None:
    assert wire.same_code(typed) == "BCDFGHJK"


@pytest.mark.parametrize("word", ["authorization_pending", "slow_down", "access_denied", "expired_token"])
def test_section_3_the_four_words(word: str) -> None:
    refusal = wire.Refusal(word)
    assert wire.parse_refusal(wire.dump_refusal(refusal)) is refusal


def test_section_3_another_word_is_refused() -> None:
    with pytest.raises(wire.ProtocolError, match="error word"):
        wire.parse_refusal(b'{"error":"invalid_grant"}')


def test_section_5_the_session_key() -> None:
    origin = wire.parse_origin("https://notes.example")
    digest = hashlib.sha256(b"https://notes.example\0opencode\0ses_1").digest()
    key = wire.session_key(origin, "opencode", "ses_1")
    assert base64.urlsafe_b64decode(key + "=") == digest
    assert key != wire.session_key(wire.parse_origin("https://other.example"), "opencode", "ses_1")


def test_section_1_headers() -> None:
    assert dict(wire.carried("tok")) == {
        "Authorization": "Bearer tok",
        "Accept": "application/json",
        "Content-Type": "application/json",
        "BYOA-Version": "0.1",
    }
    assert "Authorization" not in dict(wire.carried())


@pytest.mark.parametrize(
    ("after", "seconds"),
    [
        ("7", 7.0),
        ("0", 0.0),
        ("999999999999", 86400.0),
        ("Sun, 06 Nov 1994 08:50:37 GMT", 60.0),
        ("Sun, 06 Nov 1994 08:00:00 GMT", 0.0),
        ("soon", None),
        ("-1", None),
        ("", None),
    ],
)
def test_section_5_retry_after_as_number_and_as_date(after: str, seconds: float | None) -> None:
    assert wire.retry_after({"retry-after": after, "date": "Sun, 06 Nov 1994 08:49:37 GMT"}) == seconds


STREAM = (
    b": hello\r\n\r\n"
    b'event: message\r\ndata: {"jsonrpc":"2.0","method":"notifications/progress"}\r\n\r\n'
    b'data: {"jsonrpc":"2.0","id":5,"method":"sampling/createMessage"}\n\n'
    b'data: {"jsonrpc":"2.0",\ndata: "id":5,"result":{"ok":true}}\n'
)


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b'{"jsonrpc":"2.0","id":5,"result":{"ok":true}}', "application/json; charset=utf-8"),
        (b'[{"id":4,"result":{}},{"id":5,"result":{"ok":true}}]', "application/json"),
        (STREAM, "text/event-stream"),
    ],
)
def test_section_7_the_answer_with_our_id_is_found_in_either_type(body: bytes, kind: str) -> None:
    answer = mcp.parse_answer(body, kind, 5)
    assert isinstance(answer, wire.Fields) and answer.values == {"ok": True}


@pytest.mark.parametrize(
    "body", [b'{"id":6,"result":{}}', b'{"id":true,"result":{}}', b'{"id":"5","result":{}}', b"[]"]
)
def test_section_7_an_answer_to_another_request_is_none(body: bytes) -> None:
    with pytest.raises(wire.ProtocolError, match="no answer"):
        mcp.parse_answer(body, "application/json", 5)


def test_section_7_an_error_of_the_server() -> None:
    answer = mcp.parse_answer(b'{"id":5,"error":{"code":-32601,"message":"no such method"}}', "application/json", 5)
    assert answer == mcp.RpcError(-32601, "no such method")


def test_section_7_another_content_type_is_refused() -> None:
    with pytest.raises(wire.ProtocolError, match="event stream"):
        mcp.parse_answer(b"{}", "text/html", 5)
