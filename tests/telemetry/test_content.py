"""What the parts of messages cost, each counted once."""

import json
from typing import Any

import pytest
from tests.telemetry.test_media import png

from agent_connector.telemetry import content
from agent_connector.telemetry.tokenizer import APPROX, EXACT, HEURISTIC, Count, Counter


def tokens(counter: Counter, text: str) -> int:
    assert counter.encode
    return len(counter.encode(text))


def text(value: str) -> dict[str, Any]:
    return {"type": "text", "text": value}


def test_arguments_are_compact_json_with_letters_as_they_are(counter: Counter) -> None:
    given = {"city": "Zürich", "n": [1, 2]}
    assert content.arguments(counter, "gpt", given) == Count(tokens(counter, '{"city":"Zürich","n":[1,2]}'), EXACT)
    assert content.arguments(counter, "gpt", None).tokens == 0


def test_a_definition_is_what_hosts_tell_the_model(counter: Counter) -> None:
    tool = {"name": "echo", "description": "Say it", "inputSchema": {"type": "object"}}
    more = {**tool, "_meta": {"x": "y" * 500}, "annotations": {"title": "z" * 500}, "outputSchema": {"type": "object"}}
    expected = tokens(counter, json.dumps(tool, separators=(",", ":")))
    assert content.definition(counter, "gpt", tool).tokens == expected
    assert content.definition(counter, "gpt", more).tokens == expected


def test_text_blocks_are_counted_one_by_one(counter: Counter) -> None:
    value = {"content": [text("hello world"), text(" again")], "_meta": {"secret": "x" * 900}}
    assert content.result(counter, "gpt", value) == Count(
        tokens(counter, "hello world") + tokens(counter, " again"), EXACT
    )


@pytest.mark.parametrize(
    ("blocks", "structured"),
    [
        ([text('{"a": 1, "b": [2]}')], {"a": 1, "b": [2]}),
        ([text("hi")], {"result": "hi"}),
        ([text("[1, 2]")], {"result": [1, 2]}),
        ([text("7")], {"result": 7}),
    ],
)
def test_structured_content_that_a_text_repeats_is_counted_once(
    counter: Counter, blocks: list[dict[str, Any]], structured: Any
) -> None:
    both = content.result(counter, "gpt", {"content": blocks, "structuredContent": structured})
    assert both == content.result(counter, "gpt", {"content": blocks})


def test_structured_content_of_its_own_is_counted(counter: Counter) -> None:
    alone = content.result(counter, "gpt", {"content": [], "structuredContent": {"a": 1}})
    assert alone == Count(tokens(counter, '{"a":1}'), EXACT)
    beside = content.result(counter, "gpt", {"content": [text("see data")], "structuredContent": {"a": 1}})
    assert beside.tokens == alone.tokens + tokens(counter, "see data")


def test_base64_never_reaches_the_tokenizer(counter: Counter) -> None:
    seen: list[str] = []

    def encode(piece: str) -> list[int]:
        seen.append(piece)
        return [0] * len(piece)

    watching = Counter(encode)
    data = png(640, 480)
    blocks = [
        {"type": "image", "data": data, "mimeType": "image/png"},
        {"type": "audio", "data": data, "mimeType": "audio/wav"},
        {"type": "resource", "resource": {"uri": "a://b", "mimeType": "image/png", "blob": data}},
        {"type": "resource", "resource": {"uri": "a://b", "mimeType": "application/pdf", "blob": data}},
    ]
    content.result(watching, "gpt", {"content": blocks})
    assert not any(data[:40] in piece for piece in seen)
    assert any("a://b" in piece for piece in seen)


def test_a_picture_in_a_result_is_counted_by_formula(counter: Counter) -> None:
    value = {"content": [text("look"), {"type": "image", "data": png(640, 480), "mimeType": "image/png"}]}
    assert content.result(counter, "gpt", value) == Count(360 + tokens(counter, "look"), APPROX)


def test_resources_links_and_prompts(counter: Counter) -> None:
    assert content.resources(counter, "gpt", {"contents": [{"uri": "a:b", "text": "hello world"}]}).tokens == 2
    link = {"type": "resource_link", "uri": "a:b", "name": "n", "_meta": {"x": "y" * 400}}
    assert content.block(counter, "gpt", link).tokens == tokens(counter, '{"uri":"a:b","name":"n"}')
    prompt = {"messages": [{"role": "user", "content": text("hello world")}, {"role": "user", "content": [text("hi")]}]}
    assert content.prompt(counter, "gpt", prompt).tokens == 3


@pytest.mark.parametrize(
    "value", [{}, {"content": None}, {"content": "text"}, {"content": [1, None, "x"]}, {"content": [{}]}]
)
def test_odd_results_are_no_error(counter: Counter, value: dict[str, Any]) -> None:
    assert content.result(counter, "gpt", value).tokens <= 1


def test_the_weakest_part_labels_the_sum(counter: Counter) -> None:
    value = {"content": [text("look"), {"type": "image", "data": "????", "mimeType": "image/png"}]}
    assert content.result(counter, "gpt", value).source == HEURISTIC
