"""Hosts whose model calls a server's tool through another one, and learns of it only after a while."""

import pytest

from agent_connector.rehearse.model.actor import Actor
from agent_connector.rehearse.model.turns import Asked, Offer
from agent_connector.rehearse.script import parse

OFFERS = (Offer("write"), Offer("bash"))
SCRIPT = parse({"prompt": "Go.", "steps": [{"call": {"tool": "query", "arguments": {"a": 1}}}, {"say": "Done."}]})


def routed(server, tool, arguments):
    return "write", {"path": f"xd://{server}_{tool}", "content": dict(arguments)}, f"xd://{server}_{tool}"


def asked(system):
    return Asked("chat", "m", False, (("system", system), ("user", "Go.")), OFFERS, ())


@pytest.fixture
def actor():
    return Actor(SCRIPT, "acme", {"Bash": ("bash",)}, "", routed)


def acted(actor, system):
    return [(call.name, call.arguments) for call in actor.act(asked(system)).calls]


def test_the_call_goes_through_the_other_tool(actor):
    assert acted(actor, "Tools: xd://acme_query") == [("write", {"path": "xd://acme_query", "content": {"a": 1}})]
    assert [(tool, call.arguments) for tool, call in actor.calls] == [("query", {"a": 1})]  # what the server is to see


def test_it_waits_until_the_host_has_told_of_the_tool(actor):
    assert acted(actor, "Tools: none yet") == [("bash", {"command": "sleep 1"})]
    assert acted(actor, "Tools: xd://acme_query")[0][0] == "write"
    assert actor.not_offered == []


def test_it_does_not_wait_for_ever(actor):
    calls = [acted(actor, "Tools: none")[0][0] for _ in range(10)]
    assert calls == ["bash"] * 10
    assert actor.act(asked("Tools: none")).text == "Done."
    assert actor.not_offered == ["query"]
