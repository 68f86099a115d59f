"""Paths, their words, and the comparison that decides whether a file already says what we want."""

from types import MappingProxyType

from agent_connector.documents.paths import END, same, show


def test_paths_are_shown_as_people_write_them() -> None:
    assert show(("mcpServers", "acme", 0)) == "mcpServers.acme[0]"
    assert show(("hooks", END)) == "hooks[end]"
    assert show(()) == "the top level"


def test_same_tells_types_apart_and_not_the_order_of_keys() -> None:
    assert same({"a": 1, "b": [1.5, None]}, {"b": [1.5, None], "a": 1})
    assert same(float("nan"), float("nan"))
    for one, other in (
        (1, True),
        (1, 1.0),
        (0, False),
        ([], {}),
        ([1], [1, 1]),
        ({"a": 1}, {"a": 1, "b": 2}),
        (None, 0),
        ("", []),
    ):
        assert not same(one, other)
        assert not same({"x": one}, {"x": other})


def test_read_only_maps_and_tuples_may_be_put() -> None:
    from agent_connector.documents.formats import FORMATS

    value = MappingProxyType({"a": (1, MappingProxyType({}))})
    for document in FORMATS.values():
        assert document.get(document.put("", ("x",), value), ("x",)) == {"a": [1, {}]}
