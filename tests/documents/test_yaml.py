"""YAML texts edited in place: block and inline style, comments, anchors, and what is refused."""

from typing import Any

import pytest
from ruamel.yaml import YAML

from agent_connector.documents.formats import END, FORMATS, MISSING
from agent_connector.errors import DocumentError, DuplicateKeyError, ParseError

DOCUMENT = FORMATS["yaml"]
SERVER = ("mcp_servers", "acme")
ENTRY = {"command": "npx", "args": ["-y", "x y"], "env": {"A": "1"}}


def test_a_new_entry_takes_the_look_of_the_file() -> None:
    text = "mcp_servers: # mine\n    a:\n        args:\n        - x # c\n    # last\n# rest\nz: 1\n"
    after = DOCUMENT.put(text, SERVER, ENTRY)
    entry = '    acme:\n        command: npx\n        args:\n        - "-y"\n        - x y\n        env:\n            A: "1"\n'
    assert after == text.replace("    # last", f"{entry}    # last")
    assert DOCUMENT.drop(after, SERVER) == text


@pytest.mark.parametrize(
    "text", ["", "\ufeff", "# c", "# c\r\n", "\n", "---\n", "--- # c\n...\n", "%YAML 1.2\n---", "a: 1", "a: 1\r\n"]
)
def test_an_empty_file_becomes_valid_and_returns_to_empty(text: str) -> None:
    made = DOCUMENT.missing_parents(text, SERVER)
    after = DOCUMENT.put(text, SERVER, ENTRY)
    assert YAML(typ="safe", pure=True).load(after)["mcp_servers"] == {"acme": ENTRY}
    after = DOCUMENT.drop(after, SERVER)
    assert made == (("mcp_servers",),)
    assert DOCUMENT.drop(after, made[0]) == text
    assert DOCUMENT.load("") == {}
    assert DOCUMENT.get("", ()) is MISSING


def test_a_file_without_a_last_line_end_keeps_having_none() -> None:
    assert DOCUMENT.put("a: 1", ("b",), {"c": [1]}) == "a: 1\nb:\n  c:\n    - 1"
    assert DOCUMENT.put("\ufeffa: 1\r\n", ("b",), {"c": 1}) == "\ufeffa: 1\r\nb:\r\n  c: 1\r\n"


def test_a_block_scalar_at_the_very_end_keeps_its_value() -> None:
    text = "a: 1\nb: |\n  text"
    after = DOCUMENT.put(text, ("c",), 2)
    assert DOCUMENT.load(after) == {"a": 1, "b": "text", "c": 2}
    assert DOCUMENT.drop(after, ("c",)) == text


def test_a_block_scalar_that_keeps_its_blank_lines_gets_no_more_of_them() -> None:
    assert DOCUMENT.drop("b: |+\n  text\na: 1\n\nc: 2\n", ("a",)) == "b: |+\n  text\nc: 2\n"


def test_a_key_without_a_value_counts_as_empty() -> None:
    text = "mcp_servers: # none yet\n  # here\nz: 1\n"
    after = DOCUMENT.put(text, SERVER, {"a": 1})
    assert after == "mcp_servers: # none yet\n  acme:\n    a: 1\n  # here\nz: 1\n"
    assert DOCUMENT.missing_parents(text, SERVER) == ()
    assert DOCUMENT.drop(after, SERVER) == text
    assert DOCUMENT.put("a:\nb:\n- \n", ("b", 0, "c"), {"d": 1}) == "a:\nb:\n- c:\n    d: 1 \n"
    assert DOCUMENT.put("a:", ("a", END), "x") == "a:\n  - x"


def test_inline_maps_and_lists_stay_inline() -> None:
    assert DOCUMENT.put("mcp_servers: {}\n", SERVER, ENTRY) == (
        'mcp_servers: {acme: {command: npx, args: ["-y", x y], env: {A: "1"}}}\n'
    )
    text = "{\n  a: [1, 2], # c\n  b: {}, # d\n}\n"
    assert DOCUMENT.put(text, ("c",), "x") == "{\n  a: [1, 2], # c\n  b: {}, # d\n  c: x,\n}\n"
    assert DOCUMENT.put(text, ("a", END), {"x": 1}) == text.replace("2]", "2, {x: 1}]")
    assert DOCUMENT.drop(text, ("a", 0)) == text.replace("1, ", "")
    assert DOCUMENT.put('{"a": 1}', ("b",), "q") == '{"a": 1, b: q}'


def test_lists_of_maps_are_added_to_and_cut_from() -> None:
    text = "mcpServers:\n- name: a\n  args: [x]\n# end\n"
    after = DOCUMENT.put(text, ("mcpServers", END), {"name": "acme", "args": ["z"]})
    assert after == "mcpServers:\n- name: a\n  args: [x]\n- name: acme\n  args:\n  - z\n# end\n"
    assert DOCUMENT.drop(after, ("mcpServers", 1)) == text
    assert DOCUMENT.drop(after, ("mcpServers", 0, "name")).startswith("mcpServers:\n- args: [x]\n- name")
    assert DOCUMENT.drop(after, ("mcpServers", 0)) == "mcpServers:\n- name: acme\n  args:\n  - z\n# end\n"
    assert DOCUMENT.put(text, ("mcpServers", 0, "cwd"), "/x") == text.replace("[x]\n", "[x]\n  cwd: /x\n")
    assert DOCUMENT.drop("- - 1\n  - 2\n", (0, 0)) == "- - 2\n"
    assert DOCUMENT.drop("? a\n: 1\n? b\n: 2\n", ("b",)) == "? a\n: 1\n"


@pytest.mark.parametrize(
    ("text", "value", "after"),
    [
        ("a: 1 # c\nb: 2\n", "x", "a: x # c\nb: 2\n"),
        ("a: 1\nb: 2\n", {"n2": {"m": 1}}, "a:\n  n2:\n    m: 1\nb: 2\n"),
        ("a: # c\n  q: 1 # d\nb: 2\n", {"m": 1}, "a: # c\n  m: 1 # d\nb: 2\n"),
        ("a:\n  q: 1\nb: 2\n", 5, "a: 5\nb: 2\n"),
        ("a: {q: 1}\nb: 2", [{}], "a: [{}]\nb: 2"),
        ("a: |\n  x\nb: 2\n", "z", "a: z\nb: 2\n"),
        ("a: >-\n  x\nb: 2\n", ["z"], "a:\n  - z\nb: 2\n"),
        ("a:\nb: 2\n", True, "a: true\nb: 2\n"),
        ("a:\n- 1\n- 2\nb: 2", {}, "a: {}\nb: 2"),
    ],
)
def test_a_put_over_another_value_replaces_that_value_alone(text: str, value: Any, after: str) -> None:
    assert DOCUMENT.put(text, ("a",), value) == after
    assert DOCUMENT.put(after, ("a",), value) == after


def test_an_element_of_a_list_is_replaced_in_its_place() -> None:
    text = "a:\n- b: 1\n- # c\n  c: 1\n- 5\n"
    assert DOCUMENT.put(text, ("a", 0), {"x": [1], "z": 2}) == "a:\n- x:\n  - 1\n  z: 2\n- # c\n  c: 1\n- 5\n"
    assert DOCUMENT.put(text, ("a", 1), {"x": 1}) == "a:\n- b: 1\n- # c\n  x: 1\n- 5\n"
    assert DOCUMENT.put(text, ("a", 2), [6, 7]) == "a:\n- b: 1\n- # c\n  c: 1\n- - 6\n  - 7\n"


def test_texts_are_quoted_where_any_reader_would_take_them_for_something_else() -> None:
    odd = [
        "yes",
        "NO",
        "null",
        "1",
        "1:30",
        "0x1",
        "1e3",
        "",
        " a",
        "a: b",
        "a #b",
        "-",
        "- a",
        "é\n\t\x85\u2028",
        "a,b",
        "*a",
        "😀",
    ]
    after = DOCUMENT.put("", ("a",), odd)
    for version in ("1.1", "1.2"):
        reader = YAML(typ="safe", pure=True)
        reader.version = version
        assert reader.load(after) == {"a": odd}
    assert DOCUMENT.put("", ("a",), "plain words/of-text.js") == "a: plain words/of-text.js\n"


def test_numbers_are_read_alike_by_old_and_new_readers() -> None:
    assert DOCUMENT.put("", ("a",), [1e16, 5e-324, float("-inf"), -0.5, 1.0, None, False]) == (
        "a:\n  - 1.0e+16\n  - 5.0e-324\n  - -.inf\n  - -0.5\n  - 1.0\n  - null\n  - false\n"
    )


def test_aliases_are_followed_when_read_and_never_edited_through() -> None:
    text = "base: &b\n  x: 1\none: *b\ntwo: &free 5\nmerged:\n  <<: *b\n"
    assert DOCUMENT.load(text)["one"] == {"x": 1}
    assert DOCUMENT.get(text, ("one", "x")) == 1
    after = DOCUMENT.put(text, ("merged", "z"), 2)
    assert after == text + "  z: 2\n"
    for act in (lambda: DOCUMENT.put(text, ("base", "y"), 1), lambda: DOCUMENT.drop(text, ("base",))):
        with pytest.raises(DocumentError, match="repeat this by its anchor &b"):
            act()
    with pytest.raises(ParseError, match="one is an alias"):
        DOCUMENT.put(text, ("one", "y"), 1)
    assert DOCUMENT.drop(text, ("two",)) == text.replace("two: &free 5\n", "")


def test_a_file_that_would_expand_without_end_costs_what_its_text_costs() -> None:
    levels = "".join(f"l{n}: &l{n} [{', '.join([f'*l{n - 1}'] * 9)}]\n" for n in range(1, 60))
    text = f"l0: &l0 [x]\n{levels}"
    after = DOCUMENT.put(text, SERVER, ENTRY)
    assert DOCUMENT.drop(DOCUMENT.drop(after, SERVER), SERVER[:1]) == text


def test_several_documents_are_refused() -> None:
    for act in (DOCUMENT.load, lambda t: DOCUMENT.put(t, ("a",), 2), lambda t: DOCUMENT.missing_parents(t, ("a",))):
        with pytest.raises(ParseError, match="several documents") as caught:
            act("a: 1\n---\nb: 2\n")
        assert caught.value.line == 2


def test_tabs_are_refused_with_their_line() -> None:
    with pytest.raises(ParseError, match="not valid YAML") as caught:
        DOCUMENT.put("a:\n\tb: 1\n", ("c",), 1)
    assert caught.value.line == 2
    assert "tab" in caught.value.remedy


@pytest.mark.parametrize(
    "text", ["a: [1", "a: b: c", "a: 'x", "\x00", "a: *x", "[" * 5_000, 'a: "\\UFFFFFFFF"', "@a", "a: 1\n- b\n", "..."]
)
def test_what_does_not_parse_is_not_edited(text: str) -> None:
    with pytest.raises(DocumentError):
        DOCUMENT.put(text, ("z",), 1)
    with pytest.raises(ParseError):
        DOCUMENT.load(text)


def test_a_key_that_stands_there_twice_on_our_path_is_refused_with_its_line() -> None:
    text = "x: {d: 1, d: 2}\nmcp_servers:\n'mcp_servers':\n"
    for act in (DOCUMENT.get, DOCUMENT.drop, DOCUMENT.missing_parents):
        with pytest.raises(DuplicateKeyError, match="mcp_servers stands there twice, first in line 2") as caught:
            act(text, SERVER)
        assert caught.value.line == 3
    assert DOCUMENT.put(text, ("z",), 1) == text + "z: 1\n"


def test_a_wrong_kind_on_the_way_is_refused_with_its_line() -> None:
    with pytest.raises(ParseError, match="the top level is a list, where an object is needed"):
        DOCUMENT.put("- 1\n", SERVER, ENTRY)
    with pytest.raises(ParseError, match="the top level is a text"):
        DOCUMENT.get("hello", SERVER)
    with pytest.raises(ParseError, match="mcp_servers is null") as caught:
        DOCUMENT.put("\nmcp_servers: null\n", SERVER, ENTRY)
    assert caught.value.line == 2
    with pytest.raises(DocumentError, match="that list has 1 elements"):
        DOCUMENT.put("a: [1]", ("a", 2), 1)
    with pytest.raises(DocumentError, match="without braces"):
        DOCUMENT.put("a: [b: 1]", ("a", 0, "c"), 1)
    with pytest.raises(DocumentError, match="null between brackets"):
        DOCUMENT.put("{a: , b: 1}", ("a", "c"), 1)
    with pytest.raises(DocumentError, match="surrogate"):
        DOCUMENT.put("", ("a",), "\ud800")
    with pytest.raises(DocumentError, match="top level of a YAML file is not replaced"):
        DOCUMENT.put("a: 1", (), {"b": 1})
    assert DOCUMENT.get("a: 5", ("a", "b")) is MISSING
    assert DOCUMENT.drop("a: 5", ("a", "b")) == "a: 5"


def test_keys_are_texts_and_other_keys_are_left() -> None:
    text = "8080: x\n'8081': y\n? [1, 2]\n: z\n"
    after = DOCUMENT.put(text, ("8080",), 1)
    assert after == text + '"8080": 1\n'
    assert DOCUMENT.drop(after, ("8080",)) == text
    assert DOCUMENT.get(text, ("8081",)) == "y"


def test_the_last_entry_of_a_bounded_document_leaves_an_empty_map() -> None:
    assert DOCUMENT.drop("a: 1\n...\n", ("a",)) == "{}\n...\n"
    assert DOCUMENT.drop("---\na: 1\n...\n", ("a",)) == "---\n...\n"
