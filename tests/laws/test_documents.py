"""Two laws as properties: an edit changes our node alone, and taking it out gives the file back byte for byte."""

import copy
import json
import os
import tomllib
from collections.abc import Callable
from typing import Any

import json5
import tomlkit
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError
from tests.documents import hostile

from agent_connector.documents import markdown
from agent_connector.documents.formats import END, FORMATS, MISSING
from agent_connector.documents.paths import same
from agent_connector.errors import DocumentError

EXAMPLES = settings(
    max_examples=35 * int(os.environ.get("SOAK", "1")),
    deadline=None,
    report_multiple_bugs=False,
    phases=[Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink],
    suppress_health_check=list(HealthCheck),
)
Reader = Callable[[str], Any]


def read_strict(text: str) -> Any:
    return json.loads(text.removeprefix("\ufeff"))


def read_json5(text: str) -> Any:
    return json5.loads(hostile.with_plain_blanks(text))


def read_toml(text: str) -> Any:
    return tomlkit.parse(text.removeprefix("\ufeff")).unwrap()


def read_yaml(text: str) -> Any:
    reader = YAML(typ="safe", pure=True)
    return reader.load(text)


def trimmed(value: Any, parents: tuple[Any, ...]) -> Any:
    """The value without those of the `parents` that are empty: how a format writes an emptied one is its own matter."""
    chain = [value]
    for step in parents:
        if not isinstance(chain[-1], dict | list) or (isinstance(chain[-1], dict) and step not in chain[-1]):
            break
        if isinstance(chain[-1], list) and step >= len(chain[-1]):
            break
        chain.append(chain[-1][step])
    for number in reversed(range(1, len(chain))):
        if chain[number] in ({}, [], None):
            del chain[number - 1][parents[number - 1]]
    return value or {}


def without(value: Any, path: tuple[Any, ...]) -> Any:
    """The value as another reader sees it, without what is at `path`."""
    value = copy.deepcopy(value)
    parent = value
    try:
        for step in path[:-1]:
            parent = parent[step]
        del parent[path[-1]]
    except (KeyError, IndexError, TypeError):
        pass
    return trimmed(value, path[:-1])


def settled(format: str, text: str, path: tuple[Any, ...]) -> tuple[Any, ...]:
    """The path with END as the index that `put` will give it."""
    found = FORMATS[format].get(text, path[:-1]) if path[-1] is END else None
    return (*path[:-1], len(found) if isinstance(found, list) else 0) if path[-1] is END else path


def check_put(format: str, text: str, path: tuple[Any, ...], value: Any, read: Reader, comments: Reader) -> None:
    """What holds for every put of a node that is not there."""
    document = FORMATS[format]
    made = document.missing_parents(text, path)
    place = settled(format, text, path)
    after = document.put(text, path, value)
    assert same(document.get(after, place), value)
    assert without(read(after), place) == without({} if document.get(text, ()) is MISSING else read(text), place)
    assert not [c for c in comments(text) if comments(after).count(c) < comments(text).count(c)]
    assert document.put(after, place, value) == after
    undone = document.drop(after, place)
    if not made:
        assert undone == text
    for parent in reversed(made):
        undone = document.drop(undone, parent)
    assert undone == text


def check_replace(format: str, text: str, path: tuple[Any, ...], value: Any, read: Reader) -> None:
    """What holds for a put over another value: all before and behind the value stays."""
    document = FORMATS[format]
    after = document.put(text, path, value)
    assert same(document.get(after, path), value)
    assert without(read(after), path) == without(read(text), path)
    assert document.put(after, path, value) == after


def check_drop(format: str, text: str, path: tuple[Any, ...], read: Reader) -> None:
    """What holds for taking out a node that somebody else wrote."""
    after = FORMATS[format].drop(text, path)
    assert len(after) < len(text)
    assert trimmed(read(after), path[:-1]) == without(read(text), path)


def check_two(format: str, text: str, paths: tuple[Any, Any], value: Any) -> None:
    """Two nodes that came one after the other go in the same order: that too leaves the file as it was."""
    document = FORMATS[format]
    made: list[Any] = []
    after = text
    for path in paths:
        assume(path and path[-1] is not END and document.get(after, path) is MISSING)
        made += [parent for parent in document.missing_parents(after, path) if parent not in made]
        after = document.put(after, path, value)
    for path in paths:
        after = document.drop(after, path)
        for parent in sorted(made, key=len, reverse=True):
            if document.get(after, parent) in ({}, [], None):
                after = document.drop(after, parent)
    assert after == text


def check(format: str, text: str, path: tuple[Any, ...], value: Any, read: Reader, comments: Reader) -> None:
    """One file, one path, one value; which of the properties is asked depends on what stands there."""
    assume(path)
    try:
        found = MISSING if path[-1] is END else FORMATS[format].get(text, path)
        if found is MISSING:
            check_put(format, text, path, value, read, comments)
        else:
            check_replace(format, text, path, value, read)
            check_drop(format, text, path, read)
    except DocumentError as error:
        assert "would have changed more" not in str(error), error
        assume(False)


@EXAMPLES
@given(st.data(), st.sampled_from(("json", "jsonc", "json5")))
def test_json_keeps_every_byte_that_is_not_ours(data: st.DataObject, dialect: str) -> None:
    text = data.draw(
        hostile.json_texts(dialect, data.draw(st.sampled_from(("object", "object", "object", "list", ""))))
    )
    value = FORMATS[dialect].load(text)
    path = data.draw(hostile.paths(value, END))
    read = read_strict if dialect == "json" else read_json5
    check(dialect, text, path, data.draw(hostile.values()), read, hostile.json_comments)


@EXAMPLES
@given(st.data(), hostile.toml_texts())
def test_toml_keeps_every_byte_that_is_not_ours(data: st.DataObject, text: str) -> None:
    try:
        value = tomllib.loads(text.removeprefix("\ufeff"))
    except tomllib.TOMLDecodeError:
        assume(False)
        return
    path = data.draw(hostile.paths(value, END))
    check("toml", text, path, data.draw(hostile.values(nulls=False)), read_toml, hostile.hash_comments)


@EXAMPLES
@given(st.data(), hostile.yaml_texts())
def test_yaml_keeps_every_byte_that_is_not_ours(data: st.DataObject, text: str) -> None:
    try:
        value = read_yaml(text)
    except YAMLError:
        assume(False)
        return
    path = data.draw(hostile.paths(value, END))
    check("yaml", text, path, data.draw(hostile.values()), read_yaml, hostile.hash_comments)


@EXAMPLES
@given(st.data(), st.sampled_from(tuple(FORMATS)))
def test_a_damaged_file_is_refused_or_comes_back_whole(data: st.DataObject, format: str) -> None:
    texts = {"toml": hostile.toml_texts(), "yaml": hostile.yaml_texts()}
    texts |= {dialect: hostile.json_texts(dialect) for dialect in ("json", "jsonc", "json5")}
    text = data.draw(st.one_of(hostile.damaged(texts[format]), st.text(max_size=20)))
    path = data.draw(st.sampled_from((("a",), ("mcpServers", "n"), ("b", END), ("a", 0, "b"), ("é", "a", END))))
    document = FORMATS[format]
    try:
        made = document.missing_parents(text, path)
        found = MISSING if path[-1] is END else document.get(text, path)
        place = settled(format, text, path)
        after = document.put(text, path, data.draw(st.sampled_from((1, {"x": ["y"]}))))
        for created in (place, *reversed(made)):
            after = document.drop(after, created)
    except DocumentError as error:
        assert "would have changed more" not in str(error), error
        return
    assert after == text or found is not MISSING


@EXAMPLES
@given(hostile.markdown_texts(), st.text(max_size=30).filter(lambda body: "```" not in body and "~~~" not in body))
def test_a_markdown_file_comes_back_whole(text: str, body: str) -> None:
    name = "acme/new"
    after = markdown.put_block(text, name, body)
    block = markdown.find(after, name)
    assert block
    assert not block.edited
    assert block.text == body.replace("\r\n", "\n").replace("\r", "\n").strip()
    assert markdown.put_block(after, name, body) == after
    assert markdown.drop_block(after, name) == text
    assert [b.name for b in markdown.blocks(after) if b.name != name] == [b.name for b in markdown.blocks(text)]


@EXAMPLES
@given(hostile.markdown_texts(), st.sampled_from(("one", "two\n\nlines\n", "")))
def test_whatever_stands_there_one_put_gives_one_block(text: str, body: str) -> None:
    name = "acme/guide"
    after = markdown.put_block(text, name, body, force=True)
    assert [b.text for b in markdown.blocks(after) if b.name == name] == [body.strip()]
    assert markdown.put_block(after, name, body) == after
    assert others(after, name) == others(text, name)
    assert name not in {b.name for b in markdown.blocks(markdown.drop_block(after, name))}


def others(text: str, name: str) -> list[str]:
    """The lines of a text that are no part of the blocks of that name, without the empty ones."""
    for block in reversed(markdown.blocks(text)):
        if block.name == name:
            text = text[: block.start] + text[block.end :]
    return [line for line in text.removeprefix("\ufeff").splitlines() if line.strip()]


@EXAMPLES
@given(st.data(), st.sampled_from(tuple(FORMATS)))
def test_nodes_go_in_any_order(data: st.DataObject, format: str) -> None:
    texts = {"toml": hostile.toml_texts(), "yaml": hostile.yaml_texts()}
    texts |= {dialect: hostile.json_texts(dialect) for dialect in ("json", "jsonc", "json5")}
    text = data.draw(texts[format])
    try:
        value = FORMATS[format].load(text)
        two = (data.draw(hostile.paths(value, END)), data.draw(hostile.paths(value, END)))
        assume(two[0] != two[1][: len(two[0])])
        check_two(format, text, two, data.draw(st.sampled_from((1, {"x": ["y"], "z": {"w": 1}}, [{"x": 1}]))))
    except DocumentError as error:
        assert "would have changed more" not in str(error), error
        assume(False)


@EXAMPLES
@given(hostile.markdown_texts())
def test_blocks_go_in_any_order(text: str) -> None:
    after = markdown.put_block(markdown.put_block(text, "acme/one", "1"), "acme/two", "2")
    assert markdown.drop_block(markdown.drop_block(after, "acme/one"), "acme/two") == text
