"""The hook part of the facet contract: what is registered, understood, answered and promised, and what it costs to load."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import agent_connector
from agent_connector.connector import light
from agent_connector.connector.light import EVENTS, Event
from agent_connector.hosts import query
from agent_connector.hosts.nodes import Item, Key, Reply, Whole
from agent_connector.testing.host_samples import MARKS, hook_use

DECISIONS = {
    "allow": light.allow(),
    "deny": light.deny("not today"),
    "ask": light.ask("sure?"),
    "modify": light.modify({"sql": "select 1"}),
    "context": light.context("mind the limits"),
    "replace_output": light.replace_output("hidden"),
}
ON_HOOK_PATH = ("hooks", "statusline", "actions", "places")
# What the standard library may be asked for on the hook path: next to nothing to load, or built in.
LIGHT = frozenset(
    (
        *("os", "os.path", "posixpath", "ntpath", "genericpath", "stat", "_stat", "nt", "_collections_abc"),
        *(
            "sys",
            "time",
            "_json",
            "_socket",
            "select",
            "zlib",
            "_blake2",
            "_sha2",
            "itertools",
            "operator",
            "_operator",
        ),
        *("collections", "_collections", "keyword", "reprlib", "heapq", "_heapq"),
    )
)


def hooks_are_registered(host: str) -> None:
    """Every event of the host gives nodes that carry our marks, so that they are found again."""
    facet = query.hooks(host)
    if facet is None:
        return
    assert set(facet.EVENTS) <= set(EVENTS), f"unknown events {set(facet.EVENTS) - set(EVENTS)}"
    assert not set(facet.NATIVE) & set(facet.EVENTS.values()), "an event is native and normalized at once"
    assert not facet.wire([], "/there"), "no hooks, yet something is written"
    for event in (*facet.EVENTS.values(), *facet.NATIVE):
        nodes = facet.wire([hook_use(event)], "/there")
        assert nodes, f"{event} registers nothing"
        assert any(_marked(node) for node in nodes), f"what {event} registers cannot be found again"
    names = list(facet.EVENTS.items())
    together = [hook_use(host_event, name, command=f"agent-connector {host_event}") for name, host_event in names]
    everything = " ".join(_text(node) for node in facet.wire(together, "/there"))
    for _, host_event in names:
        assert everything.count(f"agent-connector {host_event}") >= 1, f"{host_event} is lost beside the others"


def _marked(node: Any) -> bool:
    return all(mark in _text(node) for mark in MARKS)


def _text(node: Any) -> str:
    if isinstance(node, Whole):
        return node.text
    return json.dumps(node.value) if isinstance(node, Item | Key) else ""


def hooks_catch_what_they_must(host: str) -> None:
    """Every kind of matcher can be registered for a tool event."""
    facet = query.hooks(host)
    if facet is None or "PreToolUse" not in facet.EVENTS:
        return
    for matcher in (
        {"side": "any"},
        {"side": "own", "names": ["acme_query", "acme_write"]},
        {"side": "own", "prefix": "acme_"},
        {"side": "own", "regex": ".*_write"},
        {"side": "host", "names": ["Bash", "NoSuchTool"]},
        {"side": "host", "regex": "B.*"},
        {"side": "server", "server": "github", "names": ["list_issues"]},
    ):
        use = hook_use(facet.EVENTS["PreToolUse"], "PreToolUse", matchers=(matcher,))
        assert facet.wire([use], "/there"), f"{matcher} registers nothing"


def payloads_are_understood(host: str) -> None:
    """An event comes out of any payload, under a name that belongs to the host's event."""
    facet = query.hooks(host)
    if facet is None:
        return
    for host_event in (*facet.EVENTS.values(), *facet.NATIVE):
        event = facet.parse(host_event, {}, ["acme-db"])
        assert (event.host, event.host_event) == (host, host_event), f"{host_event}: {event.host}, {event.host_event}"
        names = [name for name, native in facet.EVENTS.items() if native == host_event]
        assert event.name in (names or [host_event]), f"{host_event} is read as {event.name}"


def promises_are_kept(host: str) -> None:
    """Each decision at each event has a verdict; what is honoured or degraded says something, what is dropped nothing."""
    facet = query.hooks(host)
    if facet is None:
        return
    for name, kind, verdict in _verdicts(host):
        if name not in facet.EVENTS:
            assert verdict == "dropped", f"{kind} is {verdict} at {name}, which it does not have"
            continue
        event = Event(name, host, facet.EVENTS[name], {}, tool_name="acme_query", server="acme-db", tool_input={})
        said = facet.reply(event, DECISIONS[kind])
        _reply(f"{kind} at {name}", said)
        silent = said.output in (None, {}, facet.NEUTRAL) and said.exit_code == 0
        assert silent == (verdict == "dropped"), f"{kind} at {name} is {verdict}, and the answer is {said.output!r}"


def _verdicts(host: str) -> Iterator[tuple[str, str, str]]:
    facet = query.hooks(host)
    assert facet is not None
    for name in EVENTS:
        for kind in query.DECISIONS:
            verdict, sure, why = facet.honours(name, kind)
            assert verdict in ("honoured", "degraded", "dropped"), f"{kind} at {name} is {verdict!r}"
            assert sure in ("proven", "documented", "uncertain"), f"{kind} at {name} is {sure!r}"
            assert why and "\n" not in why, f"{kind} at {name} has no reason of one line"
            yield name, kind, verdict


def nothing_said_is_neutral(host: str) -> None:
    """A handler that answers None leaves the host to its own rules."""
    facet = query.hooks(host)
    if facet is None:
        return
    for name, host_event in facet.EVENTS.items():
        said = facet.reply(Event(name, host, host_event, {}), None)
        _reply(f"nothing at {name}", said)
        assert said.exit_code == 0 and not said.stderr, f"nothing at {name} ends with {said.exit_code}, {said.stderr!r}"
        assert said.output in (None, {}, facet.NEUTRAL), f"nothing at {name} says {said.output!r}"


def _reply(what: str, said: Reply) -> None:
    assert 0 <= said.exit_code < 256, f"{what}: exit code {said.exit_code}"
    if not isinstance(said.output, str):
        json.dumps(said.output, allow_nan=False)


def hook_path_is_light(host: str) -> None:
    """What hosts execute at every tool call loads nothing of the standard library that takes time."""
    package = f"agent_connector.hosts.{host.replace('-', '_')}"
    for facet in ON_HOOK_PATH:
        if query.facet(host, facet) is not None:
            heavy = loaded(f"{package}.{facet}")
            assert not heavy, f"{facet} loads {', '.join(heavy)}"


def loaded(module: str) -> list[str]:
    """The modules of the standard library that importing `module` loads in a bare interpreter, the light ones left out."""
    source = os.path.dirname(os.path.dirname(os.path.abspath(agent_connector.__file__)))
    lines = (
        "import sys",
        f"sys.path.insert(0, {source!r})",
        "before = set(sys.modules)",
        f"__import__({module!r})",  # a host may be called `continue`
        "print(*sorted(set(sys.modules) - before))",
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", "\n".join(lines)], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, f"{module} cannot be imported alone: {done.stderr}"
    return [name for name in done.stdout.split() if name not in LIGHT and name.partition(".")[0] != "agent_connector"]


HOOK_CHECKS: tuple[Callable[[str], None], ...] = (
    hooks_are_registered,
    hooks_catch_what_they_must,
    payloads_are_understood,
    promises_are_kept,
    nothing_said_is_neutral,
    hook_path_is_light,
)
