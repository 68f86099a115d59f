"""What a matcher catches, from the author's text to the event."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_connector import Event
from agent_connector.connector.matchers import MatcherError, compile, is_slow
from agent_connector.connector.matching import matches


def event(tool, server="acme"):
    return Event("PreToolUse", "codex", "PreToolUse", {}, tool_name=tool, server=server)


@pytest.mark.parametrize(
    ("pattern", "compiled"),
    [
        ("*", {"side": "any"}),
        ("acme_query", {"side": "own", "names": ["acme_query"]}),
        ("acme_query|acme-ddl", {"side": "own", "names": ["acme_query", "acme-ddl"]}),
        ("acme_.*", {"side": "own", "prefix": "acme_"}),
        (".*", {"side": "own", "prefix": ""}),
        (".*_write", {"side": "own", "regex": ".*_write"}),
        ("a.b", {"side": "own", "regex": "a.b"}),
        ("host:Bash|Edit", {"side": "host", "names": ["Bash", "Edit"]}),
        ("host:.*", {"side": "host", "prefix": ""}),
        ("github/list_.*", {"side": "server", "server": "github", "prefix": "list_"}),
        ("my.server/x", {"side": "server", "server": "my.server", "names": ["x"]}),
    ],
)
def test_names_and_prefixes_become_plain_strings(pattern, compiled):
    assert compile(pattern) == compiled
    assert is_slow(compiled) == ("regex" in compiled)


@pytest.mark.parametrize("pattern", ["", "host:", "github/", "host:*", "github/*", "acme_(", "[a"])
def test_what_is_no_matcher_is_refused_with_what_is_allowed(pattern):
    with pytest.raises(MatcherError) as caught:
        compile(pattern)
    assert "regex" in str(caught.value)


@pytest.mark.parametrize(
    ("pattern", "caught"),
    [
        ("*", ["own", "host", "other", "none"]),
        ("Bash", ["own"]),
        (".*", ["own"]),
        ("host:Bash", ["host"]),
        ("github/.*", ["other"]),
    ],
)
def test_the_prefix_tells_own_tools_the_hosts_and_another_servers_apart(pattern, caught):
    events = {
        "own": event("Bash", "acme"),
        "host": event("Bash", None),
        "other": event("Bash", "github"),
        "none": Event("SessionStart", "codex", "SessionStart", {}),
    }
    compiled = compile(pattern)
    assert [name for name, happening in events.items() if matches(compiled, happening, "acme")] == caught


NAMES = st.text("ab_-.|*+(", max_size=6)


@given(pattern=NAMES, tool=st.text("ab_-.", min_size=1, max_size=6))
def test_a_compiled_matcher_catches_what_the_regex_matches_in_full(pattern, tool):
    try:
        compiled = compile(pattern)
        wanted = pattern == "*" or re.fullmatch(pattern, tool) is not None
    except MatcherError:
        return
    assert matches(compiled, event(tool), "acme") == wanted
