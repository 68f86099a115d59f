"""What every format offers, whatever its syntax."""

import pytest

from agent_connector.documents.formats import END, FORMATS, MISSING


@pytest.mark.parametrize("format", FORMATS)
def test_every_format_answers_the_same_questions(format: str) -> None:
    document = FORMATS[format]
    path = ("hooks", "PreToolUse", END)
    made = document.missing_parents("", path)
    text = document.put("", path, {"command": "x"})
    assert document.load(text) == {"hooks": {"PreToolUse": [{"command": "x"}]}}
    assert document.get(text, path) == document.get(text, ("hooks", "PreToolUse", 0)) == {"command": "x"}
    assert document.get(text, ("hooks", "Stop")) is MISSING
    two = document.put(text, path, {"command": "y"})
    assert document.get(two, ("hooks", "PreToolUse", 1)) == {"command": "y"}
    assert document.drop(two, path) == text
    text = document.drop(text, path)
    for parent in reversed(made):
        text = document.drop(text, parent)
    assert text == ""


@pytest.mark.parametrize("format", FORMATS)
def test_null_and_missing_are_two_things(format: str) -> None:
    document = FORMATS[format]
    text = {"yaml": "a: null\n", "toml": ""}.get(format, '{"a": null}')
    assert document.get(text, ("a",)) is (MISSING if format == "toml" else None)
    assert document.get(text, ("b",)) is MISSING
