"""Every case of `cases.py`, and that no row of the table is without one."""

import re

from agent_connector.redaction import Redactor
from agent_connector.redaction.model import Pattern
from agent_connector.redaction.redactor import TABLE
from agent_connector.redaction.scanner import Found


def test_secrets_are_hidden_and_nothing_else(cases) -> None:
    redactor = Redactor()
    hidden = cases.hidden()
    assert len(hidden) >= 100
    assert {text: redactor.text(text) for text, _ in hidden} == dict(hidden)


def test_what_is_no_secret_stays(cases) -> None:
    redactor = Redactor()
    plain = cases.plain()
    assert len(plain) >= 100
    assert {text: redactor.text(text) for text in plain} == {text: text for text in plain}


def test_a_text_that_was_redacted_stays_as_it_is(cases) -> None:
    redactor = Redactor()
    done = [wanted for _, wanted in cases.hidden()]
    assert [redactor.text(text) for text in done] == done


def test_a_secret_is_hidden_wherever_it_stands(cases) -> None:
    redactor = Redactor()
    keys = [
        (text, wanted)
        for text, wanted in cases.hidden()
        if wanted.startswith("[redacted:") and wanted.endswith("]") and "private-key" not in wanted
    ]
    assert len(keys) > 60
    places = (("x = [", "]\n"), ("ünï → ", " ünï"), ("line\n", "\nline"), ('{"a": "', '"}'), ("(", "), then"))
    for number, (text, wanted) in enumerate(keys):
        before, after = places[number % len(places)]
        assert redactor.text(before + text + after) == before + wanted + after


def test_every_pattern_of_the_table_is_met_by_a_case(cases, monkeypatch) -> None:
    met: set[Pattern] = set()
    spared = Found.spared

    def seen(found: Found, data: bytes) -> bool:
        met.add(found.pattern)
        return spared(found, data)

    monkeypatch.setattr(Found, "spared", seen)
    redactor = Redactor()
    for text, _ in cases.hidden():
        redactor.text(text)
    assert [(pattern.kind, pattern.what) for pattern in TABLE if pattern not in met] == []


def test_something_stands_before_every_secret_that_may_be_spared() -> None:
    """What is spared is looked at again from the secret on: with nothing before it, that would never end."""
    assert [pattern.what for pattern in TABLE if pattern.spared and re.match(r"(\\b)?\((?!\?)", pattern.head)] == []
