"""JSON, JSONC and JSON5 texts edited in place: what the result looks like, and what is refused."""

import json

import pytest

from agent_connector.documents.formats import END, FORMATS, MISSING
from agent_connector.errors import DocumentError, DuplicateKeyError, ParseError

STRICT, JSONC, JSON5 = FORMATS["json"], FORMATS["jsonc"], FORMATS["json5"]
SERVER = ("mcpServers", "acme")
ENTRY = {"command": "npx", "args": ["-y"], "env": {}}


def test_a_new_entry_takes_the_look_of_the_file() -> None:
    text = '{\n\t"theme": "dark",\n\t"mcpServers": {\n\t\t"other": {"command": "x"}\n\t}\n}\n'
    assert STRICT.put(text, SERVER, ENTRY) == (
        '{\n\t"theme": "dark",\n\t"mcpServers": {\n\t\t"other": {"command": "x"},\n'
        '\t\t"acme": {\n\t\t\t"command": "npx",\n\t\t\t"args": [\n\t\t\t\t"-y"\n\t\t\t],\n\t\t\t"env": {}\n\t\t}\n\t}\n}\n'
    )


def test_what_is_on_one_line_stays_on_one_line() -> None:
    text = '{"a":1,"mcpServers":{"b":{}}}'
    assert STRICT.put(text, SERVER, ENTRY) == (
        '{"a":1,"mcpServers":{"b":{},"acme":{"command":"npx","args":["-y"],"env":{}}}}'
    )
    assert STRICT.put('{ "a": [1, 2] }', ("a", END), 3) == '{ "a": [1, 2, 3] }'
    assert STRICT.put("[ ]", (END,), {}) == "[ {} ]"


def test_lists_of_scalars_follow_the_first_list_of_the_file() -> None:
    text = '{\n  "args": ["a", "b"]\n}'
    assert STRICT.put(text, ("x",), {"args": ["c", "d"]}) == (
        '{\n  "args": ["a", "b"],\n  "x": {\n    "args": ["c", "d"]\n  }\n}'
    )


def test_an_empty_object_opens_over_lines_where_its_file_has_lines() -> None:
    assert STRICT.put("{}\n", ("a",), 1) == '{\n  "a": 1\n}\n'
    assert STRICT.put('{\n    "a": {}\n}', ("a", "b"), 1) == '{\n    "a": {\n        "b": 1\n    }\n}'
    assert STRICT.put('{"a": {}}', ("a", "b"), 1) == '{"a": {"b": 1}}'


def test_an_element_opens_over_lines_as_its_neighbour_does() -> None:
    text = '{\n  "hooks": [{\n    "a": 1\n  }]\n}'
    assert STRICT.put(text, ("hooks", END), {"b": 2}) == '{\n  "hooks": [{\n    "a": 1\n  }, {\n    "b": 2\n  }]\n}'


def test_crlf_and_the_byte_order_mark_stay() -> None:
    text = '\ufeff{\r\n  "a": 1\r\n}\r\n'
    after = STRICT.put(text, ("b",), {"c": 2})
    assert after == '\ufeff{\r\n  "a": 1,\r\n  "b": {\r\n    "c": 2\r\n  }\r\n}\r\n'
    assert STRICT.drop(after, ("b",)) == text


def test_a_comment_behind_the_last_entry_stays_with_it() -> None:
    text = '{\n  "a": 1 // one\n  // two\n}\n'
    after = JSONC.put(text, ("b",), 2)
    assert after == '{\n  "a": 1, // one\n  // two\n  "b": 2\n}\n'
    assert JSONC.drop(after, ("b",)) == text
    assert JSONC.drop(after, ("a",)) == '{ // one\n  // two\n  "b": 2\n}\n'


def test_an_entry_behind_a_line_comment_goes_to_the_next_line() -> None:
    text = '{"a": 1 // c\n}'
    after = JSONC.put(text, ("b",), 2)
    assert after == '{"a": 1, // c\n  "b": 2\n}'
    assert JSONC.drop(after, ("b",)) == text


def test_a_trailing_comma_stays_one() -> None:
    assert JSONC.drop('{\n  "a": 1, // x\n  "b": 2,\n}', ("b",)) == '{\n  "a": 1, // x\n}'
    text = '{\n  "a": [1, /* x */],\n}'
    assert JSONC.put(text, ("b",), 2) == '{\n  "a": [1, /* x */],\n  "b": 2,\n}'
    assert JSONC.put(text, ("a", END), 2) == '{\n  "a": [1, /* x */ 2,],\n}'
    assert JSONC.drop(text, ("a", 0)) == '{\n  "a": [ /* x */],\n}'


@pytest.mark.parametrize(
    "text",
    [
        "{ // c\n}",
        "{/* c */}",
        "{/* c */ }",
        "{\n  // c\n\n}",
        "{ \n /* c */\n }",
        "{\n}",
        "{\r\n\r\n}",
        "{\r}",
        "\n{\r}",
        "{ \t }",
    ],
)
def test_an_object_without_entries_comes_back_with_its_blanks(text: str) -> None:
    after = JSONC.put(text, SERVER, ENTRY)
    assert JSONC.get(after, SERVER) == ENTRY
    assert JSONC.drop(JSONC.drop(after, SERVER), SERVER[:1]) == text


@pytest.mark.parametrize("text", ["", "\ufeff", "\n", "  ", "\r\n", "\r"])
def test_an_empty_file_becomes_valid_and_returns_to_empty(text: str) -> None:
    for document in (STRICT, JSONC, JSON5):
        assert document.load(text) == {}
        assert document.get(text, ("mcpServers",)) is MISSING
        assert document.drop(text, SERVER) == text
        made = document.missing_parents(text, SERVER)
        after = document.put(text, SERVER, ENTRY)
        assert made == ((), ("mcpServers",))
        assert json.loads(after.removeprefix("\ufeff")) == {"mcpServers": {"acme": ENTRY}}
        after = document.drop(after, SERVER)
        for parent in reversed(made):
            after = document.drop(after, parent)
        assert after == text
    assert STRICT.put("", ("a",), 1) == '{\n  "a": 1\n}\n'


@pytest.mark.parametrize("text", ["// c", "/* c */\n", "// c\r\n", "\n// c\n\n"])
def test_a_file_of_comments_becomes_valid_and_returns_to_its_comments(text: str) -> None:
    after = JSONC.put(text, ("a",), 1)
    assert JSONC.load(after) == {"a": 1}
    assert JSONC.drop(JSONC.drop(after, ("a",)), ()) == text
    with pytest.raises(ParseError, match="JSON"):
        STRICT.put(text, ("a",), 1)


def test_a_put_over_another_value_replaces_that_value_alone() -> None:
    text = '{ // c\n  "a"  :  [1,\n 2] , // d\n  "b": {"c": true}\n}'
    assert JSONC.put(text, ("a",), "x") == '{ // c\n  "a"  :  "x" , // d\n  "b": {"c": true}\n}'
    assert STRICT.put('{\n  "a": {"b": 1}\n}', ("a",), {"c": [2]}) == '{\n  "a": {"c": [2]}\n}'
    assert STRICT.put('{\n  "a": 1\n}', ("a",), {"c": 2}) == '{\n  "a": {\n    "c": 2\n  }\n}'
    assert JSONC.put(text, ("b", "c"), 1) == '{ // c\n  "a"  :  [1,\n 2] , // d\n  "b": {"c": 1}\n}'
    assert JSONC.put(text, ("b",), {"c": True}) == text
    assert STRICT.put("[1]", (), {"a": 1}) == '{\n  "a": 1\n}'


def test_numbers_and_booleans_are_told_apart() -> None:
    assert STRICT.put('{"a": true}', ("a",), 1) == '{"a": 1}'
    assert STRICT.put('{"a": 1.0}', ("a",), 1) == '{"a": 1}'
    assert STRICT.put('{"a": 1}', ("a",), 1) == '{"a": 1}'


def test_entries_are_taken_out_of_every_position() -> None:
    text = '{\n  "a": 1,\n\n  "b": 2,\n  "c": 3\n}'
    assert STRICT.drop(text, ("a",)) == '{\n  "b": 2,\n  "c": 3\n}'
    assert STRICT.drop(text, ("b",)) == '{\n  "a": 1,\n  "c": 3\n}'
    assert STRICT.drop(text, ("c",)) == '{\n  "a": 1,\n\n  "b": 2\n}'
    assert STRICT.drop("[1, 2, 3]", (0,)) == "[2, 3]"
    assert STRICT.drop("[1, 2, 3]", (1,)) == "[1, 3]"
    assert STRICT.drop("[1, 2, 3]", (END,)) == "[1, 2]"
    assert STRICT.drop("[1]", (0,)) == "[]"
    assert STRICT.drop(text, ("d",)) == STRICT.drop(text, ("a", "b")) == text


def test_a_line_comment_never_swallows_what_follows() -> None:
    assert JSONC.drop('{ // c\n "a": 1}', ("a",)) == "{ // c\n}"
    assert JSONC.drop('{ "b": 0, // c\n "a": 1, "d": 2}', ("a",)) == '{ "b": 0, // c\n "d": 2}'
    assert JSONC.drop('{ "b": 0, // c */\n "a": 1}', ("a",)) == '{ "b": 0 // c */\n}'


def test_missing_parents_are_named_outermost_first() -> None:
    assert STRICT.missing_parents('{"a": {}}', ("a", "b", "c", END)) == (("a", "b"), ("a", "b", "c"))
    assert STRICT.missing_parents('{"a": []}', ("a", END)) == ()
    assert STRICT.missing_parents('{"a": [1]}', ("a", END, "b")) == (("a", 1),)


def test_a_key_that_stands_there_twice_on_our_path_is_refused_with_its_line() -> None:
    text = '{\n  "x": {"d": 1, "d": 2},\n  "mcpServers": {},\n  "mcp\\u0053ervers": {}\n}'
    for document in (STRICT, JSONC, JSON5):
        for act in (document.get, document.drop, document.missing_parents):
            with pytest.raises(DuplicateKeyError, match=r"mcpServers stands there twice, first in line 3") as caught:
                act(text, SERVER)
            assert caught.value.line == 4
        with pytest.raises(DuplicateKeyError):
            document.put(text, SERVER, ENTRY)
        assert document.get(document.put(text, ("y",), 1), ("y",)) == 1


def test_a_wrong_kind_on_the_way_is_refused_with_its_line() -> None:
    with pytest.raises(ParseError, match="the top level is a list, where an object is needed"):
        STRICT.put("[]", SERVER, ENTRY)
    with pytest.raises(ParseError, match="the top level is a text"):
        STRICT.get('"x"', SERVER)
    with pytest.raises(ParseError, match="mcpServers is null, where an object is needed") as caught:
        STRICT.put('{\n "mcpServers": null}', SERVER, ENTRY)
    assert (caught.value.line, caught.value.column) == (2, 16)
    with pytest.raises(ParseError, match="a is an object, where a list is needed"):
        STRICT.missing_parents('{"a": {}}', ("a", END))
    with pytest.raises(DocumentError, match="that list has 1 elements"):
        STRICT.put('{"a": [1]}', ("a", 3), 1)
    assert STRICT.get('{"a": 5}', ("a", "b")) is MISSING
    assert STRICT.drop('{"a": 5}', ("a", "b")) == '{"a": 5}'


def test_strictness_is_that_of_the_host() -> None:
    commented = '{\n  "a": 1, // c\n}'
    with pytest.raises(ParseError, match="not valid JSON") as caught:
        STRICT.put(commented, ("b",), 1)
    assert caught.value.line == 2
    assert "strict JSON" in caught.value.remedy
    with pytest.raises(ParseError, match="JSON with comments"):
        JSONC.load("{a: 1}")
    assert JSON5.load("{a: 1}") == {"a": 1}


@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1',
        '{"a" 1}',
        '{"a": NaN}',
        '{"a": "\t"}',
        "{'a': 1}",
        "{} {}",
        "nul",
        '{"a": 01}',
        "{,}",
        "[1,,]",
        "[,]",
        '{"a":,}',
        "/* c",
        "{ /* }",
        '"',
        "{} /",
        "\x00",
        "[" * 100_000,
        '{"a": ' * 100_000,
        "\xa0{}",
    ],
)
def test_what_does_not_parse_is_not_edited(text: str) -> None:
    for document in (STRICT, JSONC):
        with pytest.raises(ParseError):
            document.load(text)
        with pytest.raises(ParseError):
            document.put(text, ("a",), 1)
        with pytest.raises(ParseError):
            document.drop(text, ("a",))


def test_where_a_text_does_not_parse_is_told() -> None:
    with pytest.raises(ParseError) as caught:
        JSONC.load('{\r\n  // c\r\n  "a": 1,\r\n  "b" 2\r\n}')
    assert (caught.value.line, caught.value.column) == (4, 7)
    with pytest.raises(ParseError) as caught:
        STRICT.load('{"NaN": 1,\n "a": NaN}')
    assert (caught.value.line, caught.value.column) == (2, 7)
    with pytest.raises(ParseError) as caught:
        JSON5.load("{a: 1,\n b: foo}")
    assert (caught.value.line, caught.value.column) == (2, 5)
    with pytest.raises(ParseError) as caught:
        JSON5.load("{\n'a': 1,\n b: 2 3}")
    assert caught.value.line == 3


def test_json5_is_written_in_the_hand_of_the_file() -> None:
    text = "{\n  // c\n  gateway: 'x',\n}\n"
    after = JSON5.put(text, ("mcp", "servers", "it's"), {"ok-not": 1, "n": float("inf"), "t": 'say "hi"'})
    assert after == (
        "{\n  // c\n  gateway: 'x',\n  mcp: {\n    servers: {\n      'it\\'s': {\n"
        "        'ok-not': 1,\n        n: Infinity,\n        t: 'say \"hi\"'\n      }\n    }\n  },\n}\n"
    )
    assert JSON5.drop(after, ("mcp",)) == text


def test_json5_values_are_read() -> None:
    text = (
        "{$a: +0xFF, _b: -.5, 'c\\'': 5., \"d\": 'x\\\r\ny\\x41\\u0042\\0', e\\u0065: [-Infinity, +1e2,], true: null}"
    )
    assert JSON5.load(text) == {
        "$a": 255,
        "_b": -0.5,
        "c'": 5.0,
        "d": "xyAB\0",
        "ee": [float("-inf"), 100.0],
        "true": None,
    }
    assert JSON5.load("'\\ud83d\\ude00'") == "😀"
    assert JSON5.load("// x\u2028{a: 1}\xa0") == JSON5.load("// x\u2028{a: 1}\n") == {"a": 1}
    assert JSON5.get(JSON5.put("{a: NaN}", ("b",), 1), ("b",)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "{a: b}",
        "{1: 2}",
        "[a: 1]",
        "{a: 0x}",
        "{a: 1e}",
        "{a: .}",
        "{a: 01}",
        "{a: '\n'}",
        "{a: '\\1'}",
        "{a: '",
        "{a-b: 1}",
        "{,}",
        "[1,,]",
        "/* c",
        "{a: --1}",
        "{a: '\\u00'}",
        "[1 2]",
        "@",
        "0x" + "f" * 5000,
    ],
)
def test_json5_that_does_not_parse_is_not_edited(text: str) -> None:
    with pytest.raises(ParseError):
        JSON5.put(text, ("z",), 1)


def test_values_that_the_format_cannot_hold_are_refused() -> None:
    for document in (STRICT, JSONC):
        with pytest.raises(DocumentError, match="inf cannot be written in JSON"):
            document.put("{}", ("a",), float("inf"))
    with pytest.raises(TypeError, match="set cannot stand in a document"):
        STRICT.put("{}", ("a",), {1})
    with pytest.raises(TypeError, match="keys"):
        STRICT.put("{}", ("a",), {1: 2})


def test_odd_characters_are_written_so_that_every_reader_reads_them() -> None:
    after = STRICT.put("{}", ("é",), "\u2028 \ud800 \x00 😀")
    assert '"é": "\\u2028 \\ud800 \\u0000 😀"' in after
    assert STRICT.get(after, ("é",)) == "\u2028 \ud800 \x00 😀"


def test_twenty_megabytes_are_edited_in_place() -> None:
    history = {f"/home/{n}": {"history": [{"display": 'y"}{[' * 20, "n": n}] * 12, "ok": True} for n in range(10_000)}
    text = json.dumps({"projects": history, "mcpServers": {}, "numbers": list(range(100_000))}, indent=2)
    assert len(text) > 20_000_000
    after = STRICT.put(text, SERVER, ENTRY)
    assert len(after) > len(text)
    assert STRICT.get(after, SERVER) == ENTRY
    assert STRICT.drop(after, SERVER) == text


def test_a_large_file_full_of_comments_is_edited_in_place() -> None:
    lines = "".join(
        f'  // about {n}, "quoted": {{\n  "k{n}": [{n}, /* [ */ {{"v": "// no"}},], // end\n' for n in range(4_000)
    )
    text = f'{{\n{lines}  "mcpServers": {{}},\n}}\n'
    assert len(text) > 250_000
    for document in (JSONC, JSON5):
        after = document.put(text, SERVER, ENTRY)
        assert document.drop(after, SERVER) == text
        assert after.count("// about") == 4_000


@pytest.mark.parametrize("piece", ["[", '"', "/*", "//\n", " ", ", ", '"\\', "{'a':", "\\", ",\n"])
def test_a_hostile_run_ends(piece: str) -> None:
    text = "[1" + piece * 200_000
    for document in (STRICT, JSONC, JSON5):
        with pytest.raises(ParseError):
            document.put(text, (END,), 1)
