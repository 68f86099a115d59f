"""Names of tools taken apart, and times, in the protocol that many hosts took over."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_connector.hosts.dialects import claude_hooks

NAME = st.text(alphabet="ab_-", min_size=1, max_size=8)


@pytest.mark.parametrize(
    ("tool", "said", "servers", "expected"),
    [
        ("Bash", None, ["a"], (None, "Bash")),
        ("mcp__a__b", None, [], ("a", "b")),
        ("mcp__a__b__c", None, [], ("a", "b__c")),
        ("mcp__a__b__c", None, ["a__b"], ("a__b", "c")),
        ("mcp__a__b__c", None, ["a", "a__b"], ("a__b", "c")),
        ("mcp__a__b__c", "a", ["a__b"], ("a", "b__c")),  # what the host says decides
        ("mcp__a_b__c", "a.b", [], ("a.b", "c")),
        ("mcp__a_b__c", "unrelated", ["a.b"], ("a.b", "c")),
        ("mcp__plugin_acme_acme-db__q", "plugin:acme:acme-db", ["acme-db"], ("acme-db", "q")),
        ("mcp__plugin_acme_other__q", "plugin:acme:other", ["acme-db"], ("plugin:acme:other", "q")),
        ("mcp__plugin_acme_acme-db__q", None, ["acme-db"], ("acme-db", "q")),
        ("mcp__plugin_acme-db__q", None, ["acme-db"], ("plugin_acme-db", "q")),
        ("mcp__nothing", None, ["a"], (None, "mcp__nothing")),
    ],
)
def test_server_and_tool(tool, said, servers, expected):
    assert claude_hooks.split(tool, said, servers) == expected


@given(NAME, NAME)
def test_a_server_that_the_host_names_is_never_mistaken(server, tool):
    assert claude_hooks.split(claude_hooks.prefix(server) + tool, server, []) == (server, tool)


@pytest.mark.parametrize(("asked", "written"), [(10, 10), (9.1, 10), (0.2, 1), (0, 1)])
def test_times_are_whole_seconds_and_never_less_than_asked_for(asked, written):
    assert claude_hooks.seconds(asked) == written
