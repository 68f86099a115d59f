"""A native matcher never lets a call pass that a handler wants."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_connector.connector import matchers
from agent_connector.connector.light import Event
from agent_connector.connector.matching import matches
from agent_connector.hosts.claude_code import hooks as claude_code
from agent_connector.hosts.codex import hooks as codex
from agent_connector.hosts.dialects.tool_matchers import anchored, native, spelled
from agent_connector.hosts.droid import hooks as droid
from agent_connector.hosts.kimi import hooks as kimi
from agent_connector.hosts.qwen_code import hooks as qwen_code
from agent_connector.testing.host_samples import hook_use

NAMES = st.sampled_from(["query", "query-all", "write", "write_x", "Bash", "Fetch", "Edit", "Read", "Agent", "new"])
PREFIXES = st.sampled_from(["", "host:", "acme-db/", "git.hub/"])
SHAPES = st.sampled_from(["{0}", "{0}|{1}", "{0}.*", ".*", ".*{0}", "{0}[-_].*", "(?i){0}", "{0}?", r"\w+", "[a-q].*"])


@st.composite
def patterns(draw):
    return draw(st.just("*") | st.builds(lambda p, s, a, b: p + s.format(a, b), PREFIXES, SHAPES, NAMES, NAMES))


HOST_TOOLS = st.sampled_from(["Bash", "WebFetch", "apply_patch", "Task", "Read", "Edit", "Unheard", "spawn_agent"])
SERVERS = st.sampled_from(["acme-db", "git.hub", "other"])


CALLED = {
    claude_code: lambda server, tool: f"mcp__{claude_code.claude.normal(server)}__{tool}",
    codex: lambda server, tool: f"mcp__{codex.fold(server)}__{codex.fold(tool)}",
    qwen_code: qwen_code.tool_name,
    droid: droid.tool_name,
    kimi: kimi.tool_name,
}


def registered(facet, compiled):
    [node] = facet.wire([hook_use("PreToolUse", "PreToolUse", matchers=compiled)], "/f")
    return node.value.get("matcher", "*")


def catches(matcher, tool, plain):
    if matcher == "*":
        return True
    return tool in matcher.split("|") if re.fullmatch(plain, matcher) else bool(re.search(matcher, tool))


@given(st.lists(patterns(), min_size=1, max_size=3), st.none() | SERVERS, NAMES, HOST_TOOLS)
@pytest.mark.parametrize("facet", CALLED, ids=lambda facet: facet.HOST)
def test_whatever_a_handler_wants_is_caught(facet, written, server, tool, host_tool):
    compiled = [matchers.compile(pattern) for pattern in written]
    name = host_tool if server is None else CALLED[facet](server, tool)
    event = facet.parse("PreToolUse", {"tool_name": name}, ["acme-db"])
    if server is not None:  # what the author means by it
        event.server, event.tool_name = server, tool
    if any(matches(one, event, "acme-db") for one in compiled):
        plain = r"[\w|]+" if facet is codex else r"[\w|-]+"
        assert catches(registered(facet, compiled), name, plain)


def test_a_regex_that_means_the_same_everywhere_is_kept():
    own = [{"side": "own", "regex": "(?:get|list)_.*s?"}]
    assert native(own, "a", lambda s: f"{s}_", {}) == "^(?:a_(?:(?:get|list)_.*s?))$"


@pytest.mark.parametrize("regex", [r"a\d", "(?i)a", "a++", "a*+", "[]a]", "[^]a]", "[[a]", "[a--b]", "é", "a{2}"])
def test_a_regex_that_others_read_differently_is_widened(regex):
    assert native([{"side": "own", "regex": regex}], "a", lambda s: f"{s}_", {}) == "^(?:a_.*)$"


def test_a_servers_name_is_taken_literally():
    assert native([{"side": "server", "server": "a.b", "prefix": ""}], "x", lambda s: f"{s}:", {}) == r"^(?:a\.b:.*)$"


def test_nothing_asked_for_is_everything():
    assert native([], "a", lambda s: s, {}) == "*"


def test_the_hosts_own_names_of_a_tool_are_all_caught():
    tools = {"Task": "Agent", "Agent": "Agent", "Shell": "Bash"}
    assert native([{"side": "host", "names": ["Agent", "Bash"]}], "a", lambda s: s, tools) == "Task|Agent|Shell|Bash"
    assert native([{"side": "host", "names": ["Shell"]}], "a", lambda s: s, tools) == "*"


def test_an_event_of_a_tool_that_is_not_one_of_the_hosts_names():
    event = Event("PreToolUse", "x", "PreToolUse", {}, tool_name="Shell")
    assert not matches({"side": "host", "names": ["Bash"]}, event, "a")


def test_a_host_that_looks_anywhere_gets_an_anchored_matcher():
    assert [anchored(m) for m in ("*", "Bash|Read", "^(?:a.*)$")] == ["*", "^(?:Bash|Read)$", "^(?:a.*)$"]


@pytest.mark.parametrize(
    ("matcher", "said"),
    [
        ({"side": "any"}, {"side": "any"}),
        ({"side": "host", "names": ["Bash"]}, {"side": "host", "names": ["Bash"]}),
        ({"side": "own", "names": ["query", "q"]}, {"side": "host", "names": ["me/que", "me/q"]}),
        ({"side": "server", "server": "b", "prefix": "query"}, {"side": "host", "prefix": "b/q"}),
        ({"side": "own", "regex": ".*x"}, {"side": "host", "prefix": "me/"}),
    ],
)
def test_a_matcher_over_whole_names_that_the_host_cuts(matcher, said):
    def start(server, text):
        return f"{server}/{text}"[:3]

    assert spelled(matcher, "me", lambda server, tool: f"{server}/{tool}"[:6], start) == said
