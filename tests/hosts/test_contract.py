"""Every host goes through the whole facet contract, with the driver that is shipped for others' hosts."""

import pytest

from agent_connector.hosts import query
from agent_connector.hosts.nodes import Reply
from agent_connector.testing import host_hooks, hosts

HOSTS = query.hosts()


@pytest.mark.parametrize("host", HOSTS)
@pytest.mark.parametrize("check", hosts.CHECKS, ids=lambda check: check.__name__)
def test_contract(host, check):
    check(host)


def test_a_broken_host_is_named_with_what_is_wrong(monkeypatch):
    facts = query.facts("gemini-cli")
    monkeypatch.setattr(facts, "KIND", "toaster")
    monkeypatch.setattr(query.places("gemini-cli"), "running", lambda variables: True)
    assert hosts.walk("gemini-cli") == [
        "gemini-cli: facts_are_whole: KIND is 'toaster'",
        "gemini-cli: places_know_themselves: it runs in an empty environment",
    ]


def test_a_heavy_import_on_the_hook_path_is_seen():
    assert "json" in host_hooks.loaded("agent_connector.hosts.dialects.stream_json")
    assert host_hooks.loaded("agent_connector.hosts.dialects.values") == []


def test_a_promise_that_is_not_kept_is_seen(monkeypatch):
    monkeypatch.setattr(query.hooks("gemini-cli"), "reply", lambda event, decision: Reply())
    with pytest.raises(AssertionError, match="context at SessionStart is honoured, and the answer is None"):
        host_hooks.promises_are_kept("gemini-cli")
