"""TOML texts edited in place: where new nodes go, how they are cut, and what is refused."""

import tomllib

import pytest

from agent_connector.documents.formats import END, FORMATS, MISSING
from agent_connector.errors import DocumentError, ParseError

TOML = FORMATS["toml"]
SERVER = ("mcp_servers", "acme")
ENTRY = {"command": "npx", "args": ["-y", "x"], "env": {"A": "b"}}
SECTIONS = '[mcp_servers.acme]\ncommand = "npx"\nargs = ["-y", "x"]\n\n[mcp_servers.acme.env]\nA = "b"\n'


def test_a_table_becomes_sections_behind_those_of_its_kind() -> None:
    text = 'model = "x"\n\n[mcp_servers.a] # mine\ncommand = "c" # d\n# off = 1\n\n# the rest\n[features]\nweb = true\n'
    after = TOML.put(text, SERVER, ENTRY)
    assert after == text.replace("# the rest", f"{SECTIONS}\n# the rest")
    assert TOML.drop(after, SERVER) == text


@pytest.mark.parametrize("text", ["", "\ufeff", "# c", "# c\r\n", "\n", "a = 1", "a = 1\r\n", "   "])
def test_an_empty_file_becomes_valid_and_returns_to_empty(text: str) -> None:
    after = TOML.put(text, SERVER, ENTRY)
    assert tomllib.loads(after.removeprefix("\ufeff"))["mcp_servers"] == {"acme": ENTRY}
    assert TOML.missing_parents(text, SERVER) == (("mcp_servers",),)
    after = TOML.drop(after, SERVER)
    assert after == text
    assert TOML.drop(after, ("mcp_servers",)) == text
    assert TOML.load("") == {}


def test_a_file_without_a_last_line_end_keeps_having_none() -> None:
    assert TOML.put("a = 1", ("b",), 2) == "a = 1\nb = 2"
    assert TOML.put("a = 1", ("b",), {"c": 2}) == "a = 1\n\n[b]\nc = 2"
    assert TOML.put("\ufeffa = 1\r\nc = 0\r\n", ("b",), 2) == "\ufeffa = 1\r\nc = 0\r\nb = 2\r\n"


def test_a_pair_goes_behind_the_last_pair_of_its_section() -> None:
    text = "[a]\n  x = 1 # c\n  # y = 2\n\n[b]\n"
    assert TOML.put(text, ("a", "z"), [1]) == "[a]\n  x = 1 # c\n  z = [1]\n  # y = 2\n\n[b]\n"
    assert TOML.put(text, ("b", "z"), True) == f"{text}z = true\n"


def test_a_first_pair_of_the_top_level_is_parted_from_the_first_section() -> None:
    text = "# about this file\n\n# about a\n[a]\n"
    after = TOML.put(text, ("k",), 1)
    assert after == "# about this file\n\nk = 1\n\n# about a\n[a]\n"
    assert TOML.drop(after, ("k",)) == text


def test_a_table_without_a_header_takes_a_dotted_pair() -> None:
    after = TOML.put("[a.b.c]\nx = 1\n", ("a", "b", "k y"), 1)
    assert after == 'a.b."k y" = 1\n\n[a.b.c]\nx = 1\n'
    assert TOML.drop(after, ("a", "b", "k y")) == "[a.b.c]\nx = 1\n"
    assert TOML.put("a.x = 1\n", ("a", "y"), 2) == "a.x = 1\na.y = 2\n"


def test_an_element_of_an_array_of_tables_becomes_a_section() -> None:
    hook = {"matcher": "x", "hooks": [{"type": "command", "command": "c"}]}
    text = '[[hooks.PreToolUse]]\nmatcher = "a"\n[[hooks.PreToolUse.hooks]]\ntype = "command"\n\n[features]\n'
    after = TOML.put(text, ("hooks", "PreToolUse", END), hook)
    section = '\n[[hooks.PreToolUse]]\nmatcher = "x"\n\n[[hooks.PreToolUse.hooks]]\ntype = "command"\ncommand = "c"\n'
    assert after == text.replace("\n[features]", f"{section}\n[features]")
    assert TOML.get(after, ("hooks", "PreToolUse", 1)) == hook
    assert TOML.drop(after, ("hooks", "PreToolUse", 1)) == text
    assert TOML.load(TOML.drop(after, ("hooks", "PreToolUse", 0))) == {"hooks": {"PreToolUse": [hook]}, "features": {}}
    assert TOML.drop(TOML.put("", ("hooks", "PreToolUse", END), hook), ("hooks", "PreToolUse", 0)) == ""


def test_an_element_inside_an_earlier_table_of_an_array_stays_in_it() -> None:
    text = "[[a]]\nx = 1\n[[a]]\nx = 2\n"
    after = TOML.put(text, ("a", 0, "b"), {"c": 1})
    assert TOML.load(after) == {"a": [{"x": 1, "b": {"c": 1}}, {"x": 2}]}
    assert TOML.drop(after, ("a", 0, "b")) == text


def test_inline_values_stay_inline() -> None:
    text = "env = { A = 'x' } # c\nargs = [\n  'a', # first\n  'b',\n]\nempty = {}\nlist = []\n"
    after = TOML.put(text, ("env", "B c"), {"d": 1})
    assert after == text.replace("'x' }", "'x', \"B c\" = { d = 1 } }")
    assert TOML.drop(after, ("env", "B c")) == text
    assert TOML.put(text, ("args", END), "c") == text.replace("  'b',\n", "  'b',\n  \"c\",\n")
    assert TOML.drop(text, ("args", 0)) == text.replace("\n  'a', # first", " # first")
    assert TOML.put(text, ("empty", "a"), 1) == text.replace("{}", "{a = 1}")
    assert TOML.put(text, ("list", END), {"a": 1}) == text.replace("[]", "[{ a = 1 }]")


def test_quoted_keys_are_found_by_what_they_say() -> None:
    text = '[mcp_servers."a.b"]\n\'x y\' = 1\n"q\\u0041" = 2\n'
    assert TOML.get(text, ("mcp_servers", "a.b", "qA")) == 2
    assert TOML.put(text, ("mcp_servers", "a.b", "x y"), 3) == text.replace("= 1", "= 3")
    assert TOML.drop(text, ("mcp_servers", "a.b", "qA")) == "[mcp_servers.\"a.b\"]\n'x y' = 1\n"
    assert TOML.put("", ("a.b",), {'"': 1}) == '["a.b"]\n"\\"" = 1\n'


def test_a_table_over_a_table_changes_only_what_differs() -> None:
    text = '[mcp_servers.acme]\n# why\ncommand = "npx" # c\nold = 1\n\n[mcp_servers.acme.env]\nA = "b" # d\n\n[z]\n'
    after = TOML.put(text, SERVER, {"command": "uvx", "env": {"A": "b", "B": "c"}, "tools": {"x": {"y": 1}}})
    assert after == (
        '[mcp_servers.acme]\n# why\ncommand = "uvx" # c\n\n[mcp_servers.acme.env]\nA = "b" # d\nB = "c"\n\n'
        "[mcp_servers.acme.tools.x]\ny = 1\n\n[z]\n"
    )


def test_other_kinds_replace_each_other() -> None:
    assert TOML.put("a = 1 # c\nb = 2\n", ("a",), {"x": [1]}) == "a = { x = [1] } # c\nb = 2\n"
    assert TOML.put("b = 2\n\n[a]\nx = 1\n", ("a",), 3) == "b = 2\na = 3\n"
    assert TOML.load(TOML.put("[[a]]\nx = 1\n[[a]]\nx = 2\n[[a]]\nx = 3\n", ("a",), [{"x": 1}, {"y": 2}])) == {
        "a": [{"x": 1}, {"y": 2}]
    }
    assert TOML.load(TOML.put("[[a]]\nx = 1\n", ("a",), [])) == {"a": []}
    assert TOML.load(TOML.put("[a.b]\nx = 1\n", ("a",), {})) == {"a": {}}


def test_a_comment_behind_a_pair_stays_when_the_pair_goes() -> None:
    assert TOML.drop("a = 1\nb = 2 # why\nc = 3\n", ("b",)) == "a = 1\n# why\nc = 3\n"


def test_all_that_makes_up_a_table_goes_with_it() -> None:
    text = "a.x = 1\nk = 0\n\n[a.b]\ny = 2\n\n[c]\n\n[a.d.e]\n"
    assert TOML.drop(text, ("a",)) == "k = 0\n\n[c]\n"


def test_strings_of_every_kind_are_passed_over() -> None:
    text = 'a = \'\'\'\n[x]\nb = 1\n\'\'\'\nb = """\\"""\n# no\n""""\nc = \'# no\'\n'
    assert TOML.get(TOML.put(text, ("d",), 1), ("b",)) == '"""\n# no\n"'
    assert TOML.drop(text, ("b",)) == "a = '''\n[x]\nb = 1\n'''\nc = '# no'\n"


def test_values_keep_their_types() -> None:
    value = {
        "s": '"\\\n\t\x7f é',
        "i": -5,
        "f": 1e16,
        "inf": float("inf"),
        "t": True,
        "l": [[1], [], [{"a": {}}]],
        "e": {},
    }
    assert TOML.get(TOML.put("", ("x",), value), ("x",)) == value
    assert TOML.put("a = 1\n", ("a",), 1.0) == "a = 1.0\n"
    dates = "d = 1979-05-27T07:32:00Z\nn = nan\n"
    assert TOML.put(dates, ("e",), TOML.get(dates, ("d",))) == f"{dates}e = 1979-05-27T07:32:00+00:00\n"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a = 1\na = 2\n", 2),
        ("[a]\n[a]\n", 2),
        ("a = \n", 1),
        ('{"a": 1}', 1),
        ("a = 1\n\tb\n", 2),
        ("a = '''", 1),
        ("a\r= 1", 1),
    ],
)
def test_what_does_not_parse_is_not_edited(text: str, line: int) -> None:
    with pytest.raises(ParseError, match="not valid TOML") as caught:
        TOML.put(text, ("z",), 1)
    assert caught.value.line == line


def test_deep_nesting_is_an_error_and_no_crash() -> None:
    with pytest.raises(ParseError, match="nested too deeply"):
        TOML.load("a = " + "[" * 50_000)
    for edit in (lambda text: TOML.put(text, SERVER, ENTRY), lambda text: TOML.drop(text, ("b",))):
        with pytest.raises(ParseError, match="nested too deeply"):
            edit("a." * 2_000 + "a = 1\nb = 1\n")


def test_a_number_too_long_to_read_is_an_error_and_no_crash() -> None:
    with pytest.raises(ParseError, match="Exceeds the limit"):
        TOML.load("a = " + "9" * 6_000)


def test_a_wrong_kind_on_the_way_is_refused_with_its_line() -> None:
    with pytest.raises(ParseError, match="mcp_servers is a number, where an object is needed") as caught:
        TOML.put("a = 1\nmcp_servers = 2\n", SERVER, ENTRY)
    assert caught.value.line == 2
    with pytest.raises(ParseError, match="hooks is an object, where a list is needed") as caught:
        TOML.put("\n[hooks.x]\n", ("hooks", END), {})
    assert caught.value.line == 2
    with pytest.raises(DocumentError, match="that list has 1 elements"):
        TOML.put("a = [1]", ("a", 2), 1)
    assert TOML.get("a = 1", ("a", "b")) is MISSING
    assert TOML.drop("a = 1", ("a", "b")) == "a = 1"
    assert TOML.drop("a = 1", ()) == "a = 1"


def test_what_toml_cannot_hold_is_refused() -> None:
    with pytest.raises(DocumentError, match="null cannot be written in TOML"):
        TOML.put("", ("a",), {"b": None})
    with pytest.raises(DocumentError, match="surrogate"):
        TOML.put("", ("a",), "\ud800")
    with pytest.raises(DocumentError, match="only a table can be added"):
        TOML.put("[[a]]\n", ("a", END), 1)
    with pytest.raises(DocumentError, match="only a table can stand"):
        TOML.put("[[a]]\n", ("a", 0), 1)
    with pytest.raises(DocumentError, match="dotted key in an inline table"):
        TOML.put("a = { b.c = 1 }", ("a", "b", "d"), 1)


def test_a_large_file_is_edited_in_place() -> None:
    text = "".join(f"# {n}\n[mcp_servers.s{n}]\ncommand = 'npx'\nenv = {{ X = \"y\" }}\n\n" for n in range(3_000))
    after = TOML.put(text, SERVER, ENTRY)
    assert TOML.drop(after, SERVER) == text
