"""`simulate`: what a hook would answer in each host, without running one."""

import json
import os
from collections.abc import Sequence
from dataclasses import asdict
from difflib import get_close_matches
from typing import Any

import click

from agent_connector.cli import options
from agent_connector.cli.output import columns, emit, grouped, paint, say, verbatim
from agent_connector.connector.light import EVENTS
from agent_connector.deploy.detect import found_here, this_machine
from agent_connector.deploy.simulate import Said, Simulated, simulate
from agent_connector.deploy.sources import Wanted, obtain_any
from agent_connector.home import paths, progress
from agent_connector.hosts import query


@click.command(
    "simulate",
    epilog="""Examples:

\b
  agent-connector simulate PreToolUse --tool acme_write --input '{"sql": "delete from t"}'
  agent-connector simulate PreToolUse --tool host:Bash --host codex
  agent-connector simulate UserPromptSubmit --prompt "how many customers?"
  agent-connector simulate preToolUse --host cursor --payload recorded.json""",
)
@click.argument("event")
@options.connector
@click.option(
    "--host", "hosts", multiple=True, metavar="HOST", help="Only this host. Default: every host with the event."
)
@click.option("--tool", metavar="NAME", help="A tool: bare for the connector's own, host:NAME, SERVER/NAME.")
@click.option("--input", "tool_input", metavar="JSON", help="The tool's arguments.")
@click.option("--output", metavar="TEXT", help="The tool's result.")
@click.option("--prompt", metavar="TEXT", help="What the person typed.")
@click.option(
    "--given", multiple=True, metavar="NAME=TEXT", help="Another word of the event: error, message, source ..."
)
@click.option("--payload", type=click.File("rb"), help="The host's own JSON, instead of a made-up one (- for stdin).")
@options.show_all
@options.as_json
def command(
    event: str,
    connector: str | None,
    hosts: tuple[str, ...],
    tool: str | None,
    tool_input: str | None,
    output: str | None,
    prompt: str | None,
    given: tuple[str, ...],
    payload: Any,
    show_all: bool,
    as_json: bool,
) -> int:
    """Run parse, matchers, handlers and reply for one EVENT, and say what each host does with the answer.

    The handlers really run, in a process of their own; nothing is installed or measured. Told at length are the hosts
    that are here, the others by what they make of it; --host tells one with its reply, --all every one.
    """
    able = tuple(host for host in query.hosts() if _has(host, event))
    if not able:
        raise click.BadParameter(_unknown(event), param_hint="EVENT")
    chosen = tuple(options.host(host, "--host") for host in hosts) or able
    root = paths.data_root(os.environ, os.path.expanduser("~"))
    loaded = obtain_any(Wanted(connector), root)
    words: dict[str, Any] = dict(item.split("=", 1) for item in given if "=" in item)
    words |= {name: text for name, text in (("output", output), ("prompt", prompt)) if text is not None}
    if tool_input is not None:
        words["input"] = _object(tool_input, "--input")
    raw = _object(payload.read().decode("utf-8", "replace"), "--payload") if payload else None
    with progress.during("asking the handlers"):
        results = [simulate(loaded, host, event, tool=tool, given=words, payload=raw, root=root) for host in chosen]
    if as_json:
        emit({"connector": loaded.model.id, "results": [asdict(result) for result in results]})
    elif hosts or show_all:
        for result in results:
            _show(result)
    else:
        _sum_up(results, found_here(this_machine()))
    if not as_json and tool and _bare(tool) and not any(result.matched for result in results):
        meant = [hook.pattern for hook in loaded.model.hooks if hook.event == event and "host:" in hook.pattern]
        if meant:
            say(f"(a tool of the host itself has host: before its name: --tool host:{tool}; declared: {meant[0]})")
    return 1 if any(result.failed for result in results) else 0


def _bare(tool: str) -> bool:
    """True for a tool of the connector's own server."""
    return ":" not in tool and "/" not in tool


def _object(text: str, option: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except ValueError as error:
        raise click.BadParameter(f"not JSON: {error}", param_hint=option) from None
    if not isinstance(value, dict):
        raise click.BadParameter("a JSON object is wanted", param_hint=option)
    return value  # pyright: ignore[reportUnknownVariableType]


def _has(host: str, event: str) -> bool:
    return event in _events(host)


def _events(host: str) -> tuple[str, ...]:
    """The names that a host knows: the normalized ones, then its own."""
    facet = query.hooks(host)
    return (*facet.EVENTS, *facet.EVENTS.values(), *facet.NATIVE) if facet is not None else ()


def _unknown(event: str) -> str:
    """What is said of an event that no host has: the nearest one, and those that mean the same in every host."""
    names = {name for host in query.hosts() for name in _events(host)}
    common = [name for name in EVENTS if name in names]
    close = get_close_matches(event.lower(), sorted({name.lower() for name in names}), 1)
    meant = [name for name in (*common, *sorted(names)) if [name.lower()] == close]
    if meant and meant[0] not in common:  # hosts differ in what they write large
        meant = get_close_matches(event, meant, 1, 0)
    hint = f" Did you mean {meant[0]}?" if meant else ""
    return f"no host has an event {event}.{hint} Known: {', '.join(common)}; and each host's own names."


def _sum_up(results: Sequence[Simulated], here: frozenset[str]) -> None:
    """What the handlers said once, and what the hosts make of it: a line for each that is here, the others together."""
    alike = grouped((_heard(result), result) for result in results)
    for lines, group in alike.items():
        say(paint(group[0].event, "bold") + f": {lines[0]}")
        for line in lines[1:]:
            say(f"  {line}")
        told = grouped(
            ((_verdict(said), said.why), one.host) for one in group if one.host in here for said in one.decisions
        )
        columns((verdict, ", ".join(dict.fromkeys(hosts)), why) for (verdict, why), hosts in told.items())
        others = [one for one in group if one.host not in here]
        for verdict, hosts in grouped((said.verdict, one.host) for one in others for said in one.decisions).items():
            say(
                f"  {_painted(verdict)} by {', '.join(dict.fromkeys(hosts))}" + " (not found here)" * bool(here), hang=4
            )
        if len(alike) > 1 and not group[0].decisions:
            say(f"  in {', '.join(one.host for one in group)}", hang=4)
    say("(--host NAME shows one host with its reply, --all every one)")


def _heard(result: Simulated) -> tuple[str, ...]:
    """What the handlers said or failed with, a line each."""
    asked = ", ".join(result.matched)
    if not result.matched:
        return ("no handler is asked: none is declared for this event and tool",)
    said = [f"{asked} said {said.kind}" + (f" {said.text!r}" if said.text else "") for said in result.decisions]
    if not said and not result.failures:
        said = [f"{asked} said nothing: the host's own rules decide"]
    return (*said, *(f"{paint('failed', 'bad')}: {failure}" for failure in result.failures))


def _verdict(said: Said) -> str:
    return f"{_painted(said.verdict)} ({said.sure})"


def _painted(verdict: str) -> str:
    return paint(verdict, "ok" if verdict == "honoured" else "bad")


def _show(result: Simulated) -> None:
    say(paint(result.host, "bold") + f"  {result.event} ({result.host_event})")
    heard = _heard(result)
    for index, line in enumerate(heard):
        say(f"  {line}")
        if index < len(result.decisions):
            say(f"  {_verdict(result.decisions[index])}: {result.decisions[index].why}")
    verbatim(
        f"  reply: {result.output or '(nothing)'}" + (f"  exit code {result.exit_code}" if result.exit_code else "")
    )
