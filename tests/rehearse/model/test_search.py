"""In a host whose model has to search for a server's tools, the stand-in searches once for each and then calls it."""

from agent_connector.rehearse.model.actor import ENDED, Actor
from agent_connector.rehearse.model.turns import Asked, Offer
from agent_connector.rehearse.script import parse

SEARCH = Offer("ToolSearch")
SCRIPT = parse(
    {
        "steps": [
            {"call": {"tool": "query", "arguments": {"a": 1}}},
            {"call": {"tool": "host:Read", "arguments": {}}},
            {"call": {"tool": "query", "arguments": {"a": 2}}},
            {"call": {"tool": "gone", "arguments": {}}},
            {"say": "Done."},
        ]
    }
)


def asked(*offers: Offer) -> Asked:
    return Asked("chat", "m", False, (), offers, ())


def acted(actor: Actor, *offers: Offer) -> list[object]:
    turn = actor.act(asked(*offers))
    return [(call.name, dict(call.arguments)) for call in turn.calls] or [turn.text]


def test_each_tool_is_searched_for_once_and_called_by_the_offered_name() -> None:
    actor = Actor(SCRIPT, "acme", {"Read": ("Read",)}, "{server}___{tool}")
    query, read = Offer("acme___query"), Offer("Read")
    assert acted(actor, SEARCH, read) == [("ToolSearch", {"query": "select:acme___query"})]
    assert acted(actor, SEARCH, read, query) == [("acme___query", {"a": 1})]
    assert acted(actor, SEARCH, read, query) == [("Read", {})]
    assert acted(actor, SEARCH, read, query) == [("acme___query", {"a": 2})]
    assert acted(actor, SEARCH, read, query) == [("ToolSearch", {"query": "select:acme___gone"})]
    assert acted(actor, SEARCH, read, query) == ["Done."]
    assert acted(actor, SEARCH, read, query) == [ENDED]
    assert actor.not_offered == ["gone"]
    assert [tool for tool, _ in actor.calls] == ["query", "host:Read", "query"]


def test_elsewhere_the_composed_name_is_called_at_once() -> None:
    assert acted(Actor(SCRIPT, "acme"), SEARCH) == [("mcp__acme__query", {"a": 1})]


def test_where_nothing_can_be_searched_what_is_not_offered_is_left_out() -> None:
    actor = Actor(SCRIPT, "acme", {}, "{server}___{tool}")
    assert acted(actor, Offer("acme___gone")) == [("acme___gone", {})]
    assert actor.not_offered == ["query", "host:Read", "query"]
