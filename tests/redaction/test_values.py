"""Values of JSON: what a key says of a string counts, and the rest goes through as text."""

import importlib
import json

import pytest

from agent_connector.errors import AgentConnectorError
from agent_connector.redaction import Redactor, engine, redactor


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        ({"password": "x y"}, {"password": "[redacted:password]"}),
        ({"PGPASSWORD": 12345}, {"PGPASSWORD": "[redacted:password]"}),
        ({"a": [{"clientSecret": "abc"}]}, {"a": [{"clientSecret": "[redacted:secret]"}]}),
        (
            {"env": [{"name": "API_KEY", "value": "k-123456"}]},
            {"env": [{"name": "API_KEY", "value": "[redacted:token]"}]},
        ),
        ({"Authorization": "Bearer abc"}, {"Authorization": "[redacted:authorization]"}),
        ({"Set-Cookie": "a=b"}, {"Set-Cookie": "[redacted:cookie]"}),
        ({"tokens": 5, "token_type": "bearer"}, {"tokens": 5, "token_type": "bearer"}),
        ({"secret": True, "password": None}, {"secret": True, "password": None}),
        ({"password": "${env:X}"}, {"password": "${env:X}"}),
        (["see xoxb-1234567890-abc", 1.5], ["see [redacted:slack]", 1.5]),
        ("live-value-1", "[redacted:credential]"),
        ({"live-value-1": 1, "[redacted:credential]": 2}, {"[redacted:credential]": 1, "[redacted:credential] (2)": 2}),
    ],
)
def test_value(value: object, wanted: object) -> None:
    assert Redactor(["live-value-1"]).value(value) == wanted
    assert json.dumps(wanted)


def test_without_its_engine_it_says_what_to_install(monkeypatch) -> None:
    def missing(_: str) -> object:
        raise ImportError("no re2")

    monkeypatch.setattr(engine.importlib, "import_module", missing)
    redactor.scanner.cache_clear()
    with pytest.raises(AgentConnectorError, match=r"not installed[\s\S]*\[worker\]"):
        Redactor()
    monkeypatch.undo()
    assert importlib.import_module("re2")
