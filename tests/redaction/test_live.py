"""Credentials that are in use are hidden in whatever form they are printed."""

import base64
import html
import json
import shlex
from collections.abc import Callable
from urllib.parse import quote, quote_plus

import pytest

from agent_connector.redaction import Redactor

VALUE = 'Tr1cky/"value" + ünï'
PLAIN = "correct horse battery"


def within(offset: int) -> Callable[[str], str]:
    return lambda value: base64.b64encode(b"x" * offset + value.encode() + b":tail").decode()


@pytest.mark.parametrize(
    "shown",
    [
        str,
        json.dumps,
        lambda value: json.dumps(json.dumps(value)),
        lambda value: json.dumps(value, ensure_ascii=False),
        quote,
        lambda value: quote(value, safe=""),
        quote_plus,
        lambda value: quote(value, safe="").replace("%2F", "%2f").replace("%2B", "%2b").replace("%C3%BC", "%c3%bc"),
        html.escape,
        shlex.quote,
        lambda value: value.encode().hex(),
        *map(within, range(6)),
        lambda value: base64.urlsafe_b64encode(b"user:" + value.encode()).decode(),
    ],
)
def test_hidden_in_every_form(shown: Callable[[str], str]) -> None:
    text = f"before {shown(PLAIN)} after"
    out = Redactor([PLAIN]).text(text)
    assert "[redacted:credential]" in out
    assert out.startswith("before ") and out.endswith(" after")
    assert PLAIN not in out and len(out) - len("[redacted:credential]") < len("before  after") + 24
    assert "[redacted:credential]" in Redactor([VALUE]).text(shown(VALUE)) or "%" in shown(VALUE)


def test_the_longer_of_two_is_hidden_whole() -> None:
    assert (
        Redactor(["abcdef", "abcdefgh"]).text("x abcdefgh abcdef x")
        == "x [redacted:credential] [redacted:credential] x"
    )


def test_each_line_of_a_value_of_several_lines() -> None:
    value = "first-line-of-a-key-00000\nsecond-line-of-a-key-1111\n"
    assert Redactor([value]).text("1: second-line-of-a-key-1111") == "1: [redacted:credential]"


def test_a_value_with_blanks_around_it_is_hidden_without_them() -> None:
    assert Redactor(["  zz-top-9 \n"]).text("(zz-top-9)") == "([redacted:credential])"


def test_values_too_short_to_hide_are_counted() -> None:
    redactor = Redactor(["abc", "", "  ", "abcd"])
    assert redactor.unwatched == 1
    assert redactor.text("abc abcd") == "abc [redacted:credential]"
